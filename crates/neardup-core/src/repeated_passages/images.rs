//! Images: the earlier places of the pieces that can be removed.
//!
//! A piece can be removed if all its tokens are in one passage. Its *image* is the same run of tokens in the original
//! of that passage. Images are kept, so that every removed piece occurs whole at an earlier place.

use super::passages::LaterPassage;
use super::reference::PassageReference;
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
    /// Index of its first token in the document.
    pub start: u32,
    /// Number of tokens.
    pub tokens: u32,
}

impl TokenRun {
    /// Returns the index after its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// Returns the images of the `pieces` of `document` that can be removed; adjacent images are joined. `pieces` are
/// ranges of tokens, and `passages` are those of the document, both in order.
///
/// If several passages contain a piece, the one with the earliest original counts. If an image is in another piece of
/// the same document that can be removed, the image of that piece replaces it. So of a text that occurs many times in
/// one document, only the first copy is kept. Images in the `reference` are left out, because nothing is removed there.
pub fn images(document: DocId, pieces: &[Range<usize>], passages: &[LaterPassage], reference: PassageReference) -> Vec<TokenRun> {
    if reference.includes(document) {
        return Vec::new();
    }
    let mut found: Vec<Option<TokenRun>> = Vec::with_capacity(pieces.len());
    let mut first = 0;
    for piece in pieces {
        let (start, end) = (piece.start as u32, piece.end as u32);
        // Passages in the order of their starts are also in the order of their ends.
        while passages.get(first).is_some_and(|passage| passage.end() < end) {
            first += 1;
        }
        let holding = passages[first..].iter().take_while(|passage| passage.start <= start && start < end);
        let image = |passage: &LaterPassage| TokenRun {
            document: passage.original,
            start: passage.original_start + (start - passage.start),
            tokens: end - start,
        };
        let first = holding.map(image).min_by_key(|&image| (reference.order(image.document), image));
        found.push(first.map(|image| through(image, document, pieces, &found)));
    }
    let mut all: Vec<TokenRun> = Vec::new();
    for image in found.into_iter().flatten().filter(|image| !reference.includes(image.document)) {
        match all.last_mut() {
            Some(last) if last.document == image.document && last.start <= image.start && image.start <= last.end() => {
                last.tokens = last.tokens.max(image.end() - last.start);
            }
            _ => all.push(image),
        }
    }
    all
}

/// Returns the place of `image` in the image of the removable piece that contains it, or `image` if there is none.
/// `found` contains the images of the earlier pieces.
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
