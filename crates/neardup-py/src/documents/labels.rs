//! Reading label files for the evaluation.

use crate::documents::table::ArrowTable;
use crate::errors::raised;
use neardup_engine::read_table as read_parquet;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::path::PathBuf;

#[pyfunction]
pub fn unpack(py: Python<'_>, path: PathBuf) -> PyResult<Cow<'static, [u8]>> {
    let bytes = py.detach(|| neardup_corpus::unpack(&path)).map_err(|error| raised(py, &error.into()))?;
    Ok(Cow::Owned(bytes))
}

#[pyfunction]
pub fn pack(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    py.detach(|| neardup_corpus::pack(&path, content)).map_err(|error| raised(py, &error.into()))
}

#[pyfunction]
pub fn read_table(py: Python<'_>, path: PathBuf) -> PyResult<ArrowTable> {
    let (schema, batches) = py.detach(|| read_parquet(&path)).map_err(|error| raised(py, &error))?;
    Ok(ArrowTable { schema, batches })
}
