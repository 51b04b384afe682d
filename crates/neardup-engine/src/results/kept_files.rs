//! Writing the files of kept and of dropped records: every source is copied without the others.

use crate::job::{Input, Job};
use crate::results::added_fields::AddedFields;
use crate::results::decided_sources::DecidedSources;
use crate::{Error, Result};
use neardup_corpus::{Source, dictionary, keep, outside};
use std::path::Path;

/// Name of the folder of the kept records in the folder of the results.
pub const KEPT: &str = "kept";
/// Name of the folder of the dropped records there.
pub const DROPPED: &str = "dropped";

/// Refuses options of written records in a run that writes none.
pub fn check(job: &Job<'_>) -> Result<()> {
    let refuse = |option: &str, why: &str| Err(Error::Usage(format!("{option}: {why}")));
    let asked = [("write_dropped", job.options.write_dropped), ("add_fields", job.options.add_fields.is_some())];
    match asked.into_iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((option, _)) if job.options.output.is_none() => refuse(option, "records are written into a folder: name an output"),
        Some((option, _)) if matches!(job.input, Input::Streams(_)) => {
            refuse(option, "documents that are not in files have no form in which they could be written; see the decisions")
        }
        Some(("add_fields", _)) if job.options.no_kept => refuse("add_fields", "with no_kept there are no records to write them into"),
        _ => Ok(()),
    }
}

/// Writes every source below `folder` without the records that were dropped, set aside or rejected, and with `added` fields in the
/// others. A dropped response is written, too, if a revisit that refers to it is kept: the revisit has no content of its own.
pub fn write_kept(decided: &DecidedSources<'_>, added: Option<&AddedFields>, folder: &Path) -> Result<()> {
    each_kept(decided, added, |_, source, write| write(&folder.join(&source.root_relative)))
}

/// Calls `take` for every source in order, with a function that writes the kept records of the source to a path.
pub fn each_kept(
    decided: &DecidedSources<'_>,
    added: Option<&AddedFields>,
    mut take: impl FnMut(usize, &Source, &mut dyn FnMut(&Path) -> Result<()>) -> Result<()>,
) -> Result<()> {
    if let Some(added) = added {
        let mut documents = decided.names.signed.catalogue.spans().peekable();
        for (number, source) in decided.sources.iter().enumerate() {
            take(number, source, &mut |path| added.write(decided, (number as u32, source), &mut documents, path))?;
        }
        return Ok(());
    }
    let mut leaving = decided.spans(|document| decided.verdicts.is_dropped(document) && !decided.needed.contains(&document))?;
    for ((number, source), leaving) in decided.sources.iter().enumerate().zip(&mut leaving) {
        leaving.extend(decided.rejects(source));
        leaving.sort_unstable();
        leaving.dedup();
        take(number, source, &mut |path| {
            keep(source, leaving, path, decided.threads, &decided.watch.corpus)?;
            Ok(())
        })?;
    }
    Ok(())
}

/// Writes every source below `folder` without the records that were kept, set aside or rejected. What is no record, such as a
/// header, is kept. Records of an archive that are no documents are left out; they are among the kept ones, and so are the dropped
/// responses of kept revisits.
pub fn write_dropped(decided: &DecidedSources<'_>, folder: &Path) -> Result<()> {
    let stays = |document| decided.verdicts.is_dropped(document) && !decided.needed.contains(&document);
    let staying = decided.spans(stays)?;
    let mut leaving = decided.spans(|document| !stays(document))?;
    for ((source, staying), leaving) in decided.sources.iter().zip(&staying).zip(&mut leaving) {
        leaving.extend(decided.rejects(source));
        leaving.sort_unstable();
        leaving.dedup();
        if source.format.is_archive() && source.broken.is_none() {
            let staying: Vec<_> = [dictionary(source)?].into_iter().chain(staying.iter().copied()).collect();
            *leaving = outside(&staying, source.bytes);
        }
        keep(source, leaving, &folder.join(&source.root_relative), decided.threads, &decided.watch.corpus)?;
    }
    Ok(())
}
