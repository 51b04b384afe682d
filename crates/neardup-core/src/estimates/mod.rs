//! Estimates: the similarity of two documents, computed from their signatures.

pub mod angle;
mod bits;
mod minima;
mod sample;
pub mod shared;
mod slots;

use crate::sets::parts::SketchPart;
use std::f64::consts::PI;

/// Comparison of two signatures of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// Number of bits in which two bit strings of equal length differ.
    Differing,
    /// Number of bits in which two bit strings of `bits` bits agree.
    Agreeing {
        /// Length of the strings.
        bits: u64,
    },
    /// Cosine that the number of equal bits represents, see [`angle`].
    Cosine {
        /// Length of the strings.
        bits: u64,
    },
    /// Resemblance, by the share of equal slots of MinHash.
    Slots {
        /// Number of slots.
        slots: u64,
    },
    /// Resemblance, by the smallest features of the union.
    Minima {
        /// Maximum number of features.
        size: u64,
    },
    /// Resemblance, by samples of features that are 0 mod a number.
    Sampled,
    /// Containment of the smaller set in the larger, by the same samples.
    Contained,
}

impl Estimate {
    /// Returns the estimate as a fraction; a count has the denominator 1.
    #[inline]
    pub fn fraction(self, left: SketchPart<'_>, right: SketchPart<'_>) -> (u64, u64) {
        match self {
            Estimate::Differing => (bits::differing(left.values, right.values), 1),
            Estimate::Agreeing { bits } | Estimate::Cosine { bits } => (bits.saturating_sub(bits::differing(left.values, right.values)), 1),
            Estimate::Slots { slots } => (slots::equal(left.values, right.values, slots), slots),
            Estimate::Minima { size } => minima::resemblance(left, right, size),
            Estimate::Sampled => sample::resemblance(left, right),
            Estimate::Contained => sample::containment(left, right),
        }
    }

    /// Returns the estimate for display only: no decision may use it. It is a share from 0 to 1, or a count of bits.
    pub fn value(self, left: SketchPart<'_>, right: SketchPart<'_>) -> f64 {
        let (count, whole) = self.fraction(left, right);
        let share = count as f64 / whole as f64;
        match self {
            Estimate::Cosine { bits } => (PI * (1.0 - share / bits as f64)).cos(),
            _ => share,
        }
    }
}
