//! Blocks of bits: fingerprints that differ in few bits are equal in some blocks (Manku, Jain, Das Sarma 2007).

/// The fingerprint is cut in `distance` + 1 blocks; two fingerprints within `distance` bits are equal in one.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// f: 64 or 128.
    pub bits: usize,
    /// m.
    pub distance: usize,
}

impl Blocks {
    /// How many tables there are.
    pub fn tables(&self) -> usize {
        self.distance + 1
    }

    /// Appends one key per table.
    pub fn keys(&self, fingerprint: &[u64], out: &mut Vec<u32>) {
        let blocks = self.tables();
        for block in 0..blocks {
            let (start, end) = (self.bits * block / blocks, self.bits * (block + 1) / blocks);
            let bit = |bit: usize| fingerprint[bit / 64] >> (bit % 64) & 1;
            let word = (start..end).fold(0u64, |word, at| word.rotate_left(1) ^ bit(at));
            out.push(super::each::key(word));
        }
    }
}
