//! Estimates: what the signatures of two documents say of their likeness.

pub mod angle;
mod bits;
mod minima;
mod sample;
pub mod shared;
mod slots;

use crate::sets::parts::SketchPart;
use std::f64::consts::PI;

/// How two signatures of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// In how many bits two bit strings of one length differ: a count.
    Differing,
    /// In how many of `bits` bits two bit strings are alike: a count.
    Agreeing {
        /// How long they are.
        bits: u64,
    },
    /// The cosine that this many equal bits represent, see [`angle`].
    Cosine {
        /// How long they are.
        bits: u64,
    },
    /// Resemblance, by the share of equal slots of MinHash.
    Slots {
        /// How many there are.
        slots: u64,
    },
    /// Resemblance, by the smallest features of the union.
    Minima {
        /// How many there are at most.
        size: u64,
    },
    /// Resemblance, by samples of features that are 0 mod something.
    Sampled,
    /// Containment of the smaller in the larger, by the same samples.
    Contained,
}

impl Estimate {
    /// The estimate as a fraction; a count is over 1.
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

    /// The estimate for display only: no decision may use it. A share is from 0 to 1, of bits there is a count.
    pub fn value(self, left: SketchPart<'_>, right: SketchPart<'_>) -> f64 {
        let (count, whole) = self.fraction(left, right);
        let share = count as f64 / whole as f64;
        match self {
            Estimate::Cosine { bits } => (PI * (1.0 - share / bits as f64)).cos(),
            _ => share,
        }
    }
}
