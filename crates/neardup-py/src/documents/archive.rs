//! Records of web archives, read by the caller's Python function.

use neardup_corpus::ArchiveRecords;
use neardup_corpus::{ArchiveRecord, RecordContent, SourceSpan};
use neardup_engine::ExternalError;
use pyo3::prelude::*;
use std::path::Path;

type ArchiveTuple = (u64, u64, Option<String>, Option<String>, Option<String>, Option<String>, Option<String>);

/// Calls `function(path)`, which returns an iterator of (offset, length, url, time, text, reason, passed over as). If there is
/// a text, the reason is its flaw.
pub fn open(function: &Py<PyAny>, path: &Path) -> Result<ArchiveRecords, ExternalError> {
    let records = Python::attach(|py| Ok(function.bind(py).call1((path,))?.try_iter()?.into_any().unbind()))
        .map_err(|error: PyErr| ExternalError::from(error))?;
    Ok(Box::new(std::iter::from_fn(move || {
        let next = Python::attach(|py| {
            let Some(item) = records.bind(py).try_iter()?.next() else { return Ok(None) };
            let (offset, len, url, time, text, reason, passed_over): ArchiveTuple = item?.extract()?;
            let (content, flaw) = match (text, passed_over) {
                (Some(text), _) => (RecordContent::Text(text), reason),
                (None, Some(kind)) => (RecordContent::PassedOver(kind), None),
                (None, None) => (RecordContent::Refused(reason.unwrap_or_default()), None),
            };
            Ok(Some(ArchiveRecord { id: None, url, time, span: SourceSpan { offset, len }, content, flaw }))
        });
        next.map_err(|error: PyErr| ExternalError::from(error)).transpose()
    })))
}
