//! Waiting until the disk has what was written.

use std::fs::File;
use std::io;
use std::path::Path;

/// Waits until the file at `path` is on the disk, whichever process wrote it.
pub fn sync_file(path: &Path) -> io::Result<()> {
    // Windows waits only for processes that may write.
    File::options().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// Waits until the names in a folder are on the disk. No path at all is the current folder.
///
/// Windows opens no folder as a file, and NTFS keeps a journal of names by itself.
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
