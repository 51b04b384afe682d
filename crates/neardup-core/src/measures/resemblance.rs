//! Resemblance |A n B| / |A u B| (Broder 1997; Jaccard 1901).

use crate::sets::bitmap;
use crate::sets::sketch::Sketch;
use crate::util::ratio::Ratio;

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

/// Returns an upper bound on the resemblance of two sets, by their sketches.
#[inline]
pub fn ceiling(left: Sketch<'_>, right: Sketch<'_>) -> (u64, u64) {
    let (small, large) = if left.most < right.most { (left, right) } else { (right, left) };
    // The best case by size: the large set contains the whole small one.
    let by_size = (u64::from(small.most), u64::from(large.least.max(small.most)));
    let (differing, both) = (bitmap::differing(left.bitmap, right.bitmap), u64::from(left.most) + u64::from(right.most));
    // |A n B| = (|A| + |B| - d) / 2 and |A u B| = (|A| + |B| + d) / 2 for sets that differ in d features.
    let by_bits = (both - differing, both + differing);
    if by_size.0 * by_bits.1 < by_bits.0 * by_size.1 { by_size } else { by_bits }
}
