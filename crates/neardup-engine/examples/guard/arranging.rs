//! The cases `arrange` and `lead`: documents that share keys are candidates, and those that resemble an earlier one are dropped.

use crate::texts::{ENGLISH, Maker};
use crate::{Digest, Done, SCHEME, measured};
use neardup_core::candidates::arrange::{Arranged, arrange as arrange_keys};
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::leaders::{ReferenceLeaders, lead as lead_candidates};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::segments::Segments;
use neardup_core::signing::signer::Signer;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::Store;
use neardup_text::Text;
use std::sync::Arc;

/// Number of documents, and approximate words in each.
const ARRANGED: (usize, usize) = (20_000, 40);
const LED: (usize, usize) = (4_000, 150);
/// Documents that are signed together.
const CHUNK: usize = 1000;
/// Memory budget in bytes: more than is needed.
const MEMORY: usize = 1 << 30;

/// A signed corpus.
struct Corpus {
    texts: Vec<String>,
    pass: CompiledPass,
    segments: Segments,
}

impl Corpus {
    fn new((count, length): (usize, usize)) -> Done<Self> {
        let texts = Maker::new(&ENGLISH).documents(count, length);
        let pass = compile(&SCHEME.parse()?)?;
        let store = Arc::new(Store::new(tempfile::tempfile_in(".")?, 0));
        let (mut signer, mut draft, mut segments) = (Signer::new(&pass), ChunkBuilder::default(), Vec::new());
        for texts in texts.chunks(CHUNK) {
            texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
            segments.push(draft.seal(&store)?);
            draft.clear();
        }
        Ok(Corpus { texts, pass, segments: Segments::new(store, segments) })
    }

    fn arrange(&self) -> Done<(Copies, Arranged)> {
        let copies = Copies::find(&self.segments, &|_| true, &|document| Rank(document.0), MEMORY)?;
        let arranged = arrange_keys(&self.segments, &self.pass, &|document| !copies.is_copy(document), MEMORY)?;
        Ok((copies, arranged))
    }
}

pub fn arrange() -> Done<u64> {
    let corpus = Corpus::new(ARRANGED)?;
    let (copies, arranged) = measured(&mut || corpus.arrange())?;
    let mut digest = Digest::default();
    copies.pairs.iter().for_each(|&(first, copy)| [first, copy].into_iter().for_each(|document| digest.add(document.0)));
    let buckets = Buckets::load(corpus.segments.store(), &arranged.parts)?;
    for bucket in buckets.iter() {
        digest.add(bucket.len() as u64);
        bucket.iter().for_each(|&document| digest.add(document.0));
    }
    Ok(digest.0)
}

pub fn lead() -> Done<u64> {
    let corpus = Corpus::new(LED)?;
    let (_, arranged) = corpus.arrange()?;
    let store = corpus.segments.store();
    let mut candidates = Vec::new();
    let followers = measured(&mut || {
        let buckets = Buckets::load(store, &arranged.parts)?;
        let ignored = Ignored::new(&corpus.pass, &arranged.capped);
        let found = Candidates::new(&corpus.segments, &buckets, &ignored, &|document| Rank(document.0))?;
        let candidate_texts = CandidateTexts { texts: &corpus.texts, documents: found.documents.clone() };
        let comparer = Comparer::new(&found, &corpus.pass, &candidate_texts, MEMORY);
        let pinned = ReferenceLeaders { count: 0, represents_others: &|_| false };
        let followers = lead_candidates(&found, &comparer, &pinned, &Unwatched)?;
        candidates = candidate_texts.documents;
        Ok(followers)
    })?;
    let mut digest = Digest::default();
    for follower in followers {
        let [dropped, original] = [follower.candidate, follower.leader].map(|candidate| candidates[candidate.index()]);
        [dropped.0, original.0, follower.overlap.shared].into_iter().for_each(|number| digest.add(number));
    }
    Ok(digest.0)
}

/// Texts of candidates, in memory.
struct CandidateTexts<'a> {
    texts: &'a [String],
    documents: Vec<DocId>,
}

impl TextAccess for CandidateTexts<'_> {
    fn text<'b>(&'b self, candidate: u32, _: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        Ok(Text::Plain(self.texts[self.documents[candidate as usize].index()].as_bytes()))
    }
}

/// A control without an observer.
struct Unwatched;

impl PhaseControl for Unwatched {
    fn check(&self) -> neardup_core::Result<()> {
        Ok(())
    }

    fn advance(&self, _: u64) {}
}
