use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};

/// Number of bytes that are copied at once.
const ROOM: usize = 256 << 10;

/// Copies a stream to the new file `target`, and returns the number of its bytes. The inner error is one of reading.
///
/// # Errors
/// Writing fails, or the job is cancelled.
pub(super) fn copy(stream: &mut dyn Read, target: &Path, control: &JobControl) -> Result<io::Result<u64>> {
    let mut file = File::create(target).map_err(Error::io(target, "write"))?;
    let (mut room, mut bytes) = (vec![0; ROOM], 0);
    loop {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match stream.read(&mut room) {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(count) => {
                file.write_all(&room[..count]).map_err(Error::io(target, "write"))?;
                bytes += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}
