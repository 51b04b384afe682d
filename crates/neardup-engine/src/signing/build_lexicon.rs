//! Building a lexicon: counted from a corpus, and written to a file.

use crate::documents::files::Files;
use crate::documents::records::RecordCounts;
use crate::job::lexicons;
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::threads::with_threads;
use crate::signing::count::count;
use crate::signing::inputs::{self, Inputs};
use crate::{Error, Job, Result};
use neardup_core::signing::counting::Counting;
use neardup_core::util::store::Store;
use neardup_corpus::Discovered;
use neardup_disk::OutputFile;
use neardup_disk::owned::refuse_inputs;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// Summary of the count.
#[derive(Debug, Serialize)]
struct LexiconSummary<'a> {
    /// Number of documents that were counted.
    documents: u64,
    /// Number of distinct terms.
    terms: usize,
    /// Unit, features and seed.
    counted: &'a str,
    /// Digest of the lexicon.
    digest: &'a str,
    /// Number of records that could not be used.
    rejected: usize,
    /// Files that were read, and files that were not.
    files: Files,
    /// Counts of the records.
    records: RecordCounts,
}

/// Counts the terms that the scheme of `job` looks up in a lexicon, in the input of the job, and writes the lexicon to the file
/// `path`. Returns a JSON text that describes it.
///
/// # Errors
/// Errors of reading; [`Error::Usage`] for a file that exists already, without `overwrite`, and for features that carry no
/// weights.
pub fn build_lexicon(job: Job<'_>, path: &Path, watch: &Watch) -> Result<String> {
    job.refuse_to_replace(path)?;
    let file = OutputFile::create(path, job.options.overwrite, "a lexicon of neardup", lexicons::is_lexicon)?;
    let made = make(job, path, file.path(), watch)?;
    file.finish()?;
    Ok(made)
}

/// Counts, and writes to the file `aside`, which becomes `path` when it is complete.
fn make(mut job: Job<'_>, path: &Path, aside: &Path, watch: &Watch) -> Result<String> {
    let [pass] = job.scheme.passes() else {
        return Err(Error::Usage("scheme: a lexicon is counted for one pass: write that pass alone".to_owned()));
    };
    let counting = Counting::of(pass)?;
    let budget = Budget::new(job.memory, job.threads, job.most_threads)?;
    let folder = tempfile::tempdir().map_err(|error| Error::file(&std::env::temp_dir(), "make a work folder")(error))?;
    let work = folder.path();
    let found = inputs::sources(&job.input, &job.fields, &job, Some(work), watch)?;
    let (files, sources) = (Files::of(&found, &Discovered::default()), found.sources);
    refuse_inputs(path, sources.iter().map(|source| source.path.as_path()))?;
    let inputs = Inputs { sources: &sources, against: &[], work, are_kept: false, forecast: None, only: None, finds_responses: true };
    let columns = tempfile::tempfile_in(work).map_err(Error::file(work, "write"))?;
    let store = Arc::new(Store::new(columns, 0));
    let counted = with_threads(job.threads, || count(&mut job, &counting, &inputs, budget, &store, watch));
    let (lexicon, read, _) = counted.map_err(|error| error.at(work))?;
    lexicons::write(aside, &lexicon)?;
    let summary = LexiconSummary {
        documents: lexicon.documents(),
        terms: lexicon.terms().len(),
        counted: lexicon.counted(),
        digest: lexicon.digest(),
        rejected: read.rejects.len(),
        files,
        records: RecordCounts::of_counts(
            read.parts.iter().map(|part| part.0.len()).sum(),
            read.rejects.len(),
            &read.passed_over,
            &read.flaws,
        ),
    };
    Ok(serde_json::to_string_pretty(&summary).unwrap_or_default())
}
