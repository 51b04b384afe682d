use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::suffixes::{kind, known};
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Returns the whole content of a file with a known suffix. It is decompressed if its suffix says so.
///
/// It is for small files that are not documents, such as labels.
///
/// # Errors
/// An unknown suffix, a file that cannot be opened, or a compressed stream that is damaged or cut off.
pub fn unpack(path: &Path) -> Result<Vec<u8>> {
    let (format, compression) = kind(path).ok_or_else(|| Error::Suffix { path: path.to_owned(), known: known() })?;
    let source = Source::new(path.to_owned(), path.to_string_lossy().into_owned(), format, compression);
    let mut bytes = Vec::new();
    match open(&source, &JobControl::default(), None)?.read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Error::Damaged { name: source.name.clone(), reason: compression.damage(&error) }),
    }
}

/// Writes the whole content of a file with a known suffix. It is compressed if its suffix says so.
///
/// # Errors
/// An unknown suffix, or a file that cannot be written.
pub fn pack(path: &Path, content: &[u8]) -> Result<()> {
    let (_, compression) = kind(path).ok_or_else(|| Error::Suffix { path: path.to_owned(), known: known() })?;
    let file = File::create(path).map_err(Error::io(path, "write"))?;
    let written = compression.encoder(file).and_then(|mut encoder| {
        encoder.write_all(content)?;
        encoder.finish()
    });
    written.map_err(Error::io(path, "write"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const CONTENT: &[u8] = b"{\"a\": 1}\n\xff\n";

    #[test]
    fn plain_and_compressed_files_give_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(CONTENT).unwrap();
        let (gzip, zstd) = (gzip.finish().unwrap(), zstd::encode_all(CONTENT, 1).unwrap());
        for (name, bytes) in [("a.jsonl", CONTENT), ("a.csv.gz", &gzip), ("a.jsonl.zst", &zstd)] {
            assert_eq!(unpack(&write(name, bytes)).unwrap(), CONTENT, "{name}");
        }
        for (name, bytes) in [("b.csv.gz", &gzip[..gzip.len() - 9]), ("b.jsonl.zst", &zstd[..zstd.len() - 1])] {
            let error = unpack(&write(name, bytes)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("cut off"), "{error}");
        }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "a.txt.gz", "a.txt.zst", "a.txt.bz2", "a.txt.xz", "a.txt.lz4"] {
            let path = folder.path().join(name);
            pack(&path, CONTENT).unwrap();
            assert_eq!((unpack(&path).unwrap(), fs::read(&path).unwrap() == CONTENT), (CONTENT.to_vec(), name == "a.txt"), "{name}");
        }
        assert!(pack(Path::new("a.xls"), CONTENT).is_err());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (name, word) in [("missing.jsonl", "cannot read"), ("labels.xls", "unknown kind of file")] {
            let error = unpack(Path::new(name)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(word), "{error}");
        }
    }
}
