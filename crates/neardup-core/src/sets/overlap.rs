//! The overlap of two feature sets.

use serde::{Deserialize, Serialize};

/// Number of features that two sets share, and their sizes, in distinct features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Overlap {
    /// |A n B|.
    pub shared: u32,
    /// |A|.
    pub left: u32,
    /// |B|.
    pub right: u32,
}

impl Overlap {
    /// Returns the same overlap with left and right exchanged.
    pub fn reversed(self) -> Overlap {
        Overlap { shared: self.shared, left: self.right, right: self.left }
    }

    /// Returns |A u B|.
    pub fn union(self) -> u64 {
        u64::from(self.left) + u64::from(self.right) - u64::from(self.shared)
    }

    /// Returns |A n B| / |A u B| as an exact fraction; 1 for two empty sets.
    pub fn fraction(self) -> (u64, u64) {
        match self.union() {
            0 => (1, 1),
            union => (u64::from(self.shared), union),
        }
    }

    /// Returns |A n B| / |A u B| for display; 1 for two empty sets.
    pub fn resemblance(self) -> f64 {
        share(self.shared, self.union())
    }

    /// Returns |A n B| / |A| for display; 1 for an empty A.
    pub fn left_in_right(self) -> f64 {
        share(self.shared, self.left.into())
    }

    /// Returns |A n B| / |B| for display; 1 for an empty B.
    pub fn right_in_left(self) -> f64 {
        share(self.shared, self.right.into())
    }
}

fn share(part: u32, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / whole as f64 }
}
