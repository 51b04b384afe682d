//! Pseudo-random numbers that depend only on a key (SplitMix64; Steele, Lea, Flood 2014).

/// A stream of numbers.
pub struct Chance {
    state: u64,
}

impl Chance {
    /// Creates the stream of a key of three numbers.
    pub fn of(seed: u64, stream: u64, number: u64) -> Self {
        let mut chance = Chance { state: seed ^ stream.wrapping_mul(0xD6E8_FEB8_6659_FD93) };
        chance.state = chance.next() ^ number.wrapping_mul(0xA24B_AED4_963E_E407);
        chance.next();
        chance
    }

    /// Returns 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Returns one of `choices`.
    pub fn one<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len() as u64) as usize]
    }
}
