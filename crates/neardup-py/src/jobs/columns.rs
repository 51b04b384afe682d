//! The columns of the result tables.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Name, type, whether the digest includes it, and meaning.
type ColumnTuple = (&'static str, &'static str, bool, &'static str);

#[pyfunction]
pub fn result_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for columns in neardup_engine::described().chunk_by(|left, right| left.table == right.table) {
        let described: Vec<ColumnTuple> =
            columns.iter().map(|column| (column.name, column.kind, column.digested, column.meaning)).collect();
        tables.set_item(columns[0].table, described)?;
    }
    Ok(tables)
}
