//! The state that a thread needs to sign texts and to compare them in full.

use crate::decide::document_signer::DocumentSigner;
use crate::decide::passes::IndexPasses;
use crate::documents::row::DocumentRow;
use crate::documents::signed::SignedText;
use neardup_core::decide::value::PairValue;
use neardup_core::decide::verify::{TextPair, Verifier};
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::sketch::Sketch;
use std::convert::Infallible;

/// The signer and verifier of one thread.
pub struct TextComparer {
    pass: CompiledPass,
    signer: DocumentSigner,
    verifier: Verifier,
}

impl TextComparer {
    /// Creates a comparer for the passes of an index.
    pub fn new(passes: &IndexPasses) -> Self {
        let pass = passes.main.clone();
        TextComparer { signer: DocumentSigner::new(passes), verifier: Verifier::new(&pass), pass }
    }

    /// Signs a text.
    pub fn sign(&mut self, text: &[u8]) -> SignedText {
        self.signer.sign(text)
    }

    /// Prepares a text to be compared with others.
    pub fn take<'a>(&'a mut self, text: &'a [u8], sketch: Sketch<'a>) -> ComparedText<'a> {
        self.verifier.forget_left();
        ComparedText { pass: &self.pass, verifier: &mut self.verifier, text, sketch }
    }
}

/// A text that is compared with others.
pub struct ComparedText<'a> {
    pass: &'a CompiledPass,
    verifier: &'a mut Verifier,
    text: &'a [u8],
    sketch: Sketch<'a>,
}

impl ComparedText<'_> {
    /// Returns the features shared with another document if the two meet every test of the pass.
    pub fn meets(&mut self, other: &DocumentRow<'_>) -> Option<Overlap> {
        sure(self.verifier.meet(self.pass, self.sketch, other.sketch(), &TextPair { left: self.text, right: other.text }))
    }

    /// Returns the features shared with another text.
    pub fn overlap(&mut self, text: &[u8]) -> Overlap {
        sure(self.verifier.overlap(&TextPair { left: self.text, right: text }))
    }

    /// Returns the number that decides about this text and another document.
    pub fn value(&mut self, other: &DocumentRow<'_>) -> PairValue {
        sure(self.verifier.value(self.pass, self.sketch, other.sketch(), &TextPair { left: self.text, right: other.text }))
    }
}

/// Returns the value of an operation that cannot fail.
fn sure<T>(done: Result<T, Infallible>) -> T {
    let Ok(done) = done;
    done
}
