use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::compression::{Compression, LONGEST_MAGIC};
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::suffixes::values;
use crate::inputs::discover::Discovered;
use crate::inputs::extract::extract;
use crate::inputs::find_options::FindOptions;
use crate::inputs::probe::probe;
use crate::readers::options::OnError;
use crate::sources::source::Source;

/// Copies what can be read only once to `folder`: the standard input, and the files of containers. Changes their sources to the
/// copies. The names of other sources, and their order, do not change.
///
/// The texts and the kept output need the bytes again, at chosen positions.
///
/// # Errors
/// Writing fails, a container is damaged ([`OnError::Stop`]), or the job is cancelled.
pub fn spool(found: &mut Discovered, folder: &Path, options: &FindOptions, on_error: OnError, control: &JobControl) -> Result<()> {
    let sources = std::mem::take(&mut found.sources);
    for (number, mut source) in sources.into_iter().enumerate() {
        if let Some(container) = source.container {
            let target = folder.join(format!("archive-{number}"));
            found.sources.extend(extract(&source, container, &target, options, on_error, &mut found.unread, control)?);
            continue;
        }
        if source.is_stdin() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
            let target = folder.join("stdin.jsonl");
            source.bytes = copy(&mut std::io::stdin().lock(), &target, control)?;
            source.path = target;
            complete(&mut source, options)?;
        }
        found.sources.push(source);
    }
    Ok(())
}

/// Finds out the compression of the standard input, and which of the shapes of JSON it has.
fn complete(source: &mut Source, options: &FindOptions) -> Result<()> {
    let mut head = Vec::new();
    let file = File::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    file.take(LONGEST_MAGIC).read_to_end(&mut head).map_err(Error::io(&source.path, "read"))?;
    source.compression = Compression::begun_by(&head);
    source.format = values();
    probe(source, options);
    source.root_relative = PathBuf::from(format!("stdin.{}{}", source.format.name(), source.compression.suffix()));
    Ok(())
}

fn copy(input: &mut dyn Read, target: &Path, control: &JobControl) -> Result<u64> {
    let mut file = File::create(target).map_err(Error::io(target, "write"))?;
    let mut room = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match input.read(&mut room) {
            Ok(0) => return Ok(bytes),
            Ok(count) => {
                file.write_all(&room[..count]).map_err(Error::io(target, "write"))?;
                bytes += count as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(Path::new("stdin"), "read")(error)),
        }
    }
}
