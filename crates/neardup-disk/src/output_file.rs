//! An output that is one file. It is written aside and renamed when it is complete.

use crate::owned::resolved;
use crate::{Error, Result};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf, is_separator};
use tempfile::NamedTempFile;

/// An incomplete output file. If it is dropped before it is finished, it is removed.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    aside: NamedTempFile,
}

impl OutputFile {
    /// Creates the file under a temporary name in the folder of `target`. If `target` is a link, the output is the file that it
    /// points to, and the link stays. `is_own` returns whether an existing file is an output of this command; `what` describes such
    /// an output.
    ///
    /// # Errors
    /// [`Error::Refused`] if `target` is a folder; if it exists and `overwrite` is false; or if it exists and `is_own` rejects it.
    pub fn create(target: &Path, overwrite: bool, what: &str, is_own: impl FnOnce(&Path) -> bool) -> Result<OutputFile> {
        let is_named_as_folder = target.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(last.into()));
        let target = resolved(target)?;
        if is_named_as_folder || target.is_dir() {
            return Err(Error::refused(&target, "it is a folder; give the name of a file"));
        }
        if target.exists() && !overwrite {
            return Err(Error::refused(&target, "the file is there already; give another name, or --overwrite"));
        }
        if target.exists() && !(target.is_file() && is_own(&target)) {
            return Err(Error::refused(&target, format_args!("not {what}, so --overwrite does not replace it; give another name")));
        }
        let name = target.file_name().ok_or_else(|| Error::refused(&target, "not a name for a file"))?;
        let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut start = name.to_os_string();
        start.push(".");
        // Created here and not by the library, so that it has the permissions of any new file, and errors do not show the temporary
        // name.
        let create = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
        let aside = tempfile::Builder::new().prefix(&start).suffix(".partial").make_in(folder, create);
        let aside = aside.map_err(Error::file(&target, "write"))?;
        Ok(OutputFile { target, aside })
    }

    /// The path under which the file is being written.
    pub fn path(&self) -> &Path {
        self.aside.path()
    }

    /// Writes `bytes` behind those that are written already.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.aside.write_all(bytes).map_err(Error::file(&self.target, "write"))
    }

    /// Renames the complete file to its final name.
    pub fn finish(self) -> Result<()> {
        let OutputFile { target, aside } = self;
        aside.persist(&target).map_err(|error| Error::file(&target, "put into place")(error.error))?;
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.aside.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.aside.flush()
    }
}
