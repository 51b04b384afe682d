//! Terms for search engines.

use neardup_text::SearchTerm;
use pyo3::prelude::*;

#[pyfunction]
pub fn search_terms(py: Python<'_>, text: &str) -> Vec<(String, String)> {
    let terms = py.detach(|| neardup_text::search_terms(text));
    terms.into_iter().map(|SearchTerm { word, parts, .. }| (word, parts)).collect()
}

#[pyfunction]
pub fn query_terms(py: Python<'_>, query: &str) -> Vec<(String, String, bool)> {
    let terms = py.detach(|| neardup_text::query_terms(query));
    terms.into_iter().map(|SearchTerm { word, parts, open }| (word, parts, open)).collect()
}
