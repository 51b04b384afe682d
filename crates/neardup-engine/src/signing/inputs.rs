//! The files of a job: finding and opening them.

use crate::job::{Input, Job};
use crate::progress::Watch;
use crate::resources::forecast::Forecast;
use crate::{Error, Result};
use neardup_corpus::{ARCHIVE_ID, CorpusTexts, Discovered, Fields, OnError, Source, discover, spool as spool_inputs};
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
    /// Numbers of the chunks to read of the only source; `None` reads all. See [`neardup_corpus::ReadOptions::only`].
    pub only: Option<&'a [usize]>,
    /// Whether responses of revisits are looked for in all web archives of the sources.
    pub finds_responses: bool,
}

/// Finds the sources of the input and of the reference of a job.
pub fn all_sources(job: &Job<'_>, work: Option<&Path>, watch: &Watch) -> Result<(Discovered, Discovered)> {
    let of_reference = |input: &Input| sources(input, &job.reference_fields(), job, work, watch);
    Ok((sources(&job.input, &job.fields, job, work, watch)?, job.against.as_ref().map(of_reference).transpose()?.unwrap_or_default()))
}

/// Returns a sentence for each pattern that matched no file, neither of the input nor of the reference.
pub fn unused_patterns(job: &Job<'_>, input: &Discovered, reference: &Discovered) -> Vec<String> {
    let of = |given: &Input, found: &Discovered| matches!(given, Input::Files(paths) if !paths.is_empty()).then(|| found.notes());
    match (of(&job.input, input), job.against.as_ref().and_then(|given| of(given, reference))) {
        (Some(notes), Some(others)) => notes.into_iter().filter(|note| others.contains(note)).collect(),
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

/// Opens the texts of sources that were read before.
pub fn reopen(job: &Job<'_>, inputs: &Inputs<'_>) -> Result<Vec<CorpusTexts>> {
    let reference = job.reference_fields();
    let of = |group, fields| (group, fields);
    let groups =
        groups(inputs.sources).map(|group| of(group, &job.fields)).chain(groups(inputs.against).map(|group| of(group, &reference)));
    groups.enumerate().map(|(number, (group, fields))| Ok(CorpusTexts::open(group, fields, &spool(inputs.work, number))?)).collect()
}

/// Finds the sources of an input. The standard input and the files of archives are copied into a folder of `work` first; without
/// `work` archives of files are refused.
pub fn sources(input: &Input, fields: &Fields, job: &Job<'_>, work: Option<&Path>, watch: &Watch) -> Result<Discovered> {
    let Input::Files(paths) = input else { return Ok(Discovered::default()) };
    let finding = job.options.finding()?;
    let mut found = discover(paths, &finding)?;
    if let Some(output) = job.folder() {
        work.into_iter().for_each(|work| found.unread.leave_out(work.parent().unwrap_or(work)));
        refuse_inputs(output, found.sources.iter().map(|source| source.path.as_path()))?;
    }
    // A stream may refer to what it wrote before, as far back as half of the memory.
    watch.corpus.limit_window(job.memory as u64 / 2);
    if let Some(work) = work {
        let on_error = if job.skips() { OnError::Skip } else { OnError::Stop };
        let is_reference = job.against.as_ref().is_some_and(|against| std::ptr::eq(against, input));
        let copies = work.join(if is_reference { "copies-of-reference" } else { "copies" });
        spool_inputs(&mut found, &copies, &finding, on_error, &watch.corpus)?;
    } else if let Some(archive) = found.sources.iter().find(|source| source.container.is_some()) {
        return Err(Error::Usage(format!(
            "{}: archives of files are read by one machine; for Spark, extract it into a folder that all machines see",
            archive.name
        )));
    }
    let sources = &found.sources;
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
    Ok(found)
}

/// Groups the sources that are read together; any other source is a group of its own.
pub fn groups(sources: &[Source]) -> impl Iterator<Item = &[Source]> {
    sources.chunk_by(Source::is_read_with)
}

/// Returns the work file for the texts of one reading.
pub fn spool(work: &Path, reading: usize) -> PathBuf {
    work.join(format!("texts-{reading}"))
}
