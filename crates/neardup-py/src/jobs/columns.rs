//! The columns of the result tables.

use pyo3::prelude::*;

/// Name, type, whether the digest includes it, and meaning.
type ColumnTuple = (&'static str, &'static str, bool, &'static str);

#[pyfunction]
pub fn result_columns(table: &str) -> Vec<ColumnTuple> {
    let columns = neardup_engine::described().into_iter().filter(|column| column.table == table);
    columns.map(|column| (column.name, column.kind, column.digested, column.meaning)).collect()
}
