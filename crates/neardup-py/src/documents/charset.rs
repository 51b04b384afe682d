//! Bytes of pages from Python.

use pyo3::prelude::*;

#[pyfunction]
#[pyo3(signature = (body, charset=None, *, is_markup))]
pub fn decode_page(py: Python<'_>, body: &[u8], charset: Option<&str>, is_markup: bool) -> (String, Vec<String>) {
    let page = py.detach(|| neardup_corpus::decode_page(body, charset, is_markup));
    (page.text.into_owned(), page.flaws)
}
