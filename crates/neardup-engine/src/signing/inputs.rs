//! The files of a job: finding and opening them.

use crate::job::{Input, Job};
use crate::progress::Watch;
use crate::resources::forecast::Forecast;
use crate::{Error, Result};
use neardup_corpus::{ARCHIVE_ID, CorpusTexts, Discovered, Fields, Source, discover, spool_stdin};
use neardup_disk::owned::refuse_inputs;
use std::path::{Path, PathBuf};

/// The files of a job, the folder for texts that must be read again, and the forecast of the run.
pub struct Inputs<'a> {
    /// Sources of the input.
    pub sources: &'a [Source],
    /// Sources of the reference.
    pub against: &'a [Source],
    /// The work folder.
    pub work: &'a Path,
    /// Whether the sources of the input are written again, without the documents that go.
    pub are_kept: bool,
    /// Forecast of the run; `None` if nothing is signed.
    pub forecast: Option<&'a Forecast>,
}

/// Finds the sources of the input and of the reference of a job.
pub fn all_sources(job: &Job<'_>, work: &Path, watch: &Watch) -> Result<(Discovered, Discovered)> {
    let of_reference = |input: &Input| sources(input, &job.reference_fields(), job, work, watch);
    Ok((sources(&job.input, &job.fields, job, work, watch)?, job.against.as_ref().map(of_reference).transpose()?.unwrap_or_default()))
}

/// Opens the texts of sources that were read before.
pub fn reopen(job: &Job<'_>, inputs: &Inputs<'_>) -> Result<Vec<CorpusTexts>> {
    let reference = job.reference_fields();
    let of = |group, fields| (group, fields);
    let groups =
        groups(inputs.sources).map(|group| of(group, &job.fields)).chain(groups(inputs.against).map(|group| of(group, &reference)));
    groups.enumerate().map(|(number, (group, fields))| Ok(CorpusTexts::open(group, fields, &spool(inputs.work, number))?)).collect()
}

/// Finds the sources of an input. The standard input is spooled into `work` first.
pub fn sources(input: &Input, fields: &Fields, job: &Job<'_>, work: &Path, watch: &Watch) -> Result<Discovered> {
    let Input::Files(paths) = input else { return Ok(Discovered::default()) };
    let Discovered { mut sources, mut unread } = discover(paths)?;
    if let Some(output) = job.folder() {
        unread.leave_out(work.parent().unwrap_or(work));
        refuse_inputs(output, sources.iter().map(|source| source.path.as_path()))?;
    }
    spool_stdin(&mut sources, &work.join("stdin.jsonl"), &watch.corpus)?;
    if job.extract.is_none()
        && let Some(source) = sources.iter().find(|source| source.format.is_html())
    {
        return Err(Error::Usage(format!("{}: HTML needs an extractor; install the extra: pip install 'neardup[html]'", source.name)));
    }
    let has_id = |source: &Source, id: &str| source.format.has_fields() || (source.format.is_archive() && id == ARCHIVE_ID);
    if let Some(id) = &fields.id
        && let Some(source) = sources.iter().find(|source| !has_id(source, id))
    {
        return Err(Error::Usage(format!(
            "{}: text, HTML and web archives have no field for an id, except the {ARCHIVE_ID} in a web archive; leave the id field out: ids \
             are then the source and row",
            source.name
        )));
    }
    Ok(Discovered { sources, unread })
}

/// Groups the sources that are read together; any other source is a group of its own.
pub fn groups(sources: &[Source]) -> impl Iterator<Item = &[Source]> {
    sources.chunk_by(Source::is_read_with)
}

/// Returns the work file for the texts of one reading.
pub fn spool(work: &Path, reading: usize) -> PathBuf {
    work.join(format!("texts-{reading}"))
}
