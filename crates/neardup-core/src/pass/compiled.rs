//! A compiled pass of a scheme: every stage ready to run.

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
use neardup_text::{Text, TokenRules, Unit};
use std::sync::Arc;

/// A part of a sketch, stored beside the bitmap for tests that need no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SketchContent {
    /// The signature with this number.
    Signature(usize),
    /// The signature with this number, made from the single tokens of a unit and not from the features of the pass.
    Of(Unit, usize),
    /// The keys of the kind with this number, in full width, ascending.
    Keys(usize),
    /// Bits behind the first 32 of the keys of the kind with this number ([`Keys::append_further`]).
    Further(usize),
    /// Number of distinct features.
    Size,
}

/// The stages of one pass.
#[derive(Clone, Debug)]
pub struct CompiledPass {
    /// Rules of the tokens.
    pub rules: TokenRules,
    /// Features.
    pub features: Features,
    /// The weights of features, for signatures and measures that use them.
    pub weigher: Weigher,
    /// Signatures; keys are cut from the first one.
    pub signatures: Vec<Signature>,
    /// Kinds of keys, at least one. A pair that any of them proposes is compared.
    pub kinds: Vec<KeyKind>,
    /// The conditions, all of which a pair must meet.
    pub tests: Vec<CompiledTest>,
    /// The parts of a sketch, by number.
    pub kept: Vec<SketchContent>,
    /// Seed of every hash of a token.
    pub seed: u64,
}

impl CompiledPass {
    /// Returns the same tokens, features and signatures, for documents that are stored for later queries. It has no
    /// tests, and a sketch contains the first signature and the number of features.
    pub fn to_keep(self) -> CompiledPass {
        CompiledPass { tests: Vec::new(), kept: vec![SketchContent::Signature(0), SketchContent::Size], ..self }
    }

    /// Whether a text with this number of tokens matches nothing, not even its copy: white space, or no token if values
    /// are given.
    pub fn is_blank(&self, text: Text<'_>, tokens: usize) -> bool {
        text.is_blank() || self.rules.unit == Unit::Given && tokens == 0
    }

    /// Whether a pair meets every condition on feature sets.
    pub fn holds(&self, overlap: Overlap) -> bool {
        self.tests.iter().all(|test| match test {
            CompiledTest::Features(measure, bound) => measure.holds(overlap, bound),
            CompiledTest::Equal { .. } | CompiledTest::Kept { .. } | CompiledTest::Texts(..) => true,
        })
    }

    /// Returns false only if the sketches prove that a condition fails. Conditions on the parts of sketches are decided here.
    #[inline]
    pub fn possible(&self, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        self.tests.iter().all(|test| self.may_meet(test, left, right))
    }

    /// Returns the same for one condition.
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

    /// Returns false only if the headers of the sketches prove that a condition fails.
    #[inline]
    pub fn plausible(&self, left: &SketchHeader, right: &SketchHeader) -> bool {
        self.tests.iter().all(|test| match test {
            CompiledTest::Features(measure, bound) => measure.possible(left.sketch(), right.sketch(), bound),
            CompiledTest::Equal { .. } | CompiledTest::Kept { .. } | CompiledTest::Texts(..) => true,
        })
    }

    /// Whether two documents share enough keys of one kind; `first` is the part with the keys of the first kind.
    fn equal(&self, first: usize, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        let shared = |part| shared::count(SketchPart::nth(left.parts, part).values, SketchPart::nth(right.parts, part).values);
        (first..).zip(&self.kinds).any(|(part, kind)| shared(part) >= kind.keys.least())
    }

    /// Returns the parts on which estimates are based.
    pub fn estimated(&self) -> impl Iterator<Item = usize> {
        self.tests.iter().filter_map(|test| match test {
            CompiledTest::Equal { .. } | CompiledTest::Features(..) | CompiledTest::Texts(..) => None,
            CompiledTest::Kept { part, .. } => Some(*part),
        })
    }

    /// Returns the kind of keys to which a table belongs; tables are numbered through all kinds.
    pub fn kind_of(&self, table: usize) -> Option<&KeyKind> {
        let mut kinds = self.kinds.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.keys.tables()));
        kinds.nth(table)
    }

    /// Returns the part in which estimates ignore the values of dropped keys; `None` if they ignore nothing.
    pub fn ignores(&self) -> Option<usize> {
        let drops = self.kinds.iter().any(KeyKind::drops_values);
        self.estimated().find(|&part| drops && self.kept[part] == SketchContent::Signature(0))
    }

    /// Returns the kinds of keys that are cut after all documents are known, with their numbers.
    pub fn late(&self) -> Vec<(usize, Rarest)> {
        let late = |(number, kind): (usize, &KeyKind)| match &kind.keys {
            Keys::Rarest(rarest) => Some((number, rarest.clone())),
            _ => None,
        };
        self.kinds.iter().enumerate().filter_map(late).collect()
    }

    /// Whether the first signature is used when a document is signed.
    pub fn needs_signature(&self) -> bool {
        !self.kept.is_empty() || self.kinds.iter().any(|kind| kind.keys.are_signed())
    }

    /// Returns the lexicons in which it looks up features.
    pub fn lexicons(&self) -> impl Iterator<Item = &Arc<Lexicon>> {
        self.weigher.lexicon().into_iter().chain(self.features.frame())
    }

    /// Whether sketches need a bitmap.
    pub fn has_bitmaps(&self) -> bool {
        self.tests.iter().any(|test| matches!(test, CompiledTest::Features(..)))
    }
}
