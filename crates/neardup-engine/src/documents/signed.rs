//! A signed corpus: all data on its documents except their texts, and access to those.

use crate::Result;
use crate::documents::catalogue::Catalogue;
use crate::documents::groups::DocumentGroups;
use neardup_core::candidates::scope::PairScope;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme::PUBLIC_SEED;
use neardup_core::sets::set::Set;
use neardup_core::signing::segments::Segments;
use neardup_core::signing::signer::Signer;
use neardup_core::util::ids::DocId;
use neardup_corpus::{PassedOver, Reject, ResponsePlace, Source, SourceSpan, TextPlace};
use neardup_text::{Text, TokenRules, Tokeniser, fingerprint};
use rayon::prelude::*;

/// Number of texts whose places are looked up together.
const BLOCK: usize = 1 << 16;
/// Minimum number of texts that a thread reads with one scratch buffer.
const GRAIN: usize = 64;

/// The documents of a run: the input's first, then the reference's.
pub struct SignedCorpus {
    /// Results of signing, by pass. A document that an earlier pass dropped is signed as a blank text.
    pub segments: Vec<Segments>,
    /// Source, place and id of every document.
    pub catalogue: Catalogue,
    /// Number of the first document of the reference; the number of documents if there is no reference.
    pub reference: u32,
    /// Records that could not be used: the input's first, then the reference's.
    pub rejects: Vec<Reject>,
    /// Index of the first reject of the reference; the number of rejects if there is none.
    pub reference_rejects: usize,
    /// Number of sources of the input; those of the reference follow.
    pub inputs: u32,
    /// Records that are passed over, by source.
    pub passed_over: Vec<(u32, PassedOver)>,
    /// Texts that could not be read to their end, by source.
    pub flaws: Vec<(u32, PassedOver)>,
    /// Groups of the documents, if a field for them was named.
    pub groups: Option<DocumentGroups>,
    /// The pairs that count; `None` if all do.
    pub scope: Option<PairScope>,
    /// Source and row of each revisit, and the place of its response.
    pub revisits: Vec<(u32, u64, ResponsePlace)>,
    /// Number of rows of all sources, blank ones and those that cannot be used included.
    pub read_rows: u64,
    /// Access to the texts of each reading.
    pub readings: Vec<neardup_corpus::CorpusTexts>,
    /// Documents whose id was already taken, ascending: they are rejects, and in no result.
    pub set_aside: Vec<DocId>,
}

/// The texts of candidates. Their places are looked up once, for all of them.
pub struct CandidateTexts<'a> {
    signed: &'a SignedCorpus,
    places: Vec<(u32, TextPlace)>,
}

impl<'a> CandidateTexts<'a> {
    /// Returns the texts of `documents`, which are the candidates in order.
    pub fn new(signed: &'a SignedCorpus, documents: &[DocId]) -> Result<Self> {
        Ok(CandidateTexts { signed, places: signed.catalogue.places(documents)? })
    }
}

impl TextAccess for CandidateTexts<'_> {
    fn text<'b>(&'b self, candidate: u32, buffer: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        self.signed.fetch(self.places[candidate as usize], buffer).map_err(|error| neardup_core::Error::Text(Box::new(error)))
    }
}

impl SignedCorpus {
    /// Returns a corpus of which only the catalogue is known.
    pub fn of_catalogue(catalogue: Catalogue) -> Self {
        SignedCorpus {
            segments: Vec::new(),
            reference: catalogue.len() as u32,
            catalogue,
            rejects: Vec::new(),
            reference_rejects: 0,
            inputs: 0,
            passed_over: Vec::new(),
            flaws: Vec::new(),
            groups: None,
            scope: None,
            revisits: Vec::new(),
            read_rows: 0,
            readings: Vec::new(),
            set_aside: Vec::new(),
        }
    }

    /// Returns the records of the input that could not be used.
    pub fn input_rejects(&self) -> &[Reject] {
        &self.rejects[..self.reference_rejects]
    }

