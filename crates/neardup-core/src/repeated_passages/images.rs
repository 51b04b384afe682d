//! Images: where the pieces that can go are at an earlier place.
//!
//! A piece can go when all its tokens lie in one passage; its *image* is the same run of tokens in the original of that passage.
//! Images stay, so that whatever goes is whole at an earlier place.

use super::passages::LaterPassage;
use crate::util::ids::DocId;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A run of tokens of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct TokenRun {
    /// The document.
    pub document: DocId,
    /// Its first token there.
    pub start: u32,
    /// How many tokens.
    pub tokens: u32,
}

impl TokenRun {
    /// One past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// The images of those `pieces` of `document` that can go, runs of them as one. `pieces` are ranges of tokens, in order, and
/// `passages` those of the document, in order.
///
/// Of several passages that hold a piece the one counts whose original is the earliest. An image in a piece of the same document
/// that can go itself is that piece's image: of a text that occurs many times in one document the first copy stays, and no other.
pub fn images(document: DocId, pieces: &[Range<usize>], passages: &[LaterPassage]) -> Vec<TokenRun> {
    let mut found: Vec<Option<TokenRun>> = Vec::with_capacity(pieces.len());
    let mut first = 0;
    for piece in pieces {
        let (start, end) = (piece.start as u32, piece.end as u32);
        // Of passages that begin in a row of places none ends before one that begins earlier.
        while passages.get(first).is_some_and(|passage| passage.end() < end) {
            first += 1;
        }
        let holding = passages[first..].iter().take_while(|passage| passage.start <= start && start < end);
        let image = |passage: &LaterPassage| TokenRun {
            document: passage.original,
            start: passage.original_start + (start - passage.start),
            tokens: end - start,
        };
        found.push(holding.map(image).min().map(|image| through(image, document, pieces, &found)));
    }
    let mut all: Vec<TokenRun> = Vec::new();
    for image in found.into_iter().flatten() {
        match all.last_mut() {
            Some(last) if last.document == image.document && last.start <= image.start && image.start <= last.end() => {
                last.tokens = last.tokens.max(image.end() - last.start);
            }
            _ => all.push(image),
        }
    }
    all
}

/// The image of an `image` in a piece that can go itself, else the image. Those of earlier pieces are `found`.
fn through(image: TokenRun, document: DocId, pieces: &[Range<usize>], found: &[Option<TokenRun>]) -> TokenRun {
    if image.document != document {
        return image;
    }
    let at = pieces[..found.len()].partition_point(|piece| piece.end <= image.start as usize);
    match (pieces[..found.len()].get(at), found.get(at).copied().flatten()) {
        (Some(piece), Some(own)) if piece.start <= image.start as usize && image.end() as usize <= piece.end => {
            TokenRun { start: own.start + (image.start - piece.start as u32), tokens: image.tokens, ..own }
        }
        _ => image,
    }
}
