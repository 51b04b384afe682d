//! What two feature sets share.

use serde::{Deserialize, Serialize};

/// What two sets share and how large they are, in distinct features.
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
    /// The same overlap seen from the other side.
    pub fn reversed(self) -> Overlap {
        Overlap { shared: self.shared, left: self.right, right: self.left }
    }

    /// |A u B|.
    pub fn union(self) -> u64 {
        u64::from(self.left) + u64::from(self.right) - u64::from(self.shared)
    }

    /// |A n B| / |A u B|, exact; 1 for two empty sets.
    pub fn fraction(self) -> (u64, u64) {
        match self.union() {
            0 => (1, 1),
            union => (u64::from(self.shared), union),
        }
    }

    /// The same for display.
    pub fn resemblance(self) -> f64 {
        share(self.shared, self.union())
    }

    /// |A n B| / |A|, for display; 1 for an empty A.
    pub fn left_in_right(self) -> f64 {
        share(self.shared, self.left.into())
    }

    /// |A n B| / |B|, for display; 1 for an empty B.
    pub fn right_in_left(self) -> f64 {
        share(self.shared, self.right.into())
    }
}

fn share(part: u32, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / whole as f64 }
}
