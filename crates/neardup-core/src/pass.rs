//! One pass of a scheme, compiled: every stage ready to run.

use crate::features::Features;
use crate::keys::Keys;
use crate::measures::{Overlap, Test};
use crate::signatures::Signature;
use crate::sketch::Sketch;
use neardup_text::Unit;

/// What happens to a key that too many documents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// It proposes no pair.
    Drop,
    /// It ties every document to its first.
    Star,
}

/// The stages of one pass.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Tokens.
    pub unit: Unit,
    /// Features.
    pub features: Features,
    /// Signature.
    pub signature: Signature,
    /// Keys.
    pub keys: Keys,
    /// The conditions a pair must meet, all of them.
    pub tests: Vec<Test>,
    /// A key held by more documents than this is capped; None is no cap.
    pub cap: Option<u32>,
    /// What capping does.
    pub over: Over,
    /// Seed of every hash of the pass.
    pub seed: u64,
}

impl Pass {
    /// Whether a pair meets every condition.
    pub fn holds(&self, overlap: Overlap) -> bool {
        self.tests.iter().all(|test| test.holds(overlap))
    }

    /// False only when the sketches prove that a condition fails.
    #[inline]
    pub fn possible(&self, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        self.tests.iter().all(|test| test.possible(left, right))
    }
}
