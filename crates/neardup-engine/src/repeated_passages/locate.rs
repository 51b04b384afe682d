//! Locating: texts are read again to find the places of passages, in bytes and code points, and the cuts.

use super::by_document::ByDocument;
use super::connection::Connected;
use super::finder::Finder;
use super::found::{DocumentChange, DocumentGap, FoundStretch, SpanNumbers, token_digest};
use super::images::PassageImages;
use super::token_counts::count;
use crate::Result;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::signed::SignedCorpus;
use crate::documents::span::CodePointIndex;
use crate::job::passage_cuts::{PassageCuts, PassageUnit, RepeatedRanges, gaps};
use crate::progress::ProgressUnit;
use crate::signing::worker::TokenForm;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::images::TokenRun;
use neardup_core::repeated_passages::originals::Original;
use neardup_core::repeated_passages::passages::LaterPassage;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, ListBuilder};
use neardup_text::{Text, Tokeniser, places};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Number of documents in a block whose results are in memory together, and number of passages at which a block ends.
const BLOCK: usize = 1 << 12;
const PASSAGES: usize = 1 << 15;

/// Results of locating, in the store.
#[derive(Default, Serialize, Deserialize)]
pub struct LocatedPassages {
    /// Passages at later places, in order.
    pub later: List<FoundStretch>,
    /// Originals, in order.
    pub originals: List<FoundStretch>,
    /// Cuts, in order.
    pub gaps: List<DocumentGap>,
    /// Documents that change, in order.
    pub changes: List<DocumentChange>,
    /// Number of tokens that are in a passage at a later place.
    pub repeated_tokens: u64,
    /// Number of documents with such a passage.
    pub repeated_documents: u64,
    /// Number of documents that were read.
    documents: u64,
    /// Number of images in them.
    images: usize,
    /// Number of copies of earlier pieces in them.
    copies: usize,
}

impl LocatedPassages {
    /// Appends the results of the next block.
    fn extend(&mut self, more: LocatedPassages) {
        let LocatedPassages { later, originals, gaps, changes, repeated_tokens, repeated_documents, documents, images, copies } = more;
        self.later.extend(later);
        self.originals.extend(originals);
        self.gaps.extend(gaps);
        self.changes.extend(changes);
        self.repeated_tokens += repeated_tokens;
        self.repeated_documents += repeated_documents;
        self.documents += documents;
        self.images += images;
        self.copies += copies;
    }
}

/// A block in the journal: its first document, and its results.
type SearchedBlock = (DocId, LocatedPassages);

/// A document to read again.
struct SearchedDocument {
    document: DocId,
    passages: Vec<LaterPassage>,
    originals: Vec<Original>,
    images: Vec<TokenRun>,
    copies: Vec<TokenRun>,
}

/// Results of one text.
struct SearchedText {
    later: Vec<FoundStretch>,
    originals: Vec<FoundStretch>,
    gaps: Vec<DocumentGap>,
    change: Option<DocumentChange>,
    repeated_tokens: u64,
}

impl Finder<'_> {
    /// Reads all texts with a passage or an original again.
    pub(super) fn located(&self, connected: &Connected, imaged: &PassageImages, cutting: PassageCuts) -> Result<LocatedPassages> {
        let store = self.store();
        self.ledger.once(LedgerStage::Located, store, || {
            let journal = self.ledger.journal(LedgerStage::Located, "blocks of texts".to_owned(), store)?;
            self.watch.phase("look", self.signed.len() as u64, ProgressUnit::Documents, || {
                let mut all = LocatedPassages::default();
                let done: Vec<SearchedBlock> = journal.take()?;
                done.into_iter().for_each(|(_, seen)| all.extend(seen));
                self.watch.advance(all.documents);
                let (passages, originals) = (&connected.passages, &connected.originals.all);
                let mut passages = ByDocument::behind(passages, all.later.len(), store, |passage| passage.document);
                let mut originals = ByDocument::behind(originals, all.originals.len(), store, |original| original.document);
                let mut images = ByDocument::behind(&imaged.images, all.images, store, |image| image.document);
                let mut copies = ByDocument::behind(&imaged.copies, all.copies, store, |copy| copy.document);
                loop {
                    self.watch.check()?;
                    let block = block(&mut passages, &mut originals, &mut images, &mut copies)?;
                    if block.is_empty() {
                        return Ok(all);
                    }
                    let piece: SearchedBlock = (block[0].document, self.look_at_all(&block, cutting)?);
                    journal.add(&piece)?;
                    self.watch.advance(piece.1.documents);
                    all.extend(piece.1);
                }
            })
        })
    }

    fn look_at_all(&self, block: &[SearchedDocument], cutting: PassageCuts) -> Result<LocatedPassages> {
        let (signed, tokens, store) = (self.signed, self.tokens, self.store());
        let fresh = || Tokeniser::new(tokens.rules, tokens.seed);
        let look = |tokeniser: &mut Tokeniser, wanted: &SearchedDocument| locate_in(signed, tokens, tokeniser, wanted, cutting);
        let seen: Vec<SearchedText> = block.par_iter().map_init(fresh, look).collect::<Result<_>>()?;
        let repeated_documents = block.iter().filter(|wanted| !wanted.passages.is_empty()).count() as u64;
        let repeated_tokens = seen.iter().map(|seen| seen.repeated_tokens).sum();
        let (mut later, mut originals, mut gaps, mut changes) =
            (ListBuilder::new(store), ListBuilder::new(store), ListBuilder::new(store), ListBuilder::new(store));
        for seen in seen {
            later.extend(seen.later).map_err(Core::from)?;
            originals.extend(seen.originals).map_err(Core::from)?;
            gaps.extend(seen.gaps).map_err(Core::from)?;
            changes.extend(seen.change).map_err(Core::from)?;
        }
        Ok(LocatedPassages {
            later: later.finish().map_err(Core::from)?,
            originals: originals.finish().map_err(Core::from)?,
            gaps: gaps.finish().map_err(Core::from)?,
            changes: changes.finish().map_err(Core::from)?,
            repeated_tokens,
            repeated_documents,
            documents: block.len() as u64,
            images: block.iter().map(|wanted| wanted.images.len()).sum(),
            copies: block.iter().map(|wanted| wanted.copies.len()).sum(),
        })
    }
}

