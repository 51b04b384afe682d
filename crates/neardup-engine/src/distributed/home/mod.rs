//! Homes: some documents that one task reads, with all that one machine knows of them.

mod copies;

use crate::checkpoint::ledger::Ledger;
use crate::distributed::plan::{HomeFile, HomeSplit, Plan};
use crate::distributed::records::{ClassMember, DocName, DocNumber, Page};
use crate::documents::ids::Ids;
use crate::documents::order::Keep;
use crate::documents::origins::DocumentOrigin;
use crate::documents::signed::SignedCorpus;
use crate::job::{BatchStream, Input, Job};
use crate::progress::Watch;
use crate::signing::inputs::Inputs;
use crate::signing::sign;
use crate::signing::worker::TextTask;
use crate::{Error, Result};
use arrow_array::{Array, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::reader::StreamReader;
use arrow_schema::ArrowError;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::DocId;
use neardup_corpus::{OnError, PlaceUnit, Reject, Source, discover};
use std::path::Path;
use std::sync::{Arc, Mutex};

pub use copies::HomeCopies;

/// Where a task reads the documents of a home.
pub struct HomeInput<'a> {
    /// The home.
    pub split: HomeSplit,
    /// The rows that were sent, in any order, each message with its number.
    pub rows: Vec<(u32, &'a [u8])>,
}

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

impl HomeInput<'_> {
    /// Reads the home, and does the task `doing` with its texts. `work` is a folder for texts that cannot be read again where they are.
    pub fn open(&self, job: &mut Job<'_>, plan: &Plan, doing: &TextTask<'_>, work: &Path, watch: &Watch) -> Result<Home> {
        let split = &self.split;
        let sources = if split.is_sent { Vec::new() } else { sources(job, split, work)? };
        let are_kept = job.writes_kept() && job.skips() && !split.is_reference;
        if split.is_reference {
            job.fields = job.reference_fields();
        }
        // Another home may have the field. A field that no record has was refused before.
        job.fields.may_lack = true;
        job.options.on_error = OnError::Skip;
        (job.threads, job.most_threads) = (1, 1);
        let sent = if split.is_sent { unpack(&self.rows)? } else { Vec::new() };
        if split.is_sent {
            job.input = Input::Streams(vec![stream(split, sent.clone())]);
        }
        let only: Option<Vec<usize>> = split.chunks.clone().map(|chunks| chunks.map(|chunk| chunk as usize).collect());
        // Responses of revisits may be in archives of other homes.
        let inputs =
            Inputs { sources: &sources, against: &[], work, are_kept, forecast: None, only: only.as_deref(), finds_responses: false };
        let (ledger, store) = Ledger::open(None, Vec::new(), work, watch)?;
        let mut signed = sign::signed(job, doing, None, &inputs, &store, &ledger, watch)?;
        let (source_of, rows) = (Arc::new(signed.catalogue.source_of()?), Arc::new(signed.catalogue.rows()?));
        let ids = signed.catalogue.ids(&source_of, &rows)?;
        let pages = if plan.has_pages { pages(&signed)? } else { Vec::new() };
        if plan.by_id {
            name_by_id(&mut signed.rejects, &sent, job.fields.id.as_deref().unwrap_or_default());
        }
        Ok(Home { signed, sources, source_of, rows, ids, pages })
    }
}

/// Finds the files of a home again. Files that are on no disk of this machine are brought into `work` first.
fn sources(job: &Job<'_>, split: &HomeSplit, work: &Path) -> Result<Vec<Source>> {
    let finding = job.options.finding()?;
    let chunk = job.options.chunk as u64;
    let bytes = split.chunks.clone().map(|chunks| u64::from(chunks.start) * chunk..u64::from(chunks.end) * chunk);
    let source = |file: &HomeFile| {
        let path = match job.fetch {
            Some(fetch) => fetch(&file.path, bytes.clone(), work).map_err(Error::file(Path::new(&file.name), "read"))?,
            None => file.path.clone(),
        };
        let mut found = discover(&[path.to_string_lossy().into_owned()], &finding)?.sources;
        if found.is_empty() {
            return Err(neardup_corpus::Error::Changed { path: file.path.clone() }.into());
        }
        Ok(Source { name: file.name.clone(), root_relative: file.target.clone(), ..found.remove(0) })
    };
    split.files.iter().map(source).collect()
}

/// Returns the rows of messages, in order.
fn unpack(packed: &[(u32, &[u8])]) -> Result<Vec<RecordBatch>> {
    let mut packed = packed.to_vec();
    packed.sort_unstable_by_key(|(number, _)| *number);
    let fail = |error: ArrowError| Error::Data(format!("the rows of a task cannot be read: {error}"));
    let mut batches = Vec::new();
    for (_, packed) in packed {
        for batch in StreamReader::try_new(packed, None).map_err(fail)? {
            batches.push(batch.map_err(fail)?);
        }
    }
    Ok(batches)
}

/// Returns sent rows as the stream of a home.
fn stream(split: &HomeSplit, rows: Vec<RecordBatch>) -> BatchStream {
    BatchStream {
        name: split.files[0].name.clone(),
        batches: Mutex::new(Box::new(rows.into_iter().map(Ok))),
        is_in_memory: true,
        folder: None,
        fields: Vec::new(),
    }
}

/// Names the places of rejects by their ids.
fn name_by_id(rejects: &mut [Reject], rows: &[RecordBatch], field: &str) {
    for reject in rejects {
        let mut row = (reject.row - 1) as usize;
        let mut batches = rows.iter();
        let holder = batches.find(|batch| {
            let is_here = row < batch.num_rows();
            row -= if is_here { 0 } else { batch.num_rows() };
            is_here
        });
        let column = holder.and_then(|batch| batch.column_by_name(field)).filter(|column| column.is_valid(row));
        let id = column.and_then(|column| array_value_to_string(column, row).ok());
        reject.source = id.map_or_else(|| "a row without an id".to_owned(), |id| Plan::describe_id(&id));
        reject.unit = PlaceUnit::File;
    }
}

impl Home {
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

    /// Returns the order of documents with equal texts, whose lengths are equal.
    pub fn of_copies(home: &Home, keep: &Keep, prefers: bool) -> Result<Option<Self>> {
        if matches!(keep, Keep::Longest | Keep::Shortest) {
            let ranks = if prefers { home.signed.catalogue.ranks()? } else { vec![0; home.signed.len()] };
            return Ok(Some(PolicyOrder { ranks, keys: Vec::new(), by_id: true }));
        }
        PolicyOrder::of(home, &home.signed.segments[0], keep, prefers)
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
    ClassMember { name: home.name(split, plan, document), raw, order, copies: 0, least: None }
}

/// Returns an error of a home that is not there.
pub fn no_home() -> Error {
    Error::Data("a task at a home has no home: the message was lost".to_owned())
}