    /// Returns the places of the rejected records of a source of the input. A file of the reference may have the same name, so its
    /// rejects do not count.
    pub fn rejected_spans<'s>(&'s self, source: &'s Source) -> impl Iterator<Item = SourceSpan> + use<'s> {
        self.input_rejects().iter().filter(|reject| reject.source == source.name).filter_map(SourceSpan::of_reject)
    }

    /// Returns the number of documents, including the reference.
    pub fn len(&self) -> usize {
        self.catalogue.len()
    }

    /// Whether a document is in no result because its id was already taken.
    pub fn is_set_aside(&self, document: DocId) -> bool {
        !self.set_aside.is_empty() && self.set_aside.binary_search(&document).is_ok()
    }

    /// Whether a document is compared with nothing.
    pub fn is_alone(&self, document: DocId) -> bool {
        self.is_set_aside(document) || self.scope.as_ref().is_some_and(|scope| scope.is_alone(document))
    }

    /// Returns the pairs that count if some pairs of documents that are compared do not.
    pub fn partial_scope(&self) -> Option<&PairScope> {
        self.scope.as_ref().filter(|scope| !scope.is_whole())
    }

    /// Whether a pair of documents counts.
    pub fn counts(&self, left: DocId, right: DocId) -> bool {
        self.partial_scope().is_none_or(|scope| scope.counts(left, right))
    }

    /// Whether results list a document.
    pub fn is_listed(&self, document: DocId) -> bool {
        !self.is_reference(document) && !self.is_set_aside(document)
    }

    /// Returns the documents that results list.
    pub fn listed(&self) -> Vec<DocId> {
        DocId::first(self.reference as usize).filter(|&document| !self.is_set_aside(document)).collect()
    }

    /// Whether a document belongs to the reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.0 >= self.reference
    }

    fn fetch<'b>(&'b self, (reading, place): (u32, TextPlace), buffer: &'b mut Vec<u8>) -> Result<Text<'b>> {
        Ok(self.readings[reading as usize].fetch(place, buffer)?)
    }

    /// Returns the decoded text of a document.
    pub fn read(&self, document: DocId) -> Result<String> {
        let mut buffer = Vec::new();
        Ok(self.fetch(self.catalogue.place(document)?, &mut buffer)?.decode().into_owned())
    }

    /// Returns the number of distinct features of every one of `documents`.
    pub fn sizes(&self, pass: &CompiledPass, documents: &[DocId]) -> Result<Vec<u32>> {
        let fresh = || (Signer::new(pass), Set::default());
        self.each_text(documents, fresh, |(signer, set), text| {
            signer.set(text, set);
            set.features().len() as u32
        })
    }

    /// Returns the digest of the decoded text of every one of `documents`.
    pub fn digests(&self, documents: &[DocId]) -> Result<Vec<u128>> {
        self.each_text(documents, || (), |(), text| text.decoded_digest())
    }

    /// Returns the digest of the token sequence, by these rules, of every one of `documents`.
    pub fn sequences(&self, rules: TokenRules, documents: &[DocId]) -> Result<Vec<u128>> {
        let fresh = || Tokeniser::new(rules, PUBLIC_SEED);
        self.each_text(documents, fresh, |tokeniser, text| fingerprint::sequence(tokeniser.tokens(text), PUBLIC_SEED))
    }

    /// Calls `work` with the text of every one of `documents`. Each thread has its own scratch.
    fn each_text<S, R: Send>(
        &self,
        documents: &[DocId],
        fresh: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, Text<'_>) -> R + Sync + Send,
    ) -> Result<Vec<R>> {
        let on_place = |(scratch, buffer): &mut (S, Vec<u8>), place: &(u32, TextPlace)| Ok(work(scratch, self.fetch(*place, buffer)?));
        let mut results = Vec::with_capacity(documents.len());
        for some in documents.chunks(BLOCK) {
            let places = self.catalogue.places(some)?;
            let here = places.par_iter().with_min_len(GRAIN).map_init(|| (fresh(), Vec::new()), on_place);
            results.append(&mut here.collect::<Result<_>>()?);
        }
        Ok(results)
    }
}
