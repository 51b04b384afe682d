//! Signing: the documents of a job with their signatures, loaded from the ledger or made now.

use crate::Result;
use crate::checkpoint::ledger::Ledger;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::catalogue::Catalogue;
use crate::documents::chunk::CatalogueChunk;
use crate::documents::signed::SignedCorpus;
use crate::job::Job;
use crate::progress::Watch;
use crate::signing::count::CountedCorpus;
use crate::signing::first_reading::read_all;
use crate::signing::inputs::{Inputs, reopen};
use crate::signing::worker::TextTask;
use neardup_core::signing::segment::StoredChunk;
use neardup_core::signing::segments::Segments;
use neardup_core::util::store::Store;
use std::sync::Arc;

/// Returns the documents of a job, signed by the task `doing`. They are loaded from the ledger, or else signed now: from the
/// texts of the `counted` corpus, or while everything is read.
pub fn signed(
    job: &mut Job<'_>,
    doing: &TextTask<'_>,
    counted: Option<CountedCorpus>,
    inputs: &Inputs<'_>,
    store: &Arc<Store>,
    ledger: &Ledger<'_>,
    watch: &Watch,
) -> Result<SignedCorpus> {
    let mut readings = None;
    let draft = ledger.once(LedgerStage::Signed(0), store, || {
        let journal = ledger.journal(LedgerStage::Signed(0), format!("chunks of {}", job.options.chunk), store)?;
        let (draft, texts) = match counted {
            Some(counted) => counted.sign(doing, store, &journal, watch)?,
            None => read_all(job, doing, inputs, store, Some(&journal), watch)?,
        };
        readings = Some(texts);
        Ok(draft)
    })?;
    let readings = readings.map_or_else(|| reopen(job, inputs), Ok)?;
    let (catalogue_chunks, segments): (Vec<CatalogueChunk>, Vec<StoredChunk>) = draft.parts.into_iter().unzip();
    Ok(SignedCorpus {
        segments: vec![Segments::new(Arc::clone(store), segments)],
        catalogue: Catalogue::new(Arc::clone(store), catalogue_chunks, draft.names, job.fields.id.is_some()),
        reference: draft.reference,
        rejects: draft.rejects,
        reference_rejects: draft.reference_rejects,
        inputs: draft.inputs,
        passed_over: draft.passed_over,
        flaws: draft.flaws,
        groups: None,
        scope: None,
        revisits: draft.revisits,
        read_rows: draft.rows,
        readings,
        set_aside: Vec::new(),
    })
}
