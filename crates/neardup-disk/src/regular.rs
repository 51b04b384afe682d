//! Files as they are meant to be: a named pipe that nobody writes, and a device, would keep a reader waiting for ever.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Opens a file; a pipe, a device or a socket is [`ErrorKind::InvalidInput`].
pub fn open(path: &Path) -> Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return File::open(path);
    }
    Err(Error::new(ErrorKind::InvalidInput, "it is neither a file nor a folder"))
}

/// Reads a whole file, as [`open`] opens it.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file of UTF-8, as [`open`] opens it.
pub fn read_to_string(path: &Path) -> Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "quay").unwrap();
        assert_eq!(read(&path).unwrap(), b"quay");
        assert_eq!(read_to_string(&path).unwrap(), "quay");
        assert!(open(&folder.path().join("nothing")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        assert_eq!(open(Path::new("/dev/zero")).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
