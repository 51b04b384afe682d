//! Waiting until written data is on the disk.

use std::fs::File;
use std::io;
use std::path::Path;

/// Waits until the file at `path` is on the disk, even if another process wrote it.
pub fn sync_file(path: &Path) -> io::Result<()> {
    // Windows syncs only files that are open for writing.
    File::options().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// Waits until the names in a folder are on the disk. An empty path means the current folder.
///
/// On Windows this does nothing: a folder cannot be opened as a file there, and NTFS keeps its own journal of names.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "quay").unwrap();
        sync_file(&path).unwrap();
        sync_folder(folder.path()).unwrap();
        sync_folder(Path::new("")).unwrap();
        assert!(sync_file(&folder.path().join("nothing")).is_err());
    }
}
