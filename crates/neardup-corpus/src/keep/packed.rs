use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Writes the decompressed bytes without the dropped spans, as one gzip member.
pub(super) fn keep_gzip(source: &Source, dropped: &[SourceSpan], output: File, target: &Path, control: &JobControl) -> Result<()> {
    let mut encoder = flate2::write::GzEncoder::new(BufWriter::new(output), flate2::Compression::default());
    pass(source, dropped, &mut encoder, target, control)?;
    encoder.finish().and_then(|mut output| output.flush()).map_err(Error::io(target, "write"))
}

/// Writes the decompressed bytes without the dropped spans, as one Zstandard frame.
pub(super) fn keep_zstd(source: &Source, dropped: &[SourceSpan], output: File, target: &Path, control: &JobControl) -> Result<()> {
    let failed = || Error::io(target, "write");
    let mut encoder = zstd::Encoder::new(BufWriter::new(output), zstd::DEFAULT_COMPRESSION_LEVEL).map_err(failed())?;
    pass(source, dropped, &mut encoder, target, control)?;
    encoder.finish().and_then(|mut output| output.flush()).map_err(failed())
}

/// Turns an empty output into a compressed file of empty content: zero bytes are neither valid gzip nor valid Zstandard.
pub(super) fn fill_empty(compression: Compression, output: &File) -> io::Result<()> {
    match compression {
        Compression::Gzip if output.metadata()?.len() == 0 => {
            flate2::write::GzEncoder::new(output, flate2::Compression::default()).finish().map(|_| ())
        }
        Compression::Zstd if output.metadata()?.len() == 0 => {
            zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?.finish().map(|_| ())
        }
        _ => Ok(()),
    }
}

fn pass(source: &Source, dropped: &[SourceSpan], output: &mut dyn Write, target: &Path, control: &JobControl) -> Result<()> {
    let mut input = open(source, control)?;
    let mut room = vec![0; 1 << 18];
    let mut dropped = dropped.iter().copied().peekable();
    let mut offset = 0;
    loop {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        while dropped.peek().is_some_and(|span| span.end() <= offset) {
            dropped.next();
        }
        let count = match input.read(&mut room) {
            Ok(0) if dropped.peek().is_some_and(|span| span.end() > offset) => {
                return Err(Error::Changed { path: source.path.clone() });
            }
            Ok(0) => return Ok(()),
            Ok(count) => count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // The record that broke off reaches past the end. Everything before it has been written.
            Err(_) if dropped.peek().is_some_and(|span| span.offset <= offset && offset < span.end()) => {
                return Ok(());
            }
            Err(error) => return Err(Error::io(&source.path, "decompress")(error)),
        };
        let end = offset + count;
        let mut from = offset;
        while from < end {
            // The next span that has not been passed limits the copy.
            while dropped.peek().is_some_and(|span| span.end() <= from) {
                dropped.next();
            }
            let (stop, resume) = dropped.peek().map_or((end, end), |span| (span.offset.clamp(from, end), span.end().min(end)));
            let run = &room[(from - offset) as usize..(stop - offset) as usize];
            output.write_all(run).map_err(Error::io(target, "write"))?;
            from = resume.max(stop);
        }
        offset = end;
    }
}

/// Compresses a few bytes, as a member or frame that may follow others.
pub(super) fn pack(bytes: &[u8], compression: Compression) -> io::Result<Vec<u8>> {
    match compression {
        Compression::None => Ok(bytes.to_vec()),
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        Compression::Zstd => zstd::encode_all(bytes, zstd::DEFAULT_COMPRESSION_LEVEL),
    }
}
