//! A file that is renamed to its name when it is complete, so that a name always belongs to a complete file.

use crate::{Error, Result};
use neardup_disk::durable::sync_folder;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Suffix of the names of incomplete files.
pub(crate) const PARTIAL: &str = ".partial";

/// An incomplete file, written beside its final path. It is removed if it is dropped before it is finished.
#[derive(Debug)]
pub struct Partial {
    file: File,
    aside: Aside,
    path: PathBuf,
}

#[derive(Debug)]
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        // After the rename there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

impl Partial {
    /// Creates the file that will be at `path`, as `NAME.partial`.
    pub fn create(path: &Path) -> Result<Partial> {
        let mut aside = path.as_os_str().to_owned();
        aside.push(PARTIAL);
        let aside = Aside(aside.into());
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&aside.0);
        Ok(Partial { file: file.map_err(Error::file(path, "write"))?, aside, path: path.to_path_buf() })
    }

    /// Renames the file to its name, and replaces an older file of that name. File and name are on the disk when this returns.
    pub fn finish(self) -> Result<File> {
        let named = self.file.sync_all().and_then(|()| fs::rename(&self.aside.0, &self.path));
        let lasts = named.and_then(|()| sync_folder(self.path.parent().unwrap_or(Path::new(""))));
        lasts.map_err(Error::file(&self.path, "write"))?;
        Ok(self.file)
    }
}

impl Write for Partial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
