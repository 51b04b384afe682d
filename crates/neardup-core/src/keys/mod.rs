//! Keys: documents that share one meet.

mod bands;
mod blocks;
pub mod capped;
pub mod each;
mod kind;
mod lengths;
mod prefix;
pub mod promise;
pub mod rarest;
pub mod reach;
pub mod rows;

use crate::sets::parts::SketchPart;
use crate::signatures::Values;
use crate::util::ratio::Ratio;

pub use bands::{Bands, choices};
pub use blocks::{BitRuns, BlockCost, Blocks, TablePlan};
pub use each::EachValue;
pub use kind::{KeyKind, OverCap, RareKeys};
pub use lengths::Lengths;
pub use prefix::Prefix;
pub use rarest::Rarest;
pub use reach::Reach;
pub use rows::ChunkKeys;

/// Number of tables whose further bits are in one word.
const PER_WORD: usize = 4;

/// A way to cut keys from a signature, ready to run.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Groups of slots of a MinHash signature.
    Bands(Bands),
    /// Blocks of bits of a fingerprint.
    Blocks(Blocks),
    /// Every value of a signature.
    Each(EachValue),
    /// The smallest features of a whole set, partitioned by its size.
    Lengths(Lengths),
    /// The smallest features of a whole set.
    Prefix(Prefix),
    /// The rarest features of a whole set, in an order of the run. They are cut after all documents are known
    /// ([`crate::candidates::late_keys`]).
    Rarest(Rarest),
}

impl Keys {
    /// Returns the number of tables of the keys. A key is compared only with keys of its own table.
    pub fn tables(&self) -> usize {
        match self {
            Keys::Bands(bands) => bands.tables(),
            Keys::Blocks(blocks) => blocks.tables(),
            Keys::Each(_) | Keys::Lengths(_) | Keys::Prefix(_) | Keys::Rarest(_) => 1,
        }
    }

    /// Whether every document has exactly one key in each table.
    pub fn fixed(&self) -> bool {
        matches!(self, Keys::Bands(_) | Keys::Blocks(_))
    }

    /// Returns the resemblance from which two documents always share a key, for keys that are cut from the whole set to
    /// guarantee this; otherwise `None`.
    pub fn complete_from(&self) -> Option<Ratio> {
        match self {
            Keys::Lengths(lengths) => Some(lengths.prefix.threshold),
            Keys::Prefix(prefix) => Some(prefix.threshold),
            Keys::Rarest(rarest) => Some(rarest.threshold()),
            Keys::Bands(_) | Keys::Blocks(_) | Keys::Each(_) => None,
        }
    }

    /// Returns the keys of a run, which knows all its documents: the rarest features, if these keys guarantee a
    /// resemblance.
    pub fn of_run(self) -> Keys {
        self.complete_from().map_or(self, |threshold| Keys::Rarest(Rarest::new(threshold)))
    }

    /// Whether the keys are cut from the signature when a document is signed.
    pub fn are_signed(&self) -> bool {
        !matches!(self, Keys::Rarest(_))
    }

    /// Whether every key stores how far its document reaches ([`Reach`]).
    pub fn reach(&self) -> bool {
        matches!(self, Keys::Rarest(_))
    }

    /// Appends the keys of one signature to `out`: one per table, in order, or any number for the only table. Appends
    /// nothing for keys that are cut later.
    pub fn keys(&self, values: &Values, out: &mut Vec<u32>) {
        match self {
            Keys::Bands(bands) => bands.keys(&values.narrow, out),
            Keys::Blocks(blocks) => blocks.keys(&values.wide, out),
            Keys::Each(each) => each.keys(&values.wide, out),
            Keys::Lengths(lengths) => lengths.keys(&values.wide, out),
            Keys::Prefix(prefix) => prefix.keys(&values.wide, out),
            Keys::Rarest(_) => {}
        }
    }

    /// Appends the keys in full width to `out` as one part, ascending. The test `equal` counts them.
    pub fn append_whole(&self, values: &Values, out: &mut Vec<u64>) {
        match self {
            Keys::Bands(bands) => SketchPart { level: 0, values: &bands.whole(&values.narrow) }.append(out),
            Keys::Blocks(blocks) => SketchPart { level: 0, values: &blocks.whole(&values.wide) }.append(out),
            Keys::Each(_) | Keys::Lengths(_) | Keys::Prefix(_) | Keys::Rarest(_) => {
                SketchPart { level: 0, values: &values.wide }.append(out)
            }
        }
    }

    /// Appends 16 further bits of the key of each table to `out` as one part, four to a word, in the order of the tables; an empty part
    /// for keys of which a document may have any number in a table.
    pub fn append_further(&self, values: &Values, out: &mut Vec<u64>) {
        let Keys::Bands(bands) = self else { return SketchPart { level: 0, values: &[] }.append(out) };
        SketchPart::append_filled(out, |out| {
            let mut table = 0;
            bands.wide(&values.narrow, &mut |key| {
                let bits = (key & u64::from(u16::MAX)) << (16 * (table % PER_WORD));
                match out.last_mut() {
                    Some(word) if table % PER_WORD > 0 => *word |= bits,
                    _ => out.push(bits),
                }
                table += 1;
            });
        });
    }

    /// Returns the further bits of a table in such a part; 0 if it has none.
    #[inline]
    pub fn further(part: SketchPart<'_>, table: usize) -> u16 {
        part.values.get(table / PER_WORD).map_or(0, |word| (word >> (16 * (table % PER_WORD))) as u16)
    }

    /// Returns the number of keys in full width that two documents must share.
    pub fn least(&self) -> u64 {
        match self {
            Keys::Bands(bands) => bands.least as u64,
            Keys::Each(each) => each.least,
            Keys::Lengths(_) | Keys::Prefix(_) | Keys::Rarest(_) | Keys::Blocks(_) => 1,
        }
    }
}
