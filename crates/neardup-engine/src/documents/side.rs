//! One side of a pair: a text, cut into tokens that know their places.

use crate::Result;
use crate::documents::signed::Signed;
use crate::documents::span::{Ruler, Span};
use neardup_core::pass::compiled::Pass;
use neardup_text::{Located, locate};
use std::ops::Range;

/// The text of a document and its tokens under a pass.
pub struct Side {
    document: u32,
    pass: u32,
    /// The text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<Located>,
    ruler: Ruler,
}

impl Side {
    /// The side of a document; one that was read just before is taken from `last`, where it stays.
    pub fn of<'l>(signed: &Signed, passes: &[Pass], document: u32, pass: u32, last: &'l mut Option<Side>) -> Result<&'l Side> {
        match last.take().filter(|side| (side.document, side.pass) == (document, pass)) {
            Some(side) => Ok(last.insert(side)),
            None => {
                let text = signed.read(document)?;
                let Pass { unit, seed, .. } = passes[pass as usize];
                let (tokens, ruler) = (locate(unit, seed, &text), Ruler::new(&text));
                Ok(last.insert(Side { document, pass, text, tokens, ruler }))
            }
        }
    }

    /// The span of some bytes.
    pub fn span(&self, bytes: &Range<usize>) -> Span {
        self.ruler.span(&self.text, bytes)
    }
}
