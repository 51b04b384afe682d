//! The output folder: written aside, renamed into place when all is done.

use crate::tables::Table;
use crate::{Error, Result, parquet_file};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file that makes a folder a finished result.
pub const RUN: &str = "run.json";
const LOCK: &str = "lock";
const WORK: &str = "work";

/// Removes a file or folder, if it is there.
pub fn remove(path: &Path) -> Result<()> {
    let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match gone {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file(path, "remove")(error)),
        _ => Ok(()),
    }
}

/// Reads a table of a finished result.
pub fn read_table(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let rows = open_table(path)?;
    let schema = arrow_array::RecordBatchReader::schema(&rows);
    Ok((schema, rows.collect::<Result<_, _>>().map_err(Error::file(path, "read"))?))
}

/// Reads a table of a finished result, some rows at a time.
pub fn read_batches(path: &Path) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    Ok(open_table(path)?.map(|rows| rows.map_err(Error::file(path, "read"))))
}

fn open_table(path: &Path) -> Result<ParquetRecordBatchReader> {
    let file = File::open(path).map_err(Error::file(path, "read"))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(Error::file(path, "read"))?;
    builder.build().map_err(Error::file(path, "read"))
}

/// A folder of results while it is made.
pub struct Output {
    target: PathBuf,
    partial: PathBuf,
    overwrite: bool,
    // Held until the process ends or the output is done: two runs must not write one result.
    lock: File,
}

impl Output {
    /// Opens `TARGET.partial` beside `target`, whatever an interrupted run left there.
    pub fn open(target: &Path, overwrite: bool) -> Result<Self> {
        if target.exists() && !overwrite {
            return Err(Error::Usage(format!("{}: the output is there already; give another folder, or --overwrite", target.display())));
        }
        if target.exists() && !target.join(RUN).is_file() && fs::read_dir(target).map_or(true, |mut entries| entries.next().is_some()) {
            return Err(Error::Usage(format!(
                "{}: not a result of neardup (it has no {RUN}), so it is not overwritten; give another folder",
                target.display()
            )));
        }
        let mut name = target
            .file_name()
            .ok_or_else(|| Error::Usage(format!("{}: not a name for an output folder", target.display())))?
            .to_os_string();
        name.push(".partial");
        let partial = target.with_file_name(name);
        fs::create_dir_all(&partial).map_err(Error::file(&partial, "make the folder"))?;
        let path = partial.join(LOCK);
        let lock = File::create(&path).map_err(Error::file(&path, "write"))?;
        match lock.try_lock() {
            // One that is gone is that of a run which has just put its result in place.
            Ok(()) if path.exists() => Ok(Output { target: target.to_path_buf(), partial, overwrite, lock }),
            Ok(()) | Err(TryLockError::WouldBlock) => {
                Err(Error::Usage(format!("{}: another run is writing it; wait for it, or give another folder", target.display())))
            }
            Err(TryLockError::Error(error)) => Err(Error::file(&path, "lock")(error)),
        }
    }

    /// The path of a result or work file while the run goes on.
    pub fn path(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// Removes what a run before this one may have written: a result must not hold another's files.
    pub fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.partial).map_err(Error::file(&self.partial, "read"))? {
            let name = entry.map_err(Error::file(&self.partial, "read"))?.file_name();
            if name != WORK && name != LOCK {
                remove(&self.partial.join(name))?;
            }
        }
        Ok(())
    }

    /// Writes a text file, which is there when it is whole.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let (path, aside) = (self.path(name), self.path(&format!("{name}.new")));
        fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path)).map_err(Error::file(&path, "write"))
    }

    /// Writes rows that are in memory as Parquet.
    pub fn rows(&self, name: &str, rows: &RecordBatch) -> Result<()> {
        let all = Some(0..rows.num_rows()).filter(|rows| !rows.is_empty());
        parquet_file::write(&self.path(name), &rows.schema(), all.as_slice(), 1, &|_| Ok(rows.clone()))
    }

    /// Writes a table as Parquet, slice by slice.
    pub fn table(&self, name: &str, table: &dyn Table) -> Result<()> {
        parquet_file::write(&self.path(name), &table.schema(), &table.slices(), table.at_once(), &|rows| table.slice(rows))
    }

    /// The folder for what only the run itself needs.
    pub fn work(&self) -> Result<PathBuf> {
        let path = self.path(WORK);
        fs::create_dir_all(&path).map_err(Error::file(&path, "make the folder"))?;
        Ok(path)
    }

    /// Puts the finished result in its place.
    pub fn finish(self) -> Result<()> {
        let old = self.path("").with_extension("replaced");
        if self.overwrite && self.target.exists() {
            let _ = fs::remove_dir_all(&old);
            fs::rename(&self.target, &old).map_err(Error::file(&self.target, "move aside"))?;
        }
        remove(&self.path(WORK))?;
        if cfg!(windows) {
            // There a folder with an open file has a name that stays.
            drop(self.lock);
        }
        fs::rename(&self.partial, &self.target).map_err(Error::file(&self.target, "put into place"))?;
        // Only now: whoever finds none in a folder that goes would hold nothing.
        remove(&self.target.join(LOCK))?;
        if old.exists() {
            fs::remove_dir_all(&old).map_err(Error::file(&old, "remove"))?;
        }
        Ok(())
    }
}
