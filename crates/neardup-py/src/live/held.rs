//! Documents as an index gives them back.

use crate::documents::time::Time;
use neardup_live::decide::verdict::name;
use neardup_live::snapshot::contents::Snapshot;

/// Number of arrival, id, text, url, time, original.
pub type HeldTuple = (u64, String, String, Option<String>, Option<Time>, String);

/// The document of this number.
pub fn held(contents: &Snapshot, number: u32) -> HeldTuple {
    let stock = &contents.holdings.stock;
    let row = stock.row(number);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let original = name(&stock.row(contents.holdings.state.original(number)));
    let url = Some(text(row.url)).filter(|url| !url.is_empty());
    (row.serial, name(&row), text(row.text), url, row.has_time().then(|| Time::of(row.time)), original)
}
