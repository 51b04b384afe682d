//! Counting: a corpus is read, and the lexicon of its terms or frames is made. Then its texts are read again to be signed.

use crate::checkpoint::journal::StageJournal;
use crate::checkpoint::ledger::Ledger;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::chunk::CatalogueChunk;
use crate::job::lexicons::{self, LexiconTask};
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::signing::first_reading::{SigningDraft, read_all};
use crate::signing::frames::Framing;
use crate::signing::inputs::{Inputs, reopen};
use crate::signing::reread::Reread;
use crate::signing::worker::TextTask;
use crate::{Error, Job, Result};
use neardup_core::scheme;
use neardup_core::signing::counting::{CountTotals, Counting};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::util::store::{Store, StoredColumn};
use neardup_corpus::CorpusTexts;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A corpus that was read and counted, and is not signed yet.
pub struct CountedCorpus {
    /// Number of documents of each term, or the shingles that are frame.
    pub lexicon: Arc<Lexicon>,
    read: SigningDraft,
    readings: Vec<CorpusTexts>,
}

/// A lexicon in the ledger, its lists in the store.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct StoredLexicon {
    documents: u64,
    terms: StoredColumn<u64>,
    counts: StoredColumn<u32>,
}

impl StoredLexicon {
    fn new(lexicon: &Lexicon, store: &Store) -> neardup_core::Result<Self> {
        Ok(StoredLexicon { documents: lexicon.documents(), terms: store.append(lexicon.terms())?, counts: store.append(lexicon.counts())? })
    }

    fn load(self, counting: &Counting, store: &Store) -> Result<Lexicon> {
        let all = neardup_core::Error::from;
        let (terms, counts) = (store.all(self.terms).map_err(all)?, store.all(self.counts).map_err(all)?);
        Lexicon::new(self.documents, counting.counted().to_owned(), terms, counts).map_err(Error::Data)
    }
}

/// Reads and counts the corpus of a job, if its first pass asks for that. A count that is in the ledger is loaded from there.
pub fn counted(
    job: &mut Job<'_>,
    inputs: &Inputs<'_>,
    budget: Budget,
    store: &Arc<Store>,
    ledger: &Ledger<'_>,
    watch: &Watch,
) -> Result<Option<CountedCorpus>> {
    let Some(counts) = lexicons::to_count(&job.scheme.passes()[0])? else { return Ok(None) };
    let mut made = None;
    let (read, stored): (SigningDraft, StoredLexicon) = ledger.once(LedgerStage::Counted(0), store, || {
        let (lexicon, read, readings) = match &counts {
            LexiconTask::Terms(counting) => count(job, counting, inputs, budget, store, watch)?,
            &LexiconTask::Frame(ref counting, share) => {
                let (read, readings) = read_all(job, &TextTask::Digest, inputs, store, None, watch)?;
                let (catalogue_chunks, digests): (Vec<CatalogueChunk>, Vec<StoredChunk>) = read.parts.iter().cloned().unzip();
                let again = Reread { catalogue_chunks: &catalogue_chunks, readings: &readings, seen: &|_| true };
                let frame = Framing { counting, share, again: &again, digests: &digests, budget, store, watch }.find()?;
                (frame, read, readings)
            }
        };
        let stored = StoredLexicon::new(&lexicon, store)?;
        made = Some((lexicon, readings));
        Ok((read, stored))
    })?;
    let (lexicon, readings) = match made {
        Some(made) => made,
        None => (stored.load(counts.counting(), store)?, reopen(job, inputs)?),
    };
    Ok(Some(CountedCorpus { lexicon: Arc::new(lexicon), read, readings }))
}

/// Counts the documents that a later pass sees, if that pass asks for it.
pub fn counted_again(
    number: usize,
    pass: &scheme::Pass,
    again: &Reread<'_>,
    budget: Budget,
    store: &Arc<Store>,
    ledger: &Ledger<'_>,
    watch: &Watch,
) -> Result<Option<Arc<Lexicon>>> {
    let Some(counts) = lexicons::to_count(pass)? else { return Ok(None) };
    let stored: StoredLexicon = ledger.once(LedgerStage::Counted(number), store, || {
        let lexicon = match &counts {
            LexiconTask::Terms(counting) => {
                let tally = CountTotals::new();
                again.read("count", &TextTask::Count(counting, &tally, budget), store, None, watch)?;
                tally.finish(counting).map_err(Error::Usage)?
            }
            &LexiconTask::Frame(ref counting, share) => {
                let digests = again.read("count", &TextTask::Digest, store, None, watch)?;
                Framing { counting, share, again, digests: &digests, budget, store, watch }.find()?
            }
        };
        Ok(StoredLexicon::new(&lexicon, store)?)
    })?;
    Ok(Some(Arc::new(stored.load(counts.counting(), store)?)))
}

/// Reads everything, and counts the number of documents that contain each term.
pub fn count(
    job: &mut Job<'_>,
    counting: &Counting,
    inputs: &Inputs<'_>,
    budget: Budget,
    store: &Arc<Store>,
    watch: &Watch,
) -> Result<(Lexicon, SigningDraft, Vec<CorpusTexts>)> {
    let tally = CountTotals::new();
    let (read, readings) = read_all(job, &TextTask::Count(counting, &tally, budget), inputs, store, None, watch)?;
    let lexicon = tally.finish(counting).map_err(Error::Usage)?;
    Ok((lexicon, read, readings))
}

impl CountedCorpus {
    /// Signs every document from its text, read again.
    pub fn sign(
        self,
        doing: &TextTask<'_>,
        store: &Store,
        journal: &StageJournal<'_>,
        watch: &Watch,
    ) -> Result<(SigningDraft, Vec<CorpusTexts>)> {
        let CountedCorpus { mut read, readings, .. } = self;
        let catalogue_chunks: Vec<CatalogueChunk> = read.parts.iter().map(|part| part.0).collect();
        let again = Reread { catalogue_chunks: &catalogue_chunks, readings: &readings, seen: &|_| true };
        let segments = again.read("sign", doing, store, Some(journal), watch)?;
        read.parts.iter_mut().zip(segments).for_each(|(part, segment)| part.1 = segment);
        Ok((read, readings))
    }
}
