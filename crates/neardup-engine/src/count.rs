//! Counting: a corpus is read, and the lexicon of its terms is made; then it is signed from the texts.

use crate::budget::Budget;
use crate::catalogue::Shelf;
use crate::ledger::{Ledger, Stage};
use crate::lexicons;
use crate::sign::{Doing, Draft, Inputs, read_all, reopen};
use crate::watch::{Unit, Watch};
use crate::{Error, Job, Result};
use neardup_core::control::Control;
use neardup_core::counting::{Counting, Tally};
use neardup_core::lexicon::Lexicon;
use neardup_core::pass::Pass;
use neardup_core::segment::{self, Segment};
use neardup_core::signer::Signer;
use neardup_core::store::{Column, Store};
use neardup_corpus::Texts;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A corpus that was read and counted, and is still to be signed.
pub struct Counted {
    /// In how many documents each term stands.
    pub lexicon: Arc<Lexicon>,
    read: Draft,
    readings: Vec<Texts>,
}

/// The same in the ledger, its lists in the store.
#[derive(Serialize, Deserialize)]
struct Stored {
    read: Draft,
    documents: u64,
    terms: Column<u64>,
    counts: Column<u32>,
}

/// Reads and counts the corpus of a job, where its scheme says so; what is in the ledger already is taken from there.
pub fn counted(
    job: &mut Job<'_>,
    inputs: &Inputs<'_>,
    budget: Budget,
    store: &Store,
    ledger: &Ledger<'_>,
    watch: &Watch,
) -> Result<Option<Counted>> {
    let Some(counting) = lexicons::to_count(&job.scheme)? else { return Ok(None) };
    let mut made = None;
    let stored = ledger.once(Stage::Counted, store, || {
        let (lexicon, read, readings) = count(job, &counting, inputs, budget, store, watch)?;
        let column = neardup_core::Error::from;
        let (terms, counts) = (store.append(lexicon.terms()).map_err(column)?, store.append(lexicon.counts()).map_err(column)?);
        let documents = lexicon.documents();
        made = Some((lexicon, readings));
        Ok(Stored { read, documents, terms, counts })
    })?;
    let (lexicon, readings) = match made {
        Some(made) => made,
        None => {
            let all = neardup_core::Error::from;
            let (terms, counts) = (store.all(stored.terms).map_err(all)?, store.all(stored.counts).map_err(all)?);
            let counted = counting.counted().to_owned();
            (Lexicon::new(stored.documents, counted, terms, counts).map_err(Error::Data)?, reopen(job, inputs)?)
        }
    };
    Ok(Some(Counted { lexicon: Arc::new(lexicon), read: stored.read, readings }))
}

/// Reads everything, and counts in how many documents each term stands.
pub fn count(
    job: &mut Job<'_>,
    counting: &Counting,
    inputs: &Inputs<'_>,
    budget: Budget,
    store: &Store,
    watch: &Watch,
) -> Result<(Lexicon, Draft, Vec<Texts>)> {
    let tally = Tally::new();
    let (read, readings) = read_all(job, &Doing::Count(counting, &tally, budget), inputs, store, watch)?;
    let lexicon = tally.finish(counting).map_err(Error::Usage)?;
    Ok((lexicon, read, readings))
}

impl Counted {
    /// Signs every document from its text, read again.
    pub fn sign(self, pass: &Pass, store: &Store, watch: &Watch) -> Result<(Draft, Vec<Texts>)> {
        let Counted { mut read, readings, .. } = self;
        let documents: usize = read.parts.iter().map(|(shelf, _)| shelf.len()).sum();
        let segments: Result<Vec<Segment>> = watch.phase("sign", documents as u64, Unit::Documents, || {
            let fresh = || (Signer::new(pass), segment::Draft::default(), Vec::new());
            let shelves = read.parts.par_iter().map(|(shelf, _)| shelf).map_init(fresh, |(signer, draft, buffer), shelf| {
                watch.check()?;
                draft.clear();
                again(shelf, &readings, store, (signer, draft, buffer))?;
                watch.advance(shelf.len() as u64);
                Ok(draft.seal(store).map_err(neardup_core::Error::from)?)
            });
            shelves.collect()
        });
        read.parts.iter_mut().zip(segments?).for_each(|(part, segment)| part.1 = segment);
        Ok((read, readings))
    }
}

/// Signs the documents of one chunk.
fn again(
    shelf: &Shelf,
    readings: &[Texts],
    store: &Store,
    (signer, draft, buffer): (&mut Signer, &mut segment::Draft, &mut Vec<u8>),
) -> Result<()> {
    let (reading, places) = shelf.places(store)?;
    for place in places {
        signer.sign(readings[reading as usize].fetch(place, buffer)?, draft);
    }
    Ok(())
}
