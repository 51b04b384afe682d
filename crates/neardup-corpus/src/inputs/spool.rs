use std::path::{Path, PathBuf};

use crate::compression::{Compression, LONGEST_MAGIC};
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::suffixes::{known, values};
use crate::inputs::copy::copy;
use crate::inputs::discover::Discovered;
use crate::inputs::extract::{ExtractOptions, extract};
use crate::inputs::find_options::FindOptions;
use crate::inputs::probe::probe;
use crate::inputs::unread::Unread;
use crate::readers::options::OnError;
use crate::sources::source::Source;
use crate::sources::stream::first_bytes;

/// Copies what can be read only once to `folder`: the standard input, and the files of containers. Changes their sources to the
/// copies. The names of other sources, and their order, do not change.
///
/// The texts and the kept output need the bytes again, at chosen positions.
///
/// # Errors
/// Writing fails, a container or a file of it cannot be read ([`OnError::Stop`]), a container that the user named has no file that is
/// read, no file is left, or the job is cancelled.
pub fn spool(found: &mut Discovered, folder: &Path, options: &FindOptions, on_error: OnError, control: &JobControl) -> Result<()> {
    let Discovered { sources, unread, selection } = found;
    let given = std::mem::take(sources);
    let has_files = !given.is_empty();
    for (number, mut source) in given.into_iter().enumerate() {
        if let Some(container) = source.container.take() {
            let target = folder.join(format!("archive-{number}"));
            let options = ExtractOptions { find: options, selection, on_error, control };
            let mut left = Unread::default();
            let files = extract(&source, &container, &target, options, &mut left)?;
            if files.is_empty() && container.is_named {
                return Err(Error::EmptyArchive { path: source.path, left: left.shown(), known: known() });
            }
            if files.is_empty() && left.count() == 0 {
                left.unwanted(&source.path, "archive without files");
            }
            *unread = std::mem::take(unread).and(&left);
            sources.extend(files);
            continue;
        }
        if source.is_stdin() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
            let target = folder.join("stdin.jsonl");
            source.bytes = copy(&mut std::io::stdin().lock(), &target, control)?.map_err(Error::io(Path::new("stdin"), "read"))?;
            source.path = target;
            complete(&mut source, options);
        }
        sources.push(source);
    }
    if sources.is_empty() && has_files {
        return Err(Error::NothingRead { left: unread.shown(), known: known() });
    }
    Ok(())
}

/// Finds out the compression of the standard input, and which of the shapes of JSON it has.
fn complete(source: &mut Source, options: &FindOptions) {
    source.compression = Compression::begun_by(&first_bytes(source, LONGEST_MAGIC));
    source.format = values();
    probe(source, options);
    source.root_relative = PathBuf::from(format!("stdin.{}{}", source.format.name(), source.compression.suffix()));
}
