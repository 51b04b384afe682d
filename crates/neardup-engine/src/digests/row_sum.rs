//! The sum of the hashes of rows: the part of a digest that does not depend on their order, and that can be merged.

use crate::digests::row_bytes::RowBytes;
use crate::{Error, Result};
use blake3::Hasher;

/// The version of digests.
pub const DIGEST_VERSION: u32 = 2;

/// Number of words of a sum, which is a number below 2^256.
const WORDS: usize = 4;

/// The number of rows, and the sum modulo 2^256 of their hashes: BLAKE3-256 of the bytes of each row, as a little-endian number.
///
/// Such sums find faults. Somebody who may choose rows can find other rows with the same sum (Wagner 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowSum {
    rows: u64,
    sum: [u64; WORDS],
}

impl RowSum {
    /// Returns the sum of some rows.
    pub fn of(rows: &RowBytes) -> Self {
        let one = |row: &[u8]| {
            let words = *blake3::hash(row).as_bytes();
            RowSum { rows: 1, sum: words_of(&words) }
        };
        rows.iter().map(one).fold(RowSum::default(), RowSum::merge)
    }

    /// Returns the sum of the rows of both.
    pub fn merge(self, other: Self) -> Self {
        let mut carry = false;
        let mut sum = self.sum;
        for (word, &added) in sum.iter_mut().zip(&other.sum) {
            let (half, first) = word.overflowing_add(added);
            let (whole, second) = half.overflowing_add(u64::from(carry));
            (*word, carry) = (whole, first || second);
        }
        RowSum { rows: self.rows + other.rows, sum }
    }

    /// Returns the digest of the table `name` that has these rows: BLAKE3-256 of the name (a text), the version of digests, the number
    /// of rows and the sum, in hexadecimal digits.
    pub fn digest(&self, name: &str) -> String {
        let mut head = RowBytes::default();
        head.text(name);
        head.number(u64::from(DIGEST_VERSION));
        head.end();
        let mut hasher = Hasher::new();
        head.iter().for_each(|head| _ = hasher.update(head));
        hasher.update(&self.to_bytes());
        hasher.finalize().to_hex().to_string()
    }

    /// Returns it as 40 bytes: the number of rows and the sum, little-endian.
    pub fn to_bytes(self) -> Vec<u8> {
        std::iter::once(self.rows).chain(self.sum).flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`Self::to_bytes`] returns. An error if it has another number of bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let wrong = || Error::Data(format!("a sum of rows has 40 bytes, not {}", bytes.len()));
        let (rows, sum) = bytes.split_first_chunk().ok_or_else(wrong)?;
        let sum: &[u8; WORDS * size_of::<u64>()] = sum.try_into().map_err(|_| wrong())?;
        Ok(RowSum { rows: u64::from_le_bytes(*rows), sum: words_of(sum) })
    }
}

fn words_of(bytes: &[u8; WORDS * size_of::<u64>()]) -> [u64; WORDS] {
    let words = bytes.as_chunks().0;
    std::array::from_fn(|word| u64::from_le_bytes(words[word]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u64) -> RowBytes {
        let mut rows = RowBytes::default();
        rows.number(number);
        rows.end();
        rows
    }

    #[test]
    fn a_carry_goes_through_all_words() {
        let [most, one] = [[u64::MAX; WORDS], [1, 0, 0, 0]].map(|sum| RowSum { rows: 1, sum });
        assert_eq!(most.merge(one), RowSum { rows: 2, sum: [0; WORDS] });
        assert_eq!(one.merge(most), most.merge(one));
    }

    #[test]
    fn sums_do_not_depend_on_order_and_split() {
        let mut all = RowBytes::default();
        for number in [3, 1, 2, 2] {
            all.number(number);
            all.end();
        }
        let merged = [1, 2, 3, 2].map(|number| RowSum::of(&row(number))).into_iter().fold(RowSum::default(), RowSum::merge);
        assert_eq!(RowSum::of(&all), merged);
        assert_ne!(RowSum::of(&all).digest("pairs"), RowSum::of(&row(1)).digest("pairs"));
        assert_ne!(merged.digest("pairs"), merged.digest("clusters"));
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let sum = RowSum::of(&row(7));
        assert_eq!(RowSum::from_bytes(&sum.to_bytes()).unwrap(), sum);
        for bytes in [&sum.to_bytes()[1..], &[0; 41], &[]] {
            assert!(RowSum::from_bytes(bytes).unwrap_err().to_string().contains("40 bytes"));
        }
    }
}
