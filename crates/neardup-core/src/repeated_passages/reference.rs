//! The reference of a search: documents that come before all others, whose text is not searched itself.

use crate::util::ids::DocId;

/// The documents of a reference. They have the largest numbers, but come first in the order of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageReference {
    /// The first document of the reference; the number of documents if there is no reference.
    pub first: DocId,
    /// Whether all originals are in the reference, so that repeats inside the input do not count.
    pub has_all_originals: bool,
}

impl PassageReference {
    /// No reference: places are in the order of the documents.
    pub const NONE: PassageReference = PassageReference { first: DocId(u32::MAX), has_all_originals: false };

    /// Whether a document belongs to the reference.
    pub fn includes(&self, document: DocId) -> bool {
        document >= self.first
    }

    /// Whether the first place of an N-gram may be in a document.
    pub fn may_hold_original(&self, document: DocId) -> bool {
        !self.has_all_originals || self.includes(document)
    }

    /// Returns the position of a document among all: those of the reference precede the others.
    pub fn order(&self, document: DocId) -> (bool, DocId) {
        (!self.includes(document), document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_comes_first() {
        let reference = PassageReference { first: DocId(2), has_all_originals: true };
        let mut documents = [0, 1, 2, 3].map(DocId);
        documents.sort_by_key(|&document| reference.order(document));
        assert_eq!(documents, [2, 3, 0, 1].map(DocId));
        assert_eq!(documents.map(|document| reference.may_hold_original(document)), [true, true, false, false]);
        assert!(!PassageReference::NONE.includes(DocId(7)) && PassageReference::NONE.may_hold_original(DocId(7)));
    }
}
