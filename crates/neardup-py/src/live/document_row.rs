//! Documents as an index returns them.

use crate::documents::time::Time;
use neardup_core::util::ids::DocId;
use neardup_live::decide::verdict::name;
use neardup_live::snapshot::contents::Snapshot;

/// Number of arrival, id, text, url, time, original.
pub type RowTuple = (u64, String, String, Option<String>, Option<Time>, String);

/// Returns the document with this number.
pub fn document_row(contents: &Snapshot, number: DocId) -> RowTuple {
    let document_table = &contents.index_state.document_table;
    let row = document_table.row(number);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let original = name(&document_table.row(contents.index_state.state.original(number)));
    let url = Some(text(row.url)).filter(|url| !url.is_empty());
    (row.serial, name(&row), text(row.text), url, row.has_time().then(|| Time::of(row.time)), original)
}
