//! The values of one signature.

use crate::sets::parts::SketchPart;
use crate::sets::set::Set;
use crate::util::sort_dedup::SortDedup;

/// The values of one signature; the method defines their width.
#[derive(Default)]
pub struct Values {
    /// The level of a sample of bounded size.
    pub level: u32,
    /// 32-bit values.
    pub narrow: Vec<u32>,
    /// 64-bit values.
    pub wide: Vec<u64>,
    /// Scratch for signatures that need distinct features.
    pub set: Set,
    /// Scratch for signatures that need ascending features.
    pub(crate) ascending: SortDedup,
    /// Scratch for the weights of features.
    pub weights: Vec<u32>,
}

impl Values {
    /// Removes the values but keeps the memory.
    pub fn clear(&mut self) {
        self.level = 0;
        self.narrow.clear();
        self.wide.clear();
    }

    /// Appends the values to `out` as a part, with two 32-bit values in a word.
    pub fn append(&self, out: &mut Vec<u64>) {
        if self.narrow.is_empty() {
            return SketchPart { level: self.level, values: &self.wide }.append(out);
        }
        let words: Vec<u64> =
            self.narrow.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32).collect();
        SketchPart { level: self.level, values: &words }.append(out);
    }
}
