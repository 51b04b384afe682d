//! What a thread needs to sign a text and to compare it with others in full.

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

/// One thread's scratch.
pub struct TextComparer {
    pass: CompiledPass,
    pen: DocumentSigner,
    verifier: Verifier,
}

impl TextComparer {
    /// For the passes of an index.
    pub fn new(passes: &IndexPasses) -> Self {
        let pass = passes.main.clone();
        TextComparer { pen: DocumentSigner::new(passes), verifier: Verifier::new(&pass), pass }
    }

    /// Signs a text.
    pub fn sign(&mut self, text: &[u8]) -> SignedText {
        self.pen.sign(text)
    }

    /// Takes up a text, to be compared with others.
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
    /// What it shares with another document, when the two meet every test of the pass.
    pub fn meets(&mut self, other: &DocumentRow<'_>) -> Option<Overlap> {
        sure(self.verifier.meet(self.pass, self.sketch, other.sketch(), &TextPair { left: self.text, right: other.text }))
    }

    /// What it shares with another text, in features.
    pub fn overlap(&mut self, text: &[u8]) -> Overlap {
        sure(self.verifier.overlap(&TextPair { left: self.text, right: text }))
    }

    /// The number that decides about it and another document.
    pub fn value(&mut self, other: &DocumentRow<'_>) -> PairValue {
        sure(self.verifier.value(self.pass, self.sketch, other.sketch(), &TextPair { left: self.text, right: other.text }))
    }
}

/// What cannot fail.
fn sure<T>(done: Result<T, Infallible>) -> T {
    let Ok(done) = done;
    done
}
