//! One pass of a scheme, compiled: every stage ready to run.

use crate::features::Features;
use crate::keys::Keys;
use crate::measures::Overlap;
use crate::parts::Part;
use crate::signatures::Signature;
use crate::sketch::Sketch;
use crate::test::Test;
use crate::weigher::Weigher;
use neardup_text::{Text, Unit};

/// What happens to a key that too many documents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// It proposes no pair.
    Drop,
    /// It ties every document to its first.
    Star,
}

/// What sketches keep of a document beside its bitmap, for tests that need no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The signature of this number.
    Signature(usize),
    /// The keys in full width, ascending.
    Keys,
    /// How many distinct features there are.
    Size,
}

/// The stages of one pass.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Tokens.
    pub unit: Unit,
    /// Features.
    pub features: Features,
    /// What a feature weighs, for signatures and measures that ask.
    pub weigher: Weigher,
    /// Signatures; keys are cut from the first.
    pub signatures: Vec<Signature>,
    /// Keys.
    pub keys: Keys,
    /// The conditions a pair must meet, all of them.
    pub tests: Vec<Test>,
    /// The parts of a sketch, by number.
    pub kept: Vec<Kept>,
    /// A key held by more documents than this is capped; None is no cap.
    pub cap: Option<u32>,
    /// What capping does.
    pub over: Over,
    /// Seed of every hash of a token.
    pub seed: u64,
}

impl Pass {
    /// The same tokens, features and signatures, to be kept for whoever asks later: nothing is tested, and sketches are the
    /// first signature and the number of features.
    pub fn to_keep(self) -> Pass {
        Pass { tests: Vec::new(), kept: vec![Kept::Signature(0), Kept::Size], ..self }
    }

    /// Whether a text of so many tokens matches nothing, not even its equal: white space, and where values are given, none.
    pub fn is_blank(&self, text: Text<'_>, tokens: usize) -> bool {
        text.is_blank() || self.unit == Unit::Given && tokens == 0
    }

    /// Whether a pair, by its feature sets, meets every condition on these.
    pub fn holds(&self, overlap: Overlap) -> bool {
        self.tests.iter().all(|test| match test {
            Test::Features(measure, bound) => measure.holds(overlap, bound),
            Test::Kept { .. } | Test::Texts(..) => true,
        })
    }

    /// False only when the sketches prove that a condition fails. Conditions on what sketches keep are decided here.
    #[inline]
    pub fn possible(&self, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        self.tests.iter().all(|test| match test {
            Test::Features(measure, bound) => measure.possible(left, right, bound),
            Test::Texts(..) => true,
            Test::Kept { part, estimate, bound } => {
                let (count, whole) = estimate.fraction(Part::nth(left.parts, *part), Part::nth(right.parts, *part));
                bound.admits(count, whole)
            }
        })
    }

    /// The parts that tests estimate by, whatever it is they estimate.
    pub fn estimated(&self) -> impl Iterator<Item = usize> {
        self.tests.iter().filter_map(|test| match test {
            Test::Features(..) | Test::Texts(..) => None,
            Test::Kept { part, .. } => Some(*part).filter(|&part| self.kept[part] != Kept::Keys),
        })
    }

    /// The part whose values estimates ignore where their keys were dropped; None when nothing is ignored.
    pub fn ignores(&self) -> Option<usize> {
        let drops = self.over == Over::Drop && self.cap.is_some() && matches!(self.keys, Keys::Each(_));
        self.estimated().find(|&part| drops && self.kept[part] == Kept::Signature(0))
    }

    /// Whether sketches need a bitmap.
    pub fn has_bitmaps(&self) -> bool {
        self.tests.iter().any(|test| matches!(test, Test::Features(..)))
    }
}
