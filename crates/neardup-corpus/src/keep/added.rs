//! Fields that are added to kept records.

use crate::records::place::SourceSpan;

/// A field that is added to records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedField {
    /// Its name in the records.
    pub name: String,
    /// Whether its values are numbers. Otherwise they are texts.
    pub is_number: bool,
}

/// What is added to the records of a source.
#[derive(Clone, Copy, Debug)]
pub struct Added<'a> {
    /// The fields.
    pub fields: &'a [AddedField],
    /// Place of the last rejected record: it may be the damaged rest of the source.
    pub last_reject: Option<SourceSpan>,
}

/// A value of an added field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedValue {
    /// A text.
    Text(String),
    /// A number.
    Number(u64),
}

/// The values for one record, in the order of the added fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedRow {
    /// Line or row of the record, for messages.
    pub row: u64,
    /// One value for each field.
    pub values: Vec<AddedValue>,
}

/// A record with its added values. A record without values is dropped.
pub type AddedEdit = (SourceSpan, Option<AddedRow>);

impl AddedValue {
    /// Returns the value as text.
    pub(crate) fn shown(&self) -> String {
        match self {
            AddedValue::Text(text) => text.clone(),
            AddedValue::Number(number) => number.to_string(),
        }
    }
}
