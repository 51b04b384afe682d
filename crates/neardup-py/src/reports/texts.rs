//! Two texts side by side, with the passages that they share highlighted; their difference in a line, and the title of each.

use crate::errors::raised;
use crate::scheme::parse;
use neardup_core::passages::find_passages;
use neardup_core::scheme::Scheme;
use neardup_report::{HighlightedText, render_texts};
use neardup_text::locate;
use pyo3::prelude::*;

#[pyfunction]
pub fn compare_texts(py: Python<'_>, left: &str, right: &str, scheme: &str, limit: usize) -> PyResult<String> {
    let scheme = parse(py, scheme)?;
    py.detach(|| compared(left, right, &scheme, limit)).map_err(|error| raised(py, &error))
}

#[pyfunction]
pub fn difference(py: Python<'_>, left: &str, right: &str) -> String {
    py.detach(|| neardup_report::texts::difference::difference(left, right).to_string())
}

#[pyfunction]
pub fn title(text: &str) -> String {
    neardup_report::texts::title::title(text)
}

fn compared(left: &str, right: &str, scheme: &Scheme, limit: usize) -> neardup_engine::Result<String> {
    let pass = neardup_engine::compiled(scheme)?;
    let [left_tokens, right_tokens] = [left, right].map(|text| locate(pass.rules, pass.seed, text));
    let found = find_passages(&left_tokens, &right_tokens, pass.features.passage()).passages;
    let left = HighlightedText::new(left, found.iter().map(|passage| passage.left_bytes.clone()));
    let right = HighlightedText::new(right, found.iter().map(|passage| passage.right_bytes.clone()));
    Ok(render_texts(&left, &right, limit))
}
