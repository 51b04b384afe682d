//! Homes: some documents that one task reads, with all that one machine knows of them.

use crate::checkpoint::ledger::Ledger;
use crate::distributed::plan::{HomeSplit, Plan};
use crate::distributed::records::{ClassMember, DocName, DocNumber, Page};
use crate::documents::ids::Ids;
use crate::documents::order::Keep;
use crate::documents::origins::DocumentOrigin;
use crate::documents::signed::SignedCorpus;
use crate::job::Job;
use crate::progress::Watch;
use crate::signing::inputs::Inputs;
use crate::signing::sign;
use crate::signing::worker::TextTask;
use crate::{Error, Result};
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::DocId;
use neardup_corpus::{OnError, Source, discover};
use std::path::Path;
use std::sync::Arc;

/// The documents of a home. Records that cannot be used are listed, whatever the run does about them.
pub struct Home {
    /// The documents.
    pub signed: SignedCorpus,
    /// The sources.
    pub sources: Vec<Source>,
    /// Source of every document.
    pub source_of: Arc<Vec<u32>>,
    /// Row of every document, counted from the first row of the home.
    pub rows: Arc<Vec<u64>>,
    /// Ids of the documents; without given ones, they consist of the source and that row.
    pub ids: Ids,
    /// Pages of the documents; empty if names do not carry them.
    pub pages: Vec<Page>,
}

impl Home {
    /// Reads a home, and does the task `doing` with its texts. `work` is a folder for texts that cannot be read again where they are.
    pub fn open(job: &mut Job<'_>, split: &HomeSplit, has_pages: bool, doing: &TextTask<'_>, work: &Path, watch: &Watch) -> Result<Home> {
        let finding = job.options.finding()?;
        let sources: Vec<Source> = split
            .files
            .iter()
            .map(|file| {
                let mut found = discover(&[file.path.to_string_lossy().into_owned()], &finding)?.sources;
                if found.is_empty() {
                    return Err(neardup_corpus::Error::Changed { path: file.path.clone() }.into());
                }
                Ok(Source { name: file.name.clone(), root_relative: file.target.clone(), ..found.remove(0) })
            })
            .collect::<Result<_>>()?;
        let are_kept = job.writes_kept() && job.skips() && !split.is_reference;
        if split.is_reference {
            job.fields = job.reference_fields();
        }
        // Another home may have the field. A field that no record has was refused before.
        job.fields.may_lack = true;
        job.options.on_error = OnError::Skip;
        (job.threads, job.most_threads) = (1, 1);
        let only: Option<Vec<usize>> = split.chunks.clone().map(|chunks| chunks.map(|chunk| chunk as usize).collect());
        let inputs = Inputs { sources: &sources, against: &[], work, are_kept, forecast: None, only: only.as_deref() };
        let (ledger, store) = Ledger::open(None, Vec::new(), work, watch)?;
        let signed = sign::signed(job, doing, None, &inputs, &store, &ledger, watch)?;
        let (source_of, rows) = (Arc::new(signed.catalogue.source_of()?), Arc::new(signed.catalogue.rows()?));
        let ids = signed.catalogue.ids(&source_of, &rows)?;
        let pages = if has_pages { pages(&signed)? } else { Vec::new() };
        Ok(Home { signed, sources, source_of, rows, ids, pages })
    }

    /// Returns all documents.
    pub fn documents(&self) -> impl Iterator<Item = DocId> {
        DocId::first(self.signed.len())
    }

    /// Returns the name of a document for results elsewhere.
    pub fn name(&self, split: &HomeSplit, plan: &Plan, document: DocId) -> DocName {
        let is_in_full = plan.has_ids || self.sources.len() > 1;
        DocName {
            number: DocNumber::new(split.number, document.0),
            row: self.rows[document.index()],
            id: is_in_full.then(|| self.ids.get(document).into()),
            page: self.pages.get(document.index()).cloned().map(Box::new),
        }
    }
}

/// Returns the pages of all documents.
fn pages(signed: &SignedCorpus) -> Result<Vec<Page>> {
    let documents: Vec<DocId> = DocId::first(signed.len()).collect();
    let page = |DocumentOrigin { url, time, archived }| Page { url, time, archived: archived.map(|span| (span.offset, span.len)) };
    Ok(signed.catalogue.origins(&documents)?.into_iter().map(page).collect())
}

/// The policy order at a home.
pub struct PolicyOrder {
    ranks: Vec<u32>,
    keys: Vec<i64>,
    /// Whether ties are broken by id, not by number.
    by_id: bool,
}

impl PolicyOrder {
    /// Returns the order of a job's policy over the documents of a home; `None` if the policy is the order of the input. `signed` are
    /// they, signed for the first pass if the policy counts tokens.
    pub fn of(home: &Home, signed: &Segments, keep: &Keep, prefers: bool) -> Result<Option<Self>> {
        if *keep == Keep::First && !prefers {
            return Ok(None);
        }
        let catalogue = &home.signed.catalogue;
        let ranks = if prefers { catalogue.ranks()? } else { vec![0; catalogue.len()] };
        let keys = keep.keys(catalogue, signed)?;
        Ok(Some(PolicyOrder { ranks, keys: keys.unwrap_or_default(), by_id: *keep != Keep::First }))
    }

    /// Returns bytes that sort a document.
    pub fn bytes(&self, home: &Home, document: DocId) -> Box<[u8]> {
        let key = self.keys.get(document.index()).map_or(0, |key| (*key as u64) ^ 1 << 63);
        let mut bytes = self.ranks[document.index()].to_be_bytes().to_vec();
        bytes.extend_from_slice(&key.to_be_bytes());
        if self.by_id {
            bytes.extend_from_slice(home.ids.bytes(document.index()));
        }
        bytes.into()
    }
}

/// Returns what is known of a document that may have copies, or whose text is on its way.
pub fn member(home: &Home, split: &HomeSplit, plan: &Plan, order: Option<&PolicyOrder>, raw: u128, document: DocId) -> ClassMember {
    let order = order.map_or_else(Box::default, |order| order.bytes(home, document));
    ClassMember { name: home.name(split, plan, document), raw, order }
}

/// Returns an error of a home that is not there.
pub fn no_home() -> Error {
    Error::Data("a task at a home has no home: the message was lost".to_owned())
}
