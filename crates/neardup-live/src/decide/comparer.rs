//! The bench: what a thread needs to sign a text and compare it with others in full.

use crate::decide::document_signer::DocumentSigner;
use crate::decide::passes::Passes;
use crate::documents::row::Row;
use crate::documents::signed::Signed;
use neardup_core::decide::text_tests::TextTests;
use neardup_core::decide::value::Value;
use neardup_core::measures::{Content, Overlap};
use neardup_core::pass::compiled::Pass;
use neardup_core::sets::set::Set;
use neardup_core::sets::sketch::Sketch;
use neardup_text::Text;
use std::convert::Infallible;

/// One thread's scratch.
pub struct TextComparer {
    pass: Pass,
    pen: DocumentSigner,
    judge: TextTests,
    left: Set,
    right: Set,
}

impl TextComparer {
    /// A bench for the passes of an index.
    pub fn new(passes: &Passes) -> Self {
        let pass = passes.main.clone();
        TextComparer { pen: DocumentSigner::new(passes), judge: TextTests::new(&pass), left: Set::default(), right: Set::default(), pass }
    }

    /// Signs a text.
    pub fn sign(&mut self, text: &[u8]) -> Signed {
        self.pen.sign(text)
    }

    /// Takes up a text, to be compared with others.
    pub fn take<'a>(&'a mut self, text: &'a [u8], sketch: Sketch<'a>) -> Subject<'a> {
        Subject { bench: self, text, sketch, is_made: false, contents: None }
    }
}

/// A text that is compared with others.
pub struct Subject<'a> {
    bench: &'a mut TextComparer,
    text: &'a [u8],
    sketch: Sketch<'a>,
    /// Whether the bench's left set is that of the text.
    is_made: bool,
    contents: Option<Vec<Content>>,
}

impl Subject<'_> {
    /// What it shares with another document, when the two meet every test of the pass.
    pub fn meets(&mut self, other: &Row<'_>) -> Option<Overlap> {
        if !self.bench.pass.possible(self.sketch, other.sketch()) {
            return None;
        }
        let overlap = self.overlap(other.text);
        (self.bench.pass.holds(overlap) && self.judge(other.text)).then_some(overlap)
    }

    /// What it shares with another text, in features.
    pub fn overlap(&mut self, text: &[u8]) -> Overlap {
        let TextComparer { pen, left, right, .. } = &mut *self.bench;
        if !self.is_made {
            pen.signer().set(Text::Plain(self.text), left);
            self.is_made = true;
        }
        pen.signer().set(Text::Plain(text), right);
        left.overlap(right.features())
    }

    /// The number that decides about it and another document.
    pub fn value(&mut self, other: &Row<'_>) -> Value {
        let (TextComparer { pass, judge, .. }, own) = (&mut *self.bench, self.text);
        let measured = || {
            let contents = self.contents.get_or_insert_with(|| judge.read(Text::Plain(own)));
            let others = judge.read(Text::Plain(other.text));
            Ok::<_, Infallible>(judge.value(contents, &others))
        };
        let Ok(value) = pass.value(self.sketch, other.sketch(), measured);
        value
    }

    /// Whether the texts meet every test on whole texts.
    fn judge(&mut self, text: &[u8]) -> bool {
        let judge = &mut self.bench.judge;
        if judge.is_idle() {
            return true;
        }
        let own = self.text;
        let contents = self.contents.get_or_insert_with(|| judge.read(Text::Plain(own)));
        let others = judge.read(Text::Plain(text));
        judge.holds(contents, &others)
    }
}
