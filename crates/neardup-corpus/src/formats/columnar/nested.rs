//! Nested columns: the members of structs, and the items of lists.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_schema::{DataType, Fields};
use arrow_select::nullif::nullif;

use super::values::ValueColumn;
use crate::records::field_name::{ITEMS, SEPARATOR, splits};
use crate::texts::strings::TextColumn;

/// A step from a column to a nested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnStep {
    /// The member of a struct, or the column of a table, at this index.
    Member(usize),
    /// Every item of a list.
    Items,
}

/// Returns the steps of a path, of which the first is a column. Returns `None` if there is no such column.
pub(crate) fn locate(fields: &Fields, path: &str) -> Option<Vec<ColumnStep>> {
    splits(path).find_map(|(name, rest)| {
        let member = fields.iter().position(|field| field.name() == name)?;
        Some([vec![ColumnStep::Member(member)], follow(fields[member].data_type(), rest)?].concat())
    })
}

fn follow(kind: &DataType, rest: &str) -> Option<Vec<ColumnStep>> {
    if rest.is_empty() {
        return Some(Vec::new());
    }
    match kind {
        DataType::Struct(fields) => locate(fields, rest.strip_prefix('.')?),
        _ => Some([vec![ColumnStep::Items], follow(item(kind)?, rest.strip_prefix(ITEMS)?)?].concat()),
    }
}

/// Returns the type of the items of a list.
pub(crate) fn item(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::ListView(item) | DataType::LargeListView(item) => {
            Some(item.data_type())
        }
        DataType::FixedSizeList(item, _) => Some(item.data_type()),
        _ => None,
    }
}

/// Returns the column of a path without lists, or the first list on the path.
pub(crate) fn column(batch: &RecordBatch, steps: &[ColumnStep]) -> Option<ArrayRef> {
    let [ColumnStep::Member(first), rest @ ..] = steps else { return None };
    let mut column = batch.column(*first).clone();
    for step in rest {
        let ColumnStep::Member(member) = step else { break };
        column = masked(&column, *member)?;
    }
    Some(column)
}

/// Returns a member of a struct, which is null where the struct is.
fn masked(column: &ArrayRef, member: usize) -> Option<ArrayRef> {
    let whole = column.as_struct_opt()?;
    let part = whole.column(member);
    match whole.nulls() {
        Some(nulls) if *part.data_type() != DataType::Null => nullif(part, &BooleanArray::new(!nulls.inner(), None)).ok(),
        _ => Some(part.clone()),
    }
}

/// The texts of each row, in lists or not.
enum TextTree {
    Texts(ValueColumn),
    Lists { ends: OffsetBuffer<i64>, nulls: Option<NullBuffer>, items: Box<TextTree> },
}

impl TextTree {
    fn new(column: &ArrayRef, steps: &[ColumnStep]) -> Option<TextTree> {
        match steps.split_first() {
            None => ValueColumn::texts(column).map(TextTree::Texts),
            Some((ColumnStep::Member(member), rest)) => TextTree::new(&masked(column, *member)?, rest),
            Some((ColumnStep::Items, rest)) => {
                let kind = column.data_type();
                let lists = match kind {
                    DataType::LargeList(_) => column.clone(),
                    DataType::List(item) | DataType::FixedSizeList(item, _) | DataType::ListView(item) | DataType::LargeListView(item) => {
                        cast(column, &DataType::LargeList(item.clone())).ok()?
                    }
                    _ => return None,
                };
                let lists = lists.as_list::<i64>();
                let items = Box::new(TextTree::new(lists.values(), rest)?);
                Some(TextTree::Lists { ends: lists.offsets().clone(), nulls: lists.nulls().cloned(), items })
            }
        }
    }

    /// Adds the texts of a row that are not empty. The error is a value that is no text.
    fn gather<'t>(&'t self, row: usize, texts: &mut Vec<&'t str>) -> Result<(), &'t str> {
        match self {
            TextTree::Texts(column) => texts.extend(column.get(row)?.filter(|text| !text.is_empty())),
            TextTree::Lists { nulls, .. } if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) => {}
            TextTree::Lists { ends, items, .. } => {
                (ends[row] as usize..ends[row + 1] as usize).try_for_each(|item| items.gather(item, texts))?;
            }
        }
        Ok(())
    }
}

/// Joins the texts of several paths, row by row. Missing, null and empty texts are left out. Returns the path whose values are no
/// texts as an error.
pub(crate) fn joined(batch: &RecordBatch, paths: &[Vec<ColumnStep>]) -> Result<ValueColumn, usize> {
    let tree = |(number, steps): (usize, &Vec<ColumnStep>)| {
        let ColumnStep::Member(first) = steps[0] else { return Err(number) };
        TextTree::new(batch.column(first), &steps[1..]).ok_or(number)
    };
    let trees = paths.iter().enumerate().map(tree).collect::<Result<Vec<_>, _>>()?;
    let mut refused = BTreeMap::new();
    let mut row_texts = |row: usize| {
        let mut texts = Vec::new();
        match trees.iter().try_for_each(|tree| tree.gather(row, &mut texts)) {
            Ok(()) => (!texts.is_empty()).then(|| texts.join(SEPARATOR)),
            Err(value) => {
                refused.insert(row, value.to_owned());
                None
            }
        }
    };
    let texts: LargeStringArray = (0..batch.num_rows()).map(&mut row_texts).collect();
    Ok(ValueColumn::made(TextColumn::Large(texts), refused))
}

/// Returns the paths of all values of a type, each after `before`.
pub(crate) fn paths(before: &str, kind: &DataType, into: &mut Vec<String>) {
    match kind {
        DataType::Struct(fields) if !fields.is_empty() => {
            fields.iter().for_each(|field| paths(&format!("{before}.{}", field.name()), field.data_type(), into));
        }
        kind => match item(kind) {
            Some(item) => paths(&format!("{before}{ITEMS}"), item, into),
            None => into.push(before.to_owned()),
        },
    }
}
