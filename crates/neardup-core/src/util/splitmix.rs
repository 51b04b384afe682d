//! SplitMix64 (Steele, Lea, Flood 2014): the generator behind all random draws.

/// The stream of one seed.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the stream that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// Returns the next 64 bits.
    #[inline(always)]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
