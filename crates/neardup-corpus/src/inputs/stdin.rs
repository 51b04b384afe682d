use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::sources::source::Source;

/// Copies the standard input to `target` and changes its source to that file. Other sources do not change.
///
/// The standard input can be read only once, and the texts and the kept output need it again.
///
/// # Errors
/// Writing fails, or the job is cancelled.
pub fn spool_stdin(sources: &mut [Source], target: &Path, control: &JobControl) -> Result<()> {
    for source in sources.iter_mut().filter(|source| source.is_stdin()) {
        source.bytes = copy(&mut std::io::stdin().lock(), target, control)?;
        source.path = target.to_owned();
    }
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
