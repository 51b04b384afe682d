//! Verifies pairs. It counts the shared features on the feature sets, which are extracted from the texts, and then applies
//! the text tests. Runs and indexes decide this way.

use crate::decide::text_tests::TextTests;
use crate::decide::value::PairValue;
use crate::measures::{MeasuredContent, Overlap};
use crate::pass::compiled::CompiledPass;
use crate::sets::set::Set;
use crate::sets::sketch::Sketch;
use crate::signing::signer::Signer;
use neardup_text::Text;
use std::convert::Infallible;

/// Two documents. The left one is compared with several others in turn.
pub trait ComparedPair {
    /// Reason why a text cannot be read.
    type Error;

    /// Returns the text of the left document. It may be read into `buffer`.
    fn left_text<'b>(&'b self, buffer: &'b mut Vec<u8>) -> Result<Text<'b>, Self::Error>;

    /// Returns the text of the right document. It may be read into `buffer`.
    fn right_text<'b>(&'b self, buffer: &'b mut Vec<u8>) -> Result<Text<'b>, Self::Error>;

    /// Returns the distinct features of the left document, if they are cached.
    fn left_features(&self) -> Option<&[u64]> {
        None
    }

    /// Returns the distinct features of the right document, if they are cached.
    fn right_features(&self) -> Option<&[u64]> {
        None
    }
}

/// Two texts in memory.
#[derive(Clone, Copy, Debug)]
pub struct TextPair<'a> {
    /// Left text, in UTF-8.
    pub left: &'a [u8],
    /// Right text, in UTF-8.
    pub right: &'a [u8],
}

impl ComparedPair for TextPair<'_> {
    type Error = Infallible;

    fn left_text<'b>(&'b self, _: &'b mut Vec<u8>) -> Result<Text<'b>, Infallible> {
        Ok(Text::Plain(self.left))
    }

    fn right_text<'b>(&'b self, _: &'b mut Vec<u8>) -> Result<Text<'b>, Infallible> {
        Ok(Text::Plain(self.right))
    }
}

/// One thread's scratch. The data of the left document is kept from pair to pair, until [`Verifier::forget_left`].
pub struct Verifier {
    signer: Signer,
    tests: TextTests,
    buffer: Vec<u8>,
    left: Set,
    has_left: bool,
    right: Set,
    /// The content of the left document that the text tests compare.
    left_contents: Option<Vec<MeasuredContent>>,
}

impl Verifier {
    /// Creates a verifier for the pairs of a pass.
    pub fn new(pass: &CompiledPass) -> Self {
        Verifier {
            signer: Signer::new(pass),
            tests: TextTests::new(pass),
            buffer: Vec::new(),
            left: Set::default(),
            has_left: false,
            right: Set::default(),
            left_contents: None,
        }
    }

    /// Forgets the left document; the next pairs have another one.
    pub fn forget_left(&mut self) {
        self.has_left = false;
        self.left_contents = None;
    }

    /// Returns the overlap of a pair if it meets every condition. Its sketches are tested first.
    pub fn meet<P: ComparedPair>(
        &mut self,
        pass: &CompiledPass,
        left: Sketch<'_>,
        right: Sketch<'_>,
        pair: &P,
    ) -> Result<Option<Overlap>, P::Error> {
        if !pass.possible(left, right) {
            return Ok(None);
        }
        let (overlap, holds) = self.verify(pass, pair)?;
        Ok(holds.then_some(overlap))
    }

    /// Returns the overlap of a pair, and whether it meets every condition. The sketches must have been tested before.
    pub fn verify<P: ComparedPair>(&mut self, pass: &CompiledPass, pair: &P) -> Result<(Overlap, bool), P::Error> {
        let overlap = self.overlap(pair)?;
        Ok((overlap, pass.holds(overlap) && self.meets_text_tests(pair)?))
    }

    /// Returns the overlap of a pair, in features.
    pub fn overlap<P: ComparedPair>(&mut self, pair: &P) -> Result<Overlap, P::Error> {
        if !self.has_left {
            match pair.left_features() {
                Some(features) => self.left.make(|room| room.extend_from_slice(features)),
                None => self.signer.set(pair.left_text(&mut self.buffer)?, &mut self.left),
            }
            self.has_left = true;
        }
        self.make_right(pair)?;
        Ok(self.left.overlap(pair.right_features().unwrap_or(self.right.features())))
    }

    /// Extracts the set of the right document, unless it is cached.
    pub fn make_right<P: ComparedPair>(&mut self, pair: &P) -> Result<(), P::Error> {
        if pair.right_features().is_none() {
            self.signer.set(pair.right_text(&mut self.buffer)?, &mut self.right);
        }
        Ok(())
    }

    /// Returns the value by which a pair was decided, see [`CompiledPass::value`].
    pub fn value<P: ComparedPair>(
        &mut self,
        pass: &CompiledPass,
        left: Sketch<'_>,
        right: Sketch<'_>,
        pair: &P,
    ) -> Result<PairValue, P::Error> {
        pass.value(left, right, || {
            let right = self.read(pair)?;
            Ok(self.left_contents.as_ref().and_then(|left| self.tests.value(left, &right)))
        })
    }

    fn meets_text_tests<P: ComparedPair>(&mut self, pair: &P) -> Result<bool, P::Error> {
        if self.tests.is_idle() {
            return Ok(true);
        }
        let right = self.read(pair)?;
        Ok(self.left_contents.as_ref().is_some_and(|left| self.tests.holds(left, &right)))
    }

    /// Returns the content of the right document that the text tests compare. The content of the left one is kept.
    fn read<P: ComparedPair>(&mut self, pair: &P) -> Result<Vec<MeasuredContent>, P::Error> {
        if self.left_contents.is_none() {
            self.left_contents = Some(self.tests.read(pair.left_text(&mut self.buffer)?));
        }
        Ok(self.tests.read(pair.right_text(&mut self.buffer)?))
    }

    /// Returns the distinct features of the left document, if they were extracted.
    pub fn left(&self) -> Option<&[u64]> {
        self.has_left.then(|| self.left.features())
    }

    /// Returns the distinct features of the last right document that was extracted.
    pub fn right(&self) -> &[u64] {
        self.right.features()
    }
}
