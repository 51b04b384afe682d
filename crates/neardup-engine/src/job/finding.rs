//! How the files of a job are found.

use crate::job::options::JobOptions;
use crate::{Error, Result};
use neardup_corpus::{CsvOptions, FindOptions, GivenEncoding};

impl JobOptions {
    /// Returns which files are read, and how their bytes are read.
    ///
    /// # Errors
    /// [`Error::Usage`] for a value that is not allowed.
    pub fn finding(&self) -> Result<FindOptions> {
        Ok(FindOptions {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            source_code: self.source_code,
            encoding: self.encoding.as_deref().map_or(Ok(GivenEncoding::default()), GivenEncoding::named).map_err(Error::Usage)?,
            csv: self.csv.as_deref().map_or(Ok(CsvOptions::default()), CsvOptions::parse).map_err(Error::Usage)?,
        })
    }
}
