//! One pass of a scheme, compiled: every stage ready to run.

use crate::estimates::shared;
use crate::features::Features;
use crate::keys::{KeyKind, Keys, Rarest};
use crate::measures::Overlap;
use crate::pass::test::CompiledTest;
use crate::sets::parts::SketchPart;
use crate::sets::sketch::{Sketch, SketchHeader};
use crate::signatures::Signature;
use crate::terms::lexicon::Lexicon;
use crate::terms::weigher::Weigher;
use neardup_text::{Text, Unit};
use std::sync::Arc;

/// What sketches keep of a document beside its bitmap, for tests that need no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SketchContent {
    /// The signature of this number.
    Signature(usize),
    /// The signature of this number, which is made from the single tokens of a unit and not from the features of the pass.
    Of(Unit, usize),
    /// The keys of the kind of this number in full width, ascending.
    Keys(usize),
    /// How many distinct features there are.
    Size,
}

/// The stages of one pass.
#[derive(Clone, Debug)]
pub struct CompiledPass {
    /// Tokens.
    pub unit: Unit,
    /// Features.
    pub features: Features,
    /// What a feature weighs, for signatures and measures that ask.
    pub weigher: Weigher,
    /// Signatures; keys are cut from the first.
    pub signatures: Vec<Signature>,
    /// Kinds of keys, at least one; what any proposes is compared.
    pub kinds: Vec<KeyKind>,
    /// The conditions a pair must meet, all of them.
    pub tests: Vec<CompiledTest>,
    /// The parts of a sketch, by number.
    pub kept: Vec<SketchContent>,
    /// Seed of every hash of a token.
    pub seed: u64,
}

impl CompiledPass {
    /// The same tokens, features and signatures, to be kept for later queries: nothing is tested, and sketches are the
    /// first signature and the number of features.
    pub fn to_keep(self) -> CompiledPass {
        CompiledPass { tests: Vec::new(), kept: vec![SketchContent::Signature(0), SketchContent::Size], ..self }
    }

    /// Whether a text of this many tokens matches nothing, not even its equal: white space, and where values are given, none.
    pub fn is_blank(&self, text: Text<'_>, tokens: usize) -> bool {
        text.is_blank() || self.unit == Unit::Given && tokens == 0
    }

    /// Whether a pair, by its feature sets, meets every condition on these.
    pub fn holds(&self, overlap: Overlap) -> bool {
        self.tests.iter().all(|test| match test {
            CompiledTest::Features(measure, bound) => measure.holds(overlap, bound),
            CompiledTest::Equal { .. } | CompiledTest::Kept { .. } | CompiledTest::Texts(..) => true,
        })
    }

    /// False only when the sketches prove that a condition fails. Conditions on what sketches keep are decided here.
    #[inline]
    pub fn possible(&self, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        self.tests.iter().all(|test| self.may_meet(test, left, right))
    }

    /// The same for one condition.
    #[inline]
    pub fn may_meet(&self, test: &CompiledTest, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        match test {
            CompiledTest::Features(measure, bound) => measure.possible(left, right, bound),
            CompiledTest::Texts(..) => true,
            CompiledTest::Equal { part } => self.equal(*part, left, right),
            CompiledTest::Kept { part, estimate, bound } => {
                let (count, whole) = estimate.fraction(SketchPart::nth(left.parts, *part), SketchPart::nth(right.parts, *part));
                bound.admits(count, whole)
            }
        }
    }

    /// False only when sketches in brief prove that a condition fails.
    #[inline]
    pub fn plausible(&self, left: &SketchHeader, right: &SketchHeader) -> bool {
        self.tests.iter().all(|test| match test {
            CompiledTest::Features(measure, bound) => measure.possible(left.sketch(), right.sketch(), bound),
            CompiledTest::Equal { .. } | CompiledTest::Kept { .. } | CompiledTest::Texts(..) => true,
        })
    }

    /// Whether two documents share enough keys of one kind; `first` is the part with those of the first.
    fn equal(&self, first: usize, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        let shared = |part| shared::count(SketchPart::nth(left.parts, part).values, SketchPart::nth(right.parts, part).values);
        (first..).zip(&self.kinds).any(|(part, kind)| shared(part) >= kind.keys.least())
    }

    /// The parts that tests estimate by, whatever it is they estimate.
    pub fn estimated(&self) -> impl Iterator<Item = usize> {
        self.tests.iter().filter_map(|test| match test {
            CompiledTest::Equal { .. } | CompiledTest::Features(..) | CompiledTest::Texts(..) => None,
            CompiledTest::Kept { part, .. } => Some(*part),
        })
    }

    /// The kind of keys that a table belongs to; tables are numbered through all kinds.
    pub fn kind_of(&self, table: usize) -> Option<&KeyKind> {
        let mut kinds = self.kinds.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.keys.tables()));
        kinds.nth(table)
    }

    /// The part whose values estimates ignore where their keys were dropped; None when nothing is ignored.
    pub fn ignores(&self) -> Option<usize> {
        let drops = self.kinds.iter().any(KeyKind::drops_values);
        self.estimated().find(|&part| drops && self.kept[part] == SketchContent::Signature(0))
    }

    /// The kinds of keys that are cut when all documents are known, by number.
    pub fn late(&self) -> Vec<(usize, Rarest)> {
        let late = |(number, kind): (usize, &KeyKind)| match &kind.keys {
            Keys::Rarest(rarest) => Some((number, rarest.clone())),
            _ => None,
        };
        self.kinds.iter().enumerate().filter_map(late).collect()
    }

    /// Whether anything is made of the first signature, as a document is signed.
    pub fn needs_signature(&self) -> bool {
        !self.kept.is_empty() || self.kinds.iter().any(|kind| kind.keys.are_signed())
    }

    /// The lexicons that it looks features up in.
    pub fn lexicons(&self) -> impl Iterator<Item = &Arc<Lexicon>> {
        self.weigher.lexicon().into_iter().chain(self.features.frame())
    }

    /// Whether sketches need a bitmap.
    pub fn has_bitmaps(&self) -> bool {
        self.tests.iter().any(|test| matches!(test, CompiledTest::Features(..)))
    }
}
