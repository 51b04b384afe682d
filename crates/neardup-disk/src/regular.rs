//! Opening regular files only. Reading a device, or a named pipe without a writer, could block for ever.

use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Opens a file for reading; fails with [`ErrorKind::InvalidInput`] for a pipe, a device or a socket.
pub fn open(path: &Path) -> Result<File> {
    open_as(path, File::options().read(true))
}

/// Opens a file with `options`, which may create it; fails as [`open`] does.
pub fn open_as(path: &Path, options: &OpenOptions) -> Result<File> {
    match fs::metadata(path).map(|found| found.file_type()) {
        Ok(kind) if !kind.is_file() && !kind.is_dir() => Err(Error::new(ErrorKind::InvalidInput, "it is neither a file nor a folder")),
        Ok(_) | Err(_) => options.open(path),
    }
}

/// Reads a whole file; fails as [`open`] does.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file of UTF-8; fails as [`open`] does.
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
        let device = Path::new("/dev/zero");
        assert_eq!(open(device).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(open_as(device, File::options().create(true).write(true)).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
