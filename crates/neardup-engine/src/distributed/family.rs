//! Families: documents that are compared in one task, by the passes of one machine.

use crate::checkpoint::ledger::Ledger;
use crate::checkpoint::stage::LedgerStage;
use crate::checkpoint::work_folder::at_work;
use crate::documents::order::Keep;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::pairs::{PairFamily, ScoredPair, StoredPairs};
use crate::findings::stored::Findings;
use crate::job::given::given;
use crate::job::options::JobOptions;
use crate::job::{BatchStream, Input, Job, Verb};
use crate::pipeline::passes::{Passes, compiled};
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::forecast::{DiskNeeds, Forecast};
use crate::signing::inputs::Inputs;
use crate::signing::sign;
use crate::signing::worker::TextTask;
use crate::tables::table::{batch, schema};
use crate::{Error, Result};
use arrow_array::{LargeStringArray, RecordBatch};
use arrow_schema::DataType;
use neardup_core::keys::capped::CappedBucket;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::util::ids::DocId;
use neardup_corpus::Fields;
use std::sync::{Arc, Mutex};

/// Name of the only field of the texts.
const TEXT: &str = "text";
/// Bytes of texts in a batch.
const BATCH: usize = 8 << 20;

/// What is found about documents, which are numbered in policy order: those of the input first, then those of the reference.
pub struct FamilyFindings {
    /// The dropped documents.
    pub verdicts: DroppedDocuments,
    /// The clusters, in a run of clusters.
    pub clusters: Option<Clusters>,
    /// Number of features of the documents that were asked for, in their order.
    pub sizes: Vec<u32>,
    /// The pairs, if they are listed.
    pub pairs: Vec<ScoredPair>,
    /// Families that share a key and were compared with their first only.
    pub starred_keys: Vec<PairFamily>,
    /// Keys above their cap.
    pub capped: Vec<CappedBucket>,
}

/// The pass by which documents are compared.
pub struct ComparedPass<'a> {
    /// The verb, by which the documents are compared.
    pub verb: Verb,
    /// Its number, from 0.
    pub number: usize,
    /// Whether no pass follows.
    pub is_last: bool,
    /// Its lexicon, if it counts its documents.
    pub lexicon: Option<&'a Arc<Lexicon>>,
}

/// Compares documents by a pass of a job. `foreseen` are keys that propose no pair, by the counts of all documents of the run.
/// `measured` are documents whose number of features is wanted.
pub fn compare(
    job: &Job<'_>,
    pass: &ComparedPass<'_>,
    [input, reference]: [Vec<&str>; 2],
    foreseen: &[u64],
    measured: &[DocId],
    watch: &Watch,
) -> Result<FamilyFindings> {
    let options =
        JobOptions { keep: Some(Keep::First), max_family: job.options.max_family, pairs: job.options.pairs, ..JobOptions::default() };
    let mut job = Job {
        verb: pass.verb,
        against: (!reference.is_empty()).then(|| Ok::<_, Error>(Input::Streams(vec![stream(&reference)?]))).transpose()?,
        input: Input::Streams(vec![stream(&input)?]),
        scheme: job.scheme.only(pass.number),
        fields: Fields { text: TEXT.to_owned(), ..options.fields() },
        options,
        threads: 1,
        most_threads: 1,
        memory: job.memory,
        extract: None,
        archive: None,
        fetch: None,
    };
    let mut compiled = compiled(&job, &job.scheme.passes()[0], pass.lexicon)?;
    foresee(&mut compiled, foreseen);
    // If pairs are listed, a pass drops documents only if another pass follows.
    let passes = vec![compiled; if pass.is_last { 1 } else { 2 }];
    job.fields.given = given(&passes)?;
    at_work(None, false, 1, |work, _| find(&mut job, passes, measured, work, watch))
}

fn find(
    job: &mut Job<'_>,
    mut compiled: Vec<CompiledPass>,
    measured: &[DocId],
    work: &std::path::Path,
    watch: &Watch,
) -> Result<FamilyFindings> {
    let budget = Budget::new(job.memory, 1, 1)?;
    let (ledger, store) = Ledger::open(None, LedgerStage::all(&job.scheme)?, work, watch)?;
    let inputs = Inputs { sources: &[], against: &[], work, are_kept: false, forecast: None, only: None, finds_responses: true };
    let mut signed = sign::signed(job, &TextTask::Sign(&compiled[0]), None, &inputs, &store, &ledger, watch)?;
    let names = signed.document_names(false)?;
    let takes = DiskNeeds { copies: 0, arranging: |_| 0, unknown: None, index: None };
    let forecast = Forecast::new(budget, work, 0, takes);
    let passes = Passes {
        job,
        compiled: &mut compiled,
        signed: &mut signed,
        ids: &names.ids,
        order: &names.order,
        forecast: &forecast,
        ledger: &ledger,
        watch,
    };
    let found = passes.find(0, budget, Findings::default())?;
    let verdicts = found.verdicts(&store, signed.len())?;
    let sizes = signed.sizes(&compiled[0], measured)?;
    let mut pairs = Vec::with_capacity(found.pairs.len());
    StoredPairs { store: &store, rows: &found.pairs }.each(|pair| pairs.push(pair))?;
    Ok(FamilyFindings {
        clusters: found.clusters(&store)?,
        verdicts,
        sizes,
        pairs,
        starred_keys: found.starred_keys,
        capped: found.capped.concat(),
    })
}

/// States which keys of a pass propose no pair: the table, numbered through all kinds, in the upper half of each.
fn foresee(pass: &mut CompiledPass, keys: &[u64]) {
    let mut first = 0;
    for kind in &mut pass.kinds {
        let tables = kind.keys.tables() as u64;
        let of_kind = keys.iter().filter(|&&key| (first..first + tables).contains(&(key >> 32)));
        let mut foreseen: Vec<(u32, u32)> = of_kind.map(|&key| (((key >> 32) - first) as u32, key as u32)).collect();
        foreseen.sort_unstable();
        kind.foreseen = Arc::new(foreseen);
        first += tables;
    }
}

/// Returns texts as a stream of one field.
fn stream(texts: &[&str]) -> Result<BatchStream> {
    let columns = schema(&[(TEXT, DataType::LargeUtf8, false)], &[]);
    let (mut batches, mut rest) = (Vec::<RecordBatch>::new(), texts);
    while !rest.is_empty() {
        let ends = rest.iter().scan(0, |end, text| {
            *end += text.len();
            Some(*end)
        });
        let (some, others) = rest.split_at(ends.take_while(|end| *end < BATCH).count().clamp(1, rest.len()));
        batches.push(batch(Arc::clone(&columns), vec![Arc::new(LargeStringArray::from_iter_values(some))])?);
        rest = others;
    }
    Ok(BatchStream {
        name: String::new(),
        batches: Mutex::new(Box::new(batches.into_iter().map(Ok))),
        is_in_memory: true,
        folder: None,
        fields: vec![TEXT.to_owned()],
    })
}
