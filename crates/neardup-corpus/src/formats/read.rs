use crate::error::{Error, Result};
use crate::flaws::PassedOver;
use crate::formats::{layout, reader};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, ReadChunks};
use crate::records::fields::Fields;
use crate::records::partition::PartitionKeys;
use crate::reject::Reject;
use crate::sources::source::Source;
use crate::texts::fetch::CorpusTexts;
use crate::unit::PlaceUnit;

/// Reads one source and does `work` on each chunk of its records, in parallel. The results are in the order of the source.
///
/// The records, their rows and the first error depend neither on the number of threads nor on the size of chunks.
///
/// # Errors
/// A record that cannot be used (with [`OnError::Stop`](crate::OnError::Stop)), a file that cannot be read, a missing column, an
/// error of `work`, or a cancelled job.
pub fn read<T: Send, E: From<Error> + Send>(
    source: &Source,
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
) -> Result<Read<T>, E> {
    read_together(std::slice::from_ref(source), fields, options, work)
}

/// Like [`read`], for sources that are read together, at least one. See [`Source::is_read_with`].
///
/// The `file` of a record is the index of its source.
///
/// # Errors
/// As in [`read`], and [`Error::Unsupported`] for sources that cannot be read together.
pub fn read_together<T: Send, E: From<Error> + Send>(
    sources: &[Source],
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
) -> Result<Read<T>, E> {
    let first = &sources[0];
    if first.is_stdin() {
        return Err(unsupported(first, "the standard input must be spooled before it is read"));
    }
    if let Some(odd) = sources[1..].iter().find(|source| !source.is_read_with(first)) {
        return Err(unsupported(odd, "only text files, or only HTML files, of one compression can be read together"));
    }
    if let Some(reason) = &first.broken {
        return Ok(unreadable(first, reason, CorpusTexts::open(sources, fields, options.spool)?));
    }
    reader(first.format).read(sources, fields, options, work)
}

/// Returns the reading of a source of which nothing can be read: the file is one reject.
fn unreadable<T>(source: &Source, reason: &str, texts: CorpusTexts) -> Read<T> {
    let unit = PlaceUnit::File;
    let (source, reason, excerpt) = (source.name.clone(), reason.to_owned(), String::new());
    let rejects = vec![Reject { source, unit, row: 1, offset: 0, len: 0, reason, excerpt }];
    let chunks = ReadChunks { unit, chunks: Vec::new(), rows_before: Vec::new(), rows: 1, records: 0, rejects, flaws: PassedOver::new() };
    chunks.with(texts)
}

/// Returns the names of the fields of a source, with the partition keys in its path. For JSON lines, these are the fields of the
/// first record. The list is empty if records have no fields.
///
/// # Errors
/// A file that cannot be read, or is damaged.
pub fn field_names(source: &Source, fields: &Fields) -> Result<Vec<String>> {
    if !source.has_records() {
        return Ok(Vec::new());
    }
    let mut names = layout(source.format).field_names(source, fields)?;
    if source.format.has_fields() {
        let keys = PartitionKeys::of(&source.stated_path());
        let others: Vec<String> = keys.names().filter(|key| !names.iter().any(|name| name == key)).map(str::to_owned).collect();
        names.extend(others);
    }
    Ok(names)
}

fn unsupported<E: From<Error>>(source: &Source, reason: &'static str) -> E {
    Error::Unsupported { name: source.name.clone(), reason }.into()
}
