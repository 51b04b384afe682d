use std::io::Read;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

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
    fn what_cannot_be_read_is_named() {
        for (name, word) in [("missing.jsonl", "cannot read"), ("labels.xls", "unknown kind of file")] {
            let error = unpack(Path::new(name)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(word), "{error}");
        }
    }
}