/// Returns the next block of documents to read.
fn block(
    passages: &mut ByDocument<'_, LaterPassage>,
    originals: &mut ByDocument<'_, Original>,
    images: &mut ByDocument<'_, TokenRun>,
    copies: &mut ByDocument<'_, TokenRun>,
) -> Result<Vec<SearchedDocument>> {
    let (mut block, mut count) = (Vec::new(), 0);
    while block.len() < BLOCK && count < PASSAGES {
        let Some(document) = passages.next().into_iter().chain(originals.next()).min() else { break };
        // Images are in originals or in pieces that have passages; copies are, too.
        let (images, copies) = (images.take(document)?, copies.take(document)?);
        let wanted =
            SearchedDocument { document, passages: passages.take(document)?, originals: originals.take(document)?, images, copies };
        count += wanted.passages.len() + wanted.originals.len();
        block.push(wanted);
    }
    Ok(block)
}

fn locate_in(
    signed: &SignedCorpus,
    tokens: TokenForm,
    tokeniser: &mut Tokeniser,
    wanted: &SearchedDocument,
    cutting: PassageCuts,
) -> Result<SearchedText> {
    let document = wanted.document;
    let text = signed.read(document)?;
    let places = places(tokens.rules, &text);
    let hashes = tokeniser.tokens(Text::Plain(text.as_bytes()));
    let ruler = CodePointIndex::new(&text);
    let of_bytes = |bytes: &Range<usize>| -> SpanNumbers {
        let span = ruler.span(&text, bytes);
        [span.bytes[0], span.bytes[1], span.chars[0], span.chars[1]].map(|place| place as u32)
    };
    let stretch = |run: &Range<usize>| FoundStretch {
        digest: token_digest(&hashes[run.clone()]),
        span: of_bytes(&(places[run.start].start..places[run.end - 1].end)),
    };
    let runs: Vec<Range<usize>> = wanted.passages.iter().map(|passage| passage.start as usize..passage.end() as usize).collect();
    let firsts: Vec<Range<usize>> = wanted.originals.iter().map(|original| original.start as usize..original.end() as usize).collect();
    let (later, originals) = (runs.iter().map(stretch).collect(), firsts.iter().map(stretch).collect());
    let ranges = |runs: &[TokenRun]| runs.iter().map(|run| run.start as usize..run.end() as usize).collect();
    let stays = if cutting.cut == PassageUnit::Tokens { firsts } else { ranges(&wanted.images) };
    let repeated = RepeatedRanges { passages: runs, copies: ranges(&wanted.copies), stays };
    let mut cut = gaps(cutting.cut, &text, &places, &repeated);
    let (gone, left) = count(tokens.rules.unit, tokeniser, &text, &places, &mut cut);
    let change = (!cut.is_empty()).then(|| DocumentChange {
        document,
        tokens: places.len() as u32,
        left: left as u32,
        goes: u32::from(left < cutting.least && repeated.stays.is_empty()),
    });
    let gap = |(gap, tokens): (&crate::job::passage_cuts::TextGap, usize)| DocumentGap {
        document,
        span: of_bytes(&gap.bytes),
        tokens: tokens as u32,
        feed: u32::from(gap.feed),
    };
    // Passages are in order both by their starts and by their ends, and may overlap.
    let covered = repeated.passages.iter().fold((0, 0), |(sum, reach), run| (sum + run.end - run.start.max(reach).min(run.end), run.end));
    Ok(SearchedText { later, originals, gaps: cut.iter().zip(gone).map(gap).collect(), change, repeated_tokens: covered.0 as u64 })
}
