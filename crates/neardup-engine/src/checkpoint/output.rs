//! The output folder, which is written aside and renamed when it is complete.

use crate::tables::parquet_file;
use crate::tables::table::Table;
use crate::{Error, Result};
use arrow_array::RecordBatch;
use neardup_disk::OutputFolder;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that makes a folder a finished result.
pub const RUN: &str = "run.json";
/// Name of the work folder, which only the run itself needs.
pub const WORK: &str = "work";

/// Removes a file or folder, if it exists.
pub fn remove(path: &Path) -> Result<()> {
    let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match gone {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file(path, "remove")(error)),
        _ => Ok(()),
    }
}

/// The folder of results, until it is complete.
pub struct Output(OutputFolder);

impl Output {
    /// Returns the folder in which a run with the output `target` makes its results.
    pub fn aside(target: &Path) -> Result<PathBuf> {
        Ok(OutputFolder::aside(target)?)
    }

    /// Opens the folder in which the results are made, including what a stopped run left there.
    ///
    /// # Errors
    /// As [`OutputFolder::open`].
    pub fn open(target: &Path, overwrite: bool) -> Result<Self> {
        Ok(Output(OutputFolder::open(target, "result", overwrite)?))
    }

    /// Returns the folder in which the results are made.
    pub fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// Claims a file that the run writes, and returns its path.
    pub fn file(&self, name: &str) -> Result<PathBuf> {
        Ok(self.0.claim(name)?)
    }

    /// Claims a folder in which only the run writes, and returns its path.
    pub fn tree(&self, name: &str) -> Result<PathBuf> {
        Ok(self.0.claim_tree(name)?)
    }

    /// Removes what an earlier run may have written, except the work folder: a result must not contain files of another.
    pub fn clear(&self) -> Result<()> {
        Ok(self.0.clear(Some(WORK))?)
    }

    /// Writes a text file, which appears when it is complete.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let (path, aside) = (self.file(name)?, self.file(&format!("{name}.new"))?);
        fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path)).map_err(Error::file(&path, "write"))
    }

    /// Writes rows that are in memory as Parquet.
    pub fn rows(&self, name: &str, rows: &RecordBatch) -> Result<()> {
        let all = Some(0..rows.num_rows()).filter(|rows| !rows.is_empty());
        parquet_file::write(&self.file(name)?, &rows.schema(), all.as_slice(), 1, &|_| Ok(rows.clone()))
    }

    /// Writes a table as Parquet, slice by slice.
    pub fn table(&self, name: &str, table: &dyn Table) -> Result<()> {
        parquet_file::write(&self.file(name)?, &table.schema(), &table.slices(), table.at_once(), &|rows| table.slice(rows))
    }

    /// Claims and creates the work folder, and returns its path.
    pub fn work(&self) -> Result<PathBuf> {
        let path = self.tree(WORK)?;
        fs::create_dir_all(&path).map_err(Error::file(&path, "make the folder"))?;
        Ok(path)
    }

    /// Moves the finished result to its place, without the work folder.
    pub fn finish(self) -> Result<()> {
        Ok(self.0.finish(Some(WORK))?)
    }

    /// Removes the folder, which contains nothing to resume.
    pub fn give_up(self) -> Result<()> {
        Ok(self.0.give_up()?)
    }
}
