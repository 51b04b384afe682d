//! HTML to text, by the caller's Python function.

use neardup_engine::ExternalError;
use pyo3::prelude::*;
use std::borrow::Cow;

/// Calls `function(pages)` under the interpreter's lock. It returns (text, None) or (None, reason) for each page.
pub fn extract(function: &Py<PyAny>, pages: &[Cow<'_, str>]) -> Result<Vec<Result<String, String>>, ExternalError> {
    Python::attach(|py| {
        let pages: Vec<&str> = pages.iter().map(AsRef::as_ref).collect();
        let answers: Vec<(Option<String>, Option<String>)> = function.call1(py, (pages,))?.extract(py)?;
        Ok(answers.into_iter().map(|(text, reason)| text.ok_or_else(|| reason.unwrap_or_default())).collect())
    })
    .map_err(|error: PyErr| ExternalError::from(error))
}
