//! The kept records as one stream on the standard output.

use crate::job::{Input, Job, Verb};
use crate::results::added_fields::AddedFields;
use crate::results::decided_sources::DecidedSources;
use crate::results::kept_files::each_kept;
use crate::{Error, Result};
use neardup_corpus::{Fields, Source, SourceSpan, field_names, joins, keep, lacks_line_end, lead, line_end};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Refuses a job that cannot write its kept records to the standard output.
pub fn check(job: &Job<'_>) -> Result<()> {
    let refuse = |why: &str| Err(Error::Usage(format!("output -: {why}")));
    match () {
        () if job.verb != Verb::Dedup => refuse("only dedup writes records to the standard output; a folder of this name is ./-"),
        () if matches!(job.input, Input::Streams(_)) => {
            refuse("documents that are not in files have no form in which they could be written")
        }
        () if job.options.no_kept => refuse("with no_kept there is nothing to write"),
        () if job.options.write_dropped => refuse("the dropped records are written into a folder (write_dropped)"),
        () if job.options.index => refuse("an index is written into a folder (index)"),
        () => Ok(()),
    }
}

/// Refuses sources that do not make a valid stream one after another. One source always does.
pub fn check_sources(sources: &[Source], fields: &Fields) -> Result<()> {
    // Of a file that cannot be read nothing is written.
    let mut written = sources.iter().filter(|source| source.broken.is_none());
    let Some(first) = written.next() else { return Ok(()) };
    let advice = "write them into a folder, or run them apart";
    for other in written {
        let (one, two) = (&first.name, &other.name);
        if first.format != other.format || suffix(first) != suffix(other) {
            return Err(Error::Usage(format!("{one} and {two}: two formats do not make one stream (output -); {advice}")));
        }
        if !joins(first) {
            return Err(Error::Usage(format!("{one} and {two}: files of this kind do not make one stream (output -); {advice}")));
        }
        if first.compression != other.compression {
            return Err(Error::Usage(format!("{one} and {two}: two compressions do not make one stream (output -); {advice}")));
        }
        if (first.encoding, first.csv) != (other.encoding, other.csv) {
            return Err(Error::Usage(format!("{one} and {two}: two encodings or delimiters do not make one stream (output -); {advice}")));
        }
        if first.format.is_table() && field_names(first, fields)? != field_names(other, fields)? {
            return Err(Error::Usage(format!("{one} and {two}: tables of different fields do not make one stream (output -); {advice}")));
        }
    }
    Ok(())
}

/// Returns the kind of an archive: WARC and ARC are one format, and a file is one of them.
fn suffix(source: &Source) -> Option<bool> {
    source.format.is_archive().then(|| source.name.to_lowercase().contains(".warc"))
}

/// Writes the kept records of all sources to the standard output, in order. `work` is a folder for one source at a time.
pub fn write(decided: &DecidedSources<'_>, added: Option<&AddedFields>, work: &Path) -> Result<()> {
    let mut output = io::stdout().lock();
    let last = decided.sources.len();
    let mut has_begun = false;
    each_kept(decided, added, |number, source, write| {
        let path = work.join("kept");
        write(&path)?;
        // A dropped file that is one document is not written.
        if path.exists() {
            let mut piece = piece(source, path)?;
            if std::mem::replace(&mut has_begun, true) {
                piece = without_lead(piece, decided.fields, work, decided)?;
            }
            copy(&piece.path, &mut output)?;
            if number + 1 < last && !source.format.is_archive() && joins(source) && lacks_line_end(&piece)? {
                output.write_all(&line_end(&piece)?).map_err(failed)?;
            }
            fs::remove_file(&piece.path).map_err(Error::file(&piece.path, "remove"))?;
        }
        Ok(())
    })?;
    output.flush().map_err(failed)
}

/// Returns the kept records of a source as a source.
fn piece(source: &Source, path: PathBuf) -> Result<Source> {
    let bytes = fs::metadata(&path).map_err(Error::file(&path, "read"))?.len();
    Ok(Source { path, bytes, ..source.clone() })
}

/// Leaves out what a stream has once.
fn without_lead(piece: Source, fields: &Fields, work: &Path, decided: &DecidedSources<'_>) -> Result<Source> {
    let len = lead(&piece, fields)?;
    if len == 0 {
        return Ok(piece);
    }
    let path = work.join("kept without its header");
    keep(&piece, &[SourceSpan { offset: 0, len }], &path, decided.threads, &decided.watch.corpus)?;
    fs::remove_file(&piece.path).map_err(Error::file(&piece.path, "remove"))?;
    self::piece(&piece, path)
}

fn copy(path: &Path, output: &mut impl Write) -> Result<()> {
    let mut file = File::open(path).map_err(Error::file(path, "read"))?;
    io::copy(&mut file, output).map(drop).map_err(failed)
}

fn failed(error: io::Error) -> Error {
    Error::file(Path::new("standard output"), "write all kept records")(error)
}
