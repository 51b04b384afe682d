//! HTML to text, by the caller's Python function.

use neardup_corpus::Extracted;
use neardup_engine::ExternalError;
use pyo3::prelude::*;
use std::borrow::Cow;

/// text, reason, flaw
type ExtractedTuple = (Option<String>, Option<String>, Option<String>);

/// Calls `function(pages)` under the interpreter's lock. It returns (text, reason, flaw) for each page, of which the
/// text or the reason is given.
pub fn extract(function: &Py<PyAny>, pages: &[Cow<'_, str>]) -> Result<Vec<Extracted>, ExternalError> {
    Python::attach(|py| {
        let pages: Vec<&str> = pages.iter().map(AsRef::as_ref).collect();
        let answers: Vec<ExtractedTuple> = function.call1(py, (pages,))?.extract(py)?;
        let extracted = |(text, reason, flaw): ExtractedTuple| Extracted { text: text.ok_or_else(|| reason.unwrap_or_default()), flaw };
        Ok(answers.into_iter().map(extracted).collect())
    })
    .map_err(|error: PyErr| ExternalError::from(error))
}
