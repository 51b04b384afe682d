//! Records of web archives, read by the caller's Python function.

use neardup_corpus::ArchiveRecords;
use neardup_corpus::{ArchiveRecord, RecordContent, ResponsePlace, SourceSpan};
use neardup_engine::ExternalError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

type ArchiveTuple =
    (u64, u64, Option<String>, Option<String>, Option<String>, Option<String>, Option<String>, Vec<String>, Option<(PathBuf, u64)>);

/// Calls `function(path, all)`, which returns an iterator of (offset, length, url, time, text, reason, passed over as, flaws of the
/// text, place of the response of a revisit). `all` lists the archives in which such responses may be.
pub fn open(function: &Py<PyAny>, path: &Path, all: &[PathBuf]) -> Result<ArchiveRecords, ExternalError> {
    let records = Python::attach(|py| Ok(function.bind(py).call1((path, all.to_vec()))?.try_iter()?.into_any().unbind()))
        .map_err(|error: PyErr| ExternalError::from(error))?;
    Ok(Box::new(std::iter::from_fn(move || {
        let next = Python::attach(|py| {
            let Some(item) = records.bind(py).try_iter()?.next() else { return Ok(None) };
            let (offset, len, url, time, text, reason, passed_over, flaws, response): ArchiveTuple = item?.extract()?;
            let response = response.map(|(path, offset)| ResponsePlace { path, offset });
            let content = match (text, passed_over) {
                (Some(text), _) => RecordContent::Text(text),
                (None, Some(kind)) => RecordContent::PassedOver(kind),
                (None, None) => RecordContent::Refused(reason.unwrap_or_default()),
            };
            Ok(Some(ArchiveRecord { id: None, url, time, span: SourceSpan { offset, len }, content, response, flaws }))
        });
        next.map_err(|error: PyErr| ExternalError::from(error)).transpose()
    })))
}
