//! CSV and TSV.

pub(crate) mod reader;
pub(crate) mod table;
mod text_slot;

use crate::control::JobControl;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts};
use crate::formats::fields;
use crate::formats::layout::{Layout, Reader};
use crate::keep::TextSlot;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::fields::Fields;
use crate::sources::source::Source;
use crate::sources::stream::open;
use crate::unit::PlaceUnit;
use table::CsvTable;

/// Maximum number of bytes of a header.
const HEADER: usize = 1 << 20;

static CSV: FormatFacts = facts(&["csv"], Dialect::CSV);
static TSV: FormatFacts = facts(&["tsv"], Dialect::TSV);

const fn facts(suffixes: &'static [&'static str], dialect: Dialect) -> FormatFacts {
    FormatFacts {
        suffixes,
        unit: PlaceUnit::Line,
        content: FileContent::Table(Some(dialect)),
        is_packable: true,
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
        let mut stream = open(source, &control)?;
        let mut table = CsvTable::new(stream.as_mut(), fields.dialect(self.0), source, HEADER);
        reader::header(&mut table).map_err(|flaw| Error::Damaged { name: source.name.clone(), reason: flaw.reason })
    }

    fn text_slot(&self, source: &Source, fields: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        text_slot::text_slot(source, fields, fields.dialect(self.0))
    }

    fn is_rewritten(&self) -> bool {
        true
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Csv {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        let dialect = fields.dialect(self.0);
        fields::read(sources, fields, options, work, |pool, source, roles| reader::read(pool, source, roles, dialect))
    }
}
