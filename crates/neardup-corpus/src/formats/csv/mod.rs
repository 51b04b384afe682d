//! CSV and TSV.

mod added_columns;
pub(crate) mod delimiter;
mod line_ends;
pub(crate) mod reader;
pub(crate) mod table;
mod text_slot;

use std::path::Path;

use crate::control::JobControl;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::fields;
use crate::formats::layout::{Layout, Reader};
use crate::keep::{self, Added, AddedEdit, AddedRow, AddedValue, KeptFile, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::field_name::has_several;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::open;
use crate::unit::PlaceUnit;
use added_columns::with_fields;
use table::{CsvStep, CsvTable};

/// Maximum number of bytes of a header.
const HEADER: usize = 1 << 20;

static CSV: FormatFacts = facts(&["csv"], Dialect::CSV);
static TSV: FormatFacts = facts(&["tsv"], Dialect::TSV);

const fn facts(suffixes: &'static [&'static str], dialect: Dialect) -> FormatFacts {
    FormatFacts {
        suffixes,
        unit: PlaceUnit::Line,
        content: FileContent::Table(Some(dialect)),
        packing: Packing::Whole,
        has_texts_in_place: false,
    }
}

/// A table that is stored as text.
pub(crate) struct Csv(pub Dialect);

impl Layout for Csv {
    fn facts(&self) -> &'static FormatFacts {
        if self.0 == Dialect::TSV { &TSV } else { &CSV }
    }

    fn field_names(&self, source: &Source, fields: &Fields) -> Result<Vec<String>> {
        let control = JobControl::default();
        let mut stream = open(source, &control, None)?;
        let mut table = CsvTable::new(stream.as_mut(), fields.dialect(self.0, source.csv), source, HEADER);
        reader::header(&mut table).map_err(|flaw| Error::Damaged { name: source.name.clone(), reason: flaw.reason })
    }

    fn text_slot(&self, source: &Source, fields: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        text_slot::text_slot(source, fields, fields.dialect(self.0, source.csv))
    }

    fn is_rewritten(&self) -> bool {
        true
    }

    fn replaces_text(&self, source: &Source, fields: &Fields) -> Result<bool> {
        Ok(!has_several(&fields.text) || self.field_names(source, fields)?.contains(&fields.text))
    }

    fn is_extended(&self) -> bool {
        true
    }

    fn extend(
        &self,
        source: &Source,
        fields: &Fields,
        added: Added<'_>,
        edits: &mut dyn Iterator<Item = Result<AddedEdit>>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let dialect = fields.dialect(self.0, source.csv);
        let names = added.fields.iter().map(|field| AddedValue::Text(field.name.clone())).collect();
        let header = self.header_span(source, fields)?.map(|span| Ok((span, Some(AddedRow { row: 1, values: names }))));
        let edit = |record: &[u8], row: &AddedRow| {
            with_fields(record, &row.values, dialect).map_err(|place| Error::Unwritable {
                place: PlaceUnit::Line.place(&source.name, row.row),
                field: added.fields[place].name.clone(),
                value: row.values[place].shown(),
            })
        };
        keep::edit(source, &edit, &mut header.into_iter().chain(edits), target, control)
    }

    fn is_joined(&self) -> bool {
        true
    }

    fn lead(&self, source: &Source, fields: &Fields) -> Result<u64> {
        Ok(self.header_span(source, fields)?.map_or(0, |span| span.end()))
    }
}

impl Csv {
    /// Returns the place of the header; `None` if there is none.
    fn header_span(&self, source: &Source, fields: &Fields) -> Result<Option<SourceSpan>> {
        let control = JobControl::default();
        let mut stream = open(source, &control, None)?;
        match CsvTable::new(stream.as_mut(), fields.dialect(self.0, source.csv), source, HEADER).next(&mut Vec::new()) {
            CsvStep::Record((_, span)) => Ok(Some(span)),
            CsvStep::RecordError(..) | CsvStep::End => Ok(None),
        }
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Csv {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        let dialect = fields.dialect(self.0, sources[0].csv);
        fields::read(sources, fields, options, work, |pool, source, roles| reader::read(pool, source, roles, dialect))
    }
}
