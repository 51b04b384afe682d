//! Resemblance |A n B| / |A u B| (Broder 1997; Jaccard 1901).

use super::Overlap;
use crate::bitmap;
use crate::ratio::Ratio;
use crate::sketch::Sketch;

pub fn fraction(overlap: Overlap) -> (u64, u64) {
    match overlap.union() {
        0 => (1, 1),
        union => (u64::from(overlap.shared), union),
    }
}

#[inline]
pub fn possible(ratio: &Ratio, left: Sketch<'_>, right: Sketch<'_>) -> bool {
    let (p, q) = (u128::from(ratio.numerator), u128::from(ratio.denominator));
    let too_small = |small: Sketch<'_>, large: Sketch<'_>| u128::from(small.most) * q < u128::from(large.least) * p;
    if too_small(left, right) || too_small(right, left) {
        return false;
    }
    // r >= p/q allows a symmetric difference of (q - p) (|A| + |B|) / (p + q) features.
    let differing = u128::from(bitmap::differing(left.bitmap, right.bitmap));
    differing * (p + q) <= (q - p) * (u128::from(left.most) + u128::from(right.most))
}
