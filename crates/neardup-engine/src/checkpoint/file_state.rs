//! The state of a file, which differs after the file is written. Size and modification time alone are not enough: an input may
//! be written in place with both unchanged.

use crate::{Error, Result};
use neardup_corpus::Source;
use neardup_disk::positioned::read_at;
use neardup_disk::regular;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// Number of bytes read at each end of a file.
const END: usize = 64 << 10;

/// Returns the size, the modification time, the time of the last change of any kind if the system keeps it, and a digest of
/// both ends.
pub fn state(path: &Path) -> io::Result<String> {
    let file = regular::open(path)?;
    let meta = file.metadata()?;
    let mut digest = blake3::Hasher::new();
    let mut room = vec![0; END];
    for start in [0, meta.len().saturating_sub(END as u64)] {
        let count = read_at(&file, &mut room, start)?;
        digest.update(&room[..count]);
    }
    Ok(format!("{} {:?} {:?} {}", meta.len(), meta.modified()?, changed(&meta), digest.finalize().to_hex()))
}

/// The files of a run, with their sizes and modification times. They must not change while it works: it reads texts again to
/// compare them, and writes kept files by the places that it read before.
pub struct FileStates(Vec<(PathBuf, String)>);

impl FileStates {
    /// Records the sizes and modification times of the files.
    ///
    /// # Errors
    /// [`Error::File`] for a file that cannot be read.
    pub fn of<'a>(sources: impl IntoIterator<Item = &'a Source>) -> Result<Self> {
        let stamped = sources.into_iter().map(|source| Ok((source.given().to_owned(), stamp(source.given())?)));
        Ok(FileStates(stamped.collect::<Result<_>>()?))
    }

    /// Returns what was recorded, a line for each file.
    pub fn stamps(&self) -> String {
        self.0.iter().map(|(path, stamp)| format!("{} {stamp}\n", path.display())).collect()
    }

    /// Compares the files with what was recorded.
    ///
    /// # Errors
    /// [`neardup_corpus::Error::Changed`] for the first file that was written since.
    pub fn check(&self) -> Result<()> {
        for (path, before) in &self.0 {
            if stamp(path)? != *before {
                return Err(neardup_corpus::Error::Changed { path: path.clone() }.into());
            }
        }
        Ok(())
    }
}

fn stamp(path: &Path) -> Result<String> {
    let stamp = path.metadata().and_then(|meta| Ok(format!("{} {:?}", meta.len(), meta.modified()?)));
    stamp.map_err(Error::file(path, "read"))
}

#[cfg(unix)]
fn changed(meta: &Metadata) -> Option<(i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.ctime(), meta.ctime_nsec()))
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> Option<(i64, i64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_is_written_in_place_has_another_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![b'a'; 3 * END]).unwrap();
        let before = state(&path).unwrap();
        assert_eq!(state(&path).unwrap(), before);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        for place in [0, 2 * END, 3 * END - 1] {
            let mut bytes = vec![b'a'; 3 * END];
            bytes[place] = b'b';
            fs::write(&path, &bytes).unwrap();
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
            assert_ne!(state(&path).unwrap(), before, "{place}");
        }
        assert!(state(&folder.path().join("nothing")).is_err());
    }
}
