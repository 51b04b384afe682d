//! Columns of the decisions that kept records get as fields.

use crate::job::Job;
use crate::results::decided_sources::DecidedSources;
use crate::tables::names::TableNames;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use neardup_corpus::{
    Added, AddedEdit, AddedField, AddedRow, AddedValue, Fields, Source, SourceSpan, extend, extended, extends, field_names,
};
use std::collections::HashSet;
use std::iter::Peekable;
use std::path::Path;

/// A column that may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddedColumn {
    DuplicateId,
    GroupSize,
    Id,
    Source,
    Row,
}

const COLUMNS: [(&str, AddedColumn); 5] = [
    ("duplicate_id", AddedColumn::DuplicateId),
    ("group_size", AddedColumn::GroupSize),
    ("id", AddedColumn::Id),
    ("source", AddedColumn::Source),
    ("row", AddedColumn::Row),
];

/// The fields that kept records get.
#[derive(Debug)]
pub struct AddedFields {
    columns: Vec<AddedColumn>,
    fields: Vec<AddedField>,
}

impl AddedFields {
    /// Returns the fields that a job adds; `None` if it adds none.
    ///
    /// # Errors
    /// [`Error::Usage`] for an unknown column and for a name that is given twice.
    pub fn of(job: &Job<'_>) -> Result<Option<AddedFields>> {
        job.options.add_fields.as_deref().map(AddedFields::parse).transpose()
    }

    fn parse(list: &str) -> Result<AddedFields> {
        let known = || COLUMNS.map(|(name, _)| name).join(", ");
        let (mut columns, mut fields, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for one in list.split(',') {
            let (column, name) = one.split_once('=').unwrap_or((one, one));
            let (column, name) = (column.trim(), name.trim());
            let Some((_, added)) = COLUMNS.iter().find(|(known, _)| *known == column) else {
                return Err(Error::Usage(format!("add_fields: `{column}` is no column that can be added; allowed are {}", known())));
            };
            if name.is_empty() {
                return Err(Error::Usage(format!("add_fields: `{one}` gives the field no name; write COLUMN or COLUMN=NAME")));
            }
            if !seen.insert(name.to_owned()) {
                return Err(Error::Usage(format!("add_fields: two fields are named \"{name}\"; write COLUMN=NAME for one of them")));
            }
            columns.push(*added);
            let is_number = matches!(added, AddedColumn::GroupSize | AddedColumn::Row);
            fields.push(AddedField { name: name.to_owned(), is_number });
        }
        Ok(AddedFields { columns, fields })
    }

    /// Refuses sources to which fields cannot be added, and those whose first record or header has a field of such a name.
    pub fn check(&self, sources: &[Source], fields: &Fields) -> Result<()> {
        for source in sources {
            if !extends(source) {
                let kinds = extended();
                return Err(Error::Usage(format!(
                    "{}: fields cannot be added to files of this kind, only to {kinds} (add_fields)",
                    source.name
                )));
            }
            let names = field_names(source, fields).unwrap_or_default();
            if let Some(taken) = self.fields.iter().find(|field| names.contains(&field.name)) {
                return Err(neardup_corpus::Error::Taken { place: source.name.clone(), field: taken.name.clone() }.into());
            }
        }
        Ok(())
    }

    /// Writes a source with the fields, without its dropped and rejected records. `documents` are all documents from the first one of
    /// the source on; those of the source are taken.
    pub fn write(
        &self,
        decided: &DecidedSources<'_>,
        (number, source): (u32, &Source),
        documents: &mut Peekable<impl Iterator<Item = Result<(DocId, SourceSpan)>>>,
        target: &Path,
    ) -> Result<()> {
        let names = decided.names;
        let mut rejects: Vec<SourceSpan> = decided.rejects(source).collect();
        rejects.sort_unstable();
        rejects.dedup();
        let last_reject = rejects.last().copied();
        let mut rejects = rejects.into_iter().peekable();
        let is_of_source = |document: DocId| !names.signed.is_reference(document) && names.source_of[document.index()] == number;
        let edit = || -> Option<Result<AddedEdit>> {
            loop {
                let next = match documents.peek() {
                    Some(Ok((document, span))) if is_of_source(*document) => Some((*document, *span)),
                    Some(Err(_)) => return documents.next().and_then(Result::err).map(Err),
                    _ => None,
                };
                // The rejects include the documents that are set aside.
                if next.is_some_and(|(document, _)| names.signed.is_set_aside(document)) {
                    documents.next();
                    continue;
                }
                if let Some(reject) = rejects.next_if(|reject| next.is_none_or(|(_, span)| *reject < span)) {
                    return Some(Ok((reject, None)));
                }
                let (document, span) = next?;
                documents.next();
                let row = (!decided.verdicts.is_dropped(document)).then(|| self.row(names, decided, document));
                return Some(Ok((span, row)));
            }
        };
        let added = Added { fields: &self.fields, last_reject };
        extend(source, decided.fields, added, &mut std::iter::from_fn(edit), target, &decided.watch.corpus)?;
        Ok(())
    }

    fn row(&self, names: &TableNames<'_>, decided: &DecidedSources<'_>, document: DocId) -> AddedRow {
        let leader = decided.verdicts.get(document).map_or(document, |dropped| decided.verdicts.leader_of(dropped));
        let row = names.rows[document.index()];
        let value = |column: &AddedColumn| match column {
            AddedColumn::DuplicateId => AddedValue::Text(names.ids.get(leader).into_owned()),
            AddedColumn::GroupSize => AddedValue::Number(decided.verdicts.group_size(leader).into()),
            AddedColumn::Id => AddedValue::Text(names.ids.get(document).into_owned()),
            AddedColumn::Source => AddedValue::Text(names.source(document).to_owned()),
            AddedColumn::Row => AddedValue::Number(row),
        };
        AddedRow { row, values: self.columns.iter().map(value).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_columns() {
        let added = AddedFields::parse("group_size=minhash_cluster_size, duplicate_id").unwrap();
        assert_eq!(added.columns, [AddedColumn::GroupSize, AddedColumn::DuplicateId]);
        assert_eq!(added.fields[0], AddedField { name: "minhash_cluster_size".to_owned(), is_number: true });
        for (list, message) in [
            ("size", "`size` is no column that can be added; allowed are duplicate_id, group_size, id, source, row"),
            ("", "`` is no column"),
            ("id=", "no name"),
            ("id,row=id", "two fields are named \"id\""),
        ] {
            let error = AddedFields::parse(list).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
