//! Rows: the pairs of a finished run, read from its tables and converted back to documents.

use crate::findings::pairs::{PairRow, ScoredPair};
use crate::finished::{Finished, PairChoice, PairTable};
use crate::results::tables::{clusters, decisions, pairs};
use crate::tables::names::TableNames;
use crate::tables::read::read_batches;
use crate::tables::schema::PairColumns;
use crate::tables::table::VALUE;
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array, RecordBatch};
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};

impl PairTable {
    fn columns(self) -> PairColumns {
        match self {
            PairTable::Decisions => decisions::PAIR,
            PairTable::Clusters => clusters::PAIR,
            PairTable::Pairs => pairs::PAIR,
        }
    }
}

/// Returns the chosen pairs, in the store. Pairs of a run of `pairs` are in its order. Pairs of documents with originals or
/// leaders are grouped by these, all in input order. `order` is the order of the ids.
pub fn chosen(
    run: &Finished,
    choice: &PairChoice,
    names: &TableNames<'_>,
    order: &[DocId],
    store: &Store,
    room: usize,
) -> Result<List<PairRow>> {
    let together = |row: &PairRow| u64::from(row[1]) << 32 | u64::from(row[0]);
    for (asked, ids) in [("id", &choice.ids), ("cluster", &choice.clusters)] {
        let is_unknown = |id: &&String| names.find(order, id, false).or_else(|| names.find(order, id, true)).is_none();
        if let Some(id) = ids.iter().find(is_unknown) {
            return Err(Error::Usage(format!("{asked}: no document of the run has the id `{id}`")));
        }
    }
    let (mut listed, mut drawing, mut sorter) = (List::default(), choice.drawing(), Sorter::new(store, together, room));
    let stored = neardup_core::Error::from;
    let families = run.table != PairTable::Pairs;
    for rows in read_batches(&run.folder.join(run.table.file()))? {
        let mut kept = Vec::new();
        chosen_rows(run, choice, names, order, &rows?, &mut |left, right, row| match &mut drawing {
            Some(drawing) => drawing.push(left, right, row),
            None => kept.push(row),
        })?;
        if families { kept.into_iter().try_for_each(|row| sorter.push(row))? } else { listed.append(store, &kept).map_err(stored)? }
    }
    let drawn: Vec<PairRow> = drawing.into_iter().flat_map(super::choice::PairDraw::finish).collect();
    if families {
        drawn.into_iter().try_for_each(|row| sorter.push(row))?;
        return Ok(sorter.finish()?);
    }
    listed.append(store, &drawn).map_err(stored)?;
    Ok(listed)
}

/// Calls `take` with the chosen pairs among some rows of the table.
fn chosen_rows(
    run: &Finished,
    choice: &PairChoice,
    names: &TableNames<'_>,
    order: &[DocId],
    rows: &RecordBatch,
    take: &mut dyn FnMut(&str, &str, PairRow),
) -> Result<()> {
    let texts = |name: &str| rows.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    let numbers = |name: &str| rows.column_by_name(name).and_then(|column| column.as_primitive_opt::<UInt32Type>());
    let changed = || Error::Data(format!("{}: not as the run wrote it", run.folder.join(run.table.file()).display()));
    let PairColumns { left, right, cluster, counts } = run.table.columns();
    let (lefts, rights) = (texts(left).ok_or_else(changed)?, texts(right).ok_or_else(changed)?);
    let [shared, left_sizes, right_sizes] = counts.map(numbers);
    let values = rows.column_by_name(VALUE).and_then(|column| column.as_primitive_opt::<Float64Type>());
    let (clusters, rules, ins, passes) = (cluster.and_then(texts), texts("rule"), texts("original_in"), numbers("pass"));
    for row in 0..rows.num_rows() {
        let (left, right) = (lefts.value(row), rights.value(row));
        let of = |texts: Option<&'_ arrow_array::StringArray>| texts.map_or(String::new(), |texts| texts.value(row).to_owned());
        let in_reference = match run.table {
            PairTable::Pairs => names.against,
            _ => of(ins) == "reference",
        };
        // A kept document is its own original.
        if (left == right && !in_reference && run.table != PairTable::Pairs) || !choice.takes(left, right, &of(clusters), &of(rules)) {
            continue;
        }
        let find = |id: &str, in_reference: bool| names.find(order, id, in_reference).ok_or_else(changed);
        let count =
            |column: Option<&arrow_array::UInt32Array>| column.filter(|column| column.is_valid(row)).map_or(0, |column| column.value(row));
        let pair = ScoredPair {
            left: find(left, false)?,
            right: find(right, in_reference)?,
            rule: Rule::ALL.into_iter().find(|rule| rule.name() == of(rules)).unwrap_or(Rule::Near),
            pass: passes.filter(|passes| passes.is_valid(row)).map_or(0, |passes| passes.value(row) - 1),
            overlap: Overlap { shared: count(shared), left: count(left_sizes), right: count(right_sizes) },
            value: values.filter(|values| values.is_valid(row)).map(|values| values.value(row)).into(),
        };
        if pair.pass as usize >= run.passes {
            return Err(changed());
        }
        take(left, right, pair.into());
    }
    Ok(())
}

impl TableNames<'_> {
    /// Returns the document with an id, in the input or in the reference. `order` is the order of the ids.
    fn find(&self, order: &[DocId], id: &str, in_reference: bool) -> Option<DocId> {
        let reference = self.signed.reference;
        let among = if in_reference { reference..self.rows.len() as u32 } else { 0..reference };
        if self.ids.are_given() {
            let first = order.partition_point(|&document| self.ids.bytes(document.index()) < id.as_bytes());
            let equal = order[first..].iter().take_while(|&&document| self.ids.bytes(document.index()) == id.as_bytes());
            // The first document keeps an id that is repeated.
            return equal.copied().find(|document| among.contains(&document.0));
        }
        let (name, row) = id.rsplit_once(':')?;
        let row: u64 = row.parse().ok()?;
        let sources = &self.signed.catalogue.sources;
        let of_source = |source: u32| {
            let [start, end] = [source, source + 1].map(|source| self.source_of.partition_point(|&other| other < source));
            let document = DocId((start + self.rows[start..end].partition_point(|&other| other < row)) as u32);
            (document.index() < end && self.rows[document.index()] == row && among.contains(&document.0)).then_some(document)
        };
        (0..).zip(sources).filter(|(_, source)| *source == name).find_map(|(source, _)| of_source(source))
    }
}
