//! Files that follow each other in one stream.

use std::io::{Read, Write};

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Number of bytes that are read at once.
const ROOM: usize = 1 << 18;

/// Whether the last line of a source has no line end. An empty source lacks none.
pub fn lacks_line_end(source: &Source) -> Result<bool> {
    let control = JobControl::default();
    let mut stream = open(source, &control, None)?;
    let (mut room, mut last) = (vec![0; ROOM], b'\n');
    loop {
        match stream.read(&mut room).map_err(Error::io(&source.path, "read"))? {
            0 => return Ok(!matches!(last, b'\n' | b'\r')),
            count => last = room[count - 1],
        }
    }
}

/// Returns a line end that may follow a source, in its compression.
pub fn line_end(source: &Source) -> Result<Vec<u8>> {
    let mut packed = Vec::new();
    let end = source.encoding.encode("\n").unwrap_or_default();
    let mut encoder = source.compression.encoder(&mut packed).map_err(Error::io(&source.path, "compress"))?;
    encoder.write_all(&end).and_then(|()| encoder.finish()).map_err(Error::io(&source.path, "compress"))?;
    Ok(packed)
}
