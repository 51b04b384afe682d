//! Containment of the smaller set in the larger, |A n B| / min(|A|, |B|) (Broder 1997).

use super::Overlap;
use crate::sets::bitmap;
use crate::sets::sketch::Sketch;
use crate::util::ratio::Ratio;

pub fn fraction(overlap: Overlap) -> (u64, u64) {
    let smaller = overlap.left.min(overlap.right);
    if smaller == 0 { (1, 1) } else { (u64::from(overlap.shared), u64::from(smaller)) }
}

/// c >= p/q allows (q - p) / q of the contained set to be missing in the other.
pub fn possible(ratio: &Ratio, left: Sketch<'_>, right: Sketch<'_>) -> bool {
    let (p, q) = (u128::from(ratio.numerator), u128::from(ratio.denominator));
    let contained = |inner: Sketch<'_>, outer: Sketch<'_>| {
        u128::from(bitmap::missing(inner.bitmap, outer.bitmap)) * q <= (q - p) * u128::from(inner.most)
    };
    contained(left, right) || contained(right, left)
}
