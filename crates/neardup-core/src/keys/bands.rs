//! Bands: keys that are hashes of r MinHash values (Broder et al. 2000; Leskovec, Rajaraman, Ullman, ch. 3).

/// b bands of r rows. Two documents of resemblance s share a given band with probability s^r; they meet if they share
/// `least` bands. If `least` is 1, every band is a key. Otherwise every choice of `least` bands is a key (Fetterly,
/// Manasse, Najork 2003: the 15 pairs of 6).
#[derive(Clone, Debug)]
pub struct Bands {
    /// b.
    pub bands: usize,
    /// r.
    pub rows: usize,
    /// Number of bands that must be equal, 1 to b.
    pub least: usize,
}

impl Bands {
    /// Returns the number of keys per document: b over `least`.
    pub fn tables(&self) -> usize {
        choices(self.bands as u64, self.least as u64).map_or(usize::MAX, |choices| choices as usize)
    }

    /// Appends one 32-bit key per table. Different bands collide with probability 2^-32; the measure then decides about the
    /// pair.
    pub fn keys(&self, minima: &[u32], out: &mut Vec<u32>) {
        let bands = minima.chunks_exact(self.rows).take(self.bands);
        if self.least == 1 {
            return out.extend(bands.map(|rows| (band(rows) >> 32) as u32));
        }
        let bands: Vec<u64> = bands.map(band).collect();
        self.choose(&bands, self.least, START, &mut |hash| out.push((hash >> 32) as u32));
    }

    /// Calls `take` with the key of each table in full width, in order; the upper half of each is the key of 32 bits.
    pub fn wide(&self, minima: &[u32], take: &mut impl FnMut(u64)) {
        let bands = minima.chunks_exact(self.rows).take(self.bands).map(band);
        if self.least == 1 { bands.for_each(take) } else { self.choose(&bands.collect::<Vec<u64>>(), self.least, START, take) }
    }

    /// Returns the bands in full width, each hashed with its number, ascending.
    pub fn whole(&self, minima: &[u32]) -> Vec<u64> {
        let bands = minima.chunks_exact(self.rows).take(self.bands).map(band);
        let mut whole: Vec<u64> = (1..).zip(bands).map(|(number, band)| fold(band, number)).collect();
        whole.sort_unstable();
        whole
    }

    /// Calls `take` with the hash of every choice of `count` of `bands`. `hash` is that of the bands chosen already.
    fn choose(&self, bands: &[u64], count: usize, hash: u64, take: &mut impl FnMut(u64)) {
        if count == 0 {
            return take(hash);
        }
        for at in 0..=bands.len() - count {
            self.choose(&bands[at + 1..], count - 1, fold(hash, bands[at]), take);
        }
    }
}

/// Returns the number of ways to choose `count` of `all` things, or `None` if it does not fit in 64 bits. `count` is at
/// most `all`.
pub fn choices(all: u64, count: u64) -> Option<u64> {
    (0..count.min(all - count)).try_fold(1u64, |ways, at| Some(ways.checked_mul(all - at)? / (at + 1)))
}

/// Initial hash of a fold.
pub(super) const START: u64 = 0x9E37_79B9_7F4A_7C15;

fn band(rows: &[u32]) -> u64 {
    rows.iter().fold(START, |hash, &row| fold(hash, u64::from(row)))
}

/// Folds `value` into `hash`: the low half of their product, xor its high half.
pub(super) fn fold(hash: u64, value: u64) -> u64 {
    let product = u128::from(hash ^ value) * 0xE703_7ED1_A0B4_28DB_u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_those_of_the_triangle() {
        let mut row = vec![1u64];
        for all in 0..60 {
            let counted: Vec<u64> = (0..=all).map(|count| choices(all, count).unwrap()).collect();
            assert_eq!(counted, row);
            row = std::iter::once(1).chain(row.windows(2).map(|two| two[0] + two[1])).chain([1]).collect();
        }
        assert_eq!((choices(1024, 1023), choices(1024, 512)), (Some(1024), None));
    }

    #[test]
    fn two_of_six_are_fifteen_keys() {
        let bands = Bands { bands: 6, rows: 14, least: 2 };
        let keys = |minima: &[u32]| {
            let mut keys = Vec::new();
            bands.keys(minima, &mut keys);
            keys
        };
        let minima: Vec<u32> = (0..84).collect();
        let mut other = minima.clone();
        [0, 20, 30, 50].iter().for_each(|&slot| other[slot] += 1000);
        assert_eq!((bands.tables(), keys(&minima).len()), (15, 15));
        for least in [1, 2] {
            let (bands, mut wide, mut keys) = (Bands { least, ..bands.clone() }, Vec::new(), Vec::new());
            bands.wide(&minima, &mut |key| wide.push(key));
            bands.keys(&minima, &mut keys);
            assert_eq!(wide.iter().map(|wide| (wide >> 32) as u32).collect::<Vec<_>>(), keys);
        }
        // Only bands 4 and 5 are unchanged: the last of the 15 pairs.
        let equal: Vec<usize> = (0..15).filter(|&table| keys(&minima)[table] == keys(&other)[table]).collect();
        assert_eq!(equal, [14]);
        let shared = |left: &[u32], right: &[u32]| bands.whole(left).iter().filter(|band| bands.whole(right).contains(band)).count();
        assert_eq!((shared(&minima, &other), shared(&minima, &minima)), (2, 6));
    }
}
