//! One side of a pair: a text, and its tokens with their places.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use crate::documents::span::{CodePointIndex, OriginalSpan};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::ids::DocId;
use neardup_text::{Located, locate};
use std::ops::Range;

/// The text of a document and its tokens under a pass.
pub struct PairSide {
    document: DocId,
    pass: u32,
    /// The text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<Located>,
    ruler: CodePointIndex,
}

impl PairSide {
    /// Returns the side of a document, from `last` if that is the same side. It stays in `last` for the next pair.
    pub fn of<'l>(
        signed: &SignedCorpus,
        passes: &[CompiledPass],
        document: DocId,
        pass: u32,
        last: &'l mut Option<PairSide>,
    ) -> Result<&'l PairSide> {
        match last.take().filter(|side| (side.document, side.pass) == (document, pass)) {
            Some(side) => Ok(last.insert(side)),
            None => {
                let text = signed.read(document)?;
                let CompiledPass { rules, seed, .. } = passes[pass as usize];
                let (tokens, ruler) = (locate(rules, seed, &text), CodePointIndex::new(&text));
                Ok(last.insert(PairSide { document, pass, text, tokens, ruler }))
            }
        }
    }

    /// Returns the span of some bytes of the text.
    pub fn span(&self, bytes: &Range<usize>) -> OriginalSpan {
        self.ruler.span(&self.text, bytes)
    }
}
