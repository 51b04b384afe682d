use std::fmt;

use crate::dialect::Dialect;
use crate::unit::PlaceUnit;

/// What is known of a format, apart from how its files are read and kept.
#[derive(Debug)]
pub(crate) struct FormatFacts {
    /// The ends of the names of its files, in lower case and without the dot.
    pub suffixes: &'static [&'static str],
    /// What places in a file are counted in.
    pub unit: PlaceUnit,
    /// What a file holds.
    pub content: FileContent,
    /// Whether a file may be compressed as a whole.
    pub is_packable: bool,
    /// Whether a text can be fetched again from its place in an uncompressed file.
    pub has_texts_in_place: bool,
}

/// What a file of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileContent {
    /// Records that name their fields, one a line.
    Objects,
    /// The rows of a table. Of one that is written as text, how its fields are separated.
    Table(Option<Dialect>),
    /// One text.
    Text,
    /// One page of HTML.
    Html,
    /// Pages with their addresses, which a reader elsewhere reads.
    Archive,
}

/// How the documents of a file are laid out.
#[derive(Clone, Copy)]
pub struct Format(pub(crate) &'static FormatFacts);

impl Format {
    /// The first suffix of its files, without the dot; no other format has it.
    pub fn name(self) -> &'static str {
        self.0.suffixes[0]
    }

    /// What places in a file are counted in.
    pub fn unit(self) -> PlaceUnit {
        self.0.unit
    }

    /// Whether a file is one document.
    pub fn is_one_document(self) -> bool {
        matches!(self.0.content, FileContent::Text | FileContent::Html)
    }

    /// Whether records have named fields.
    pub fn has_fields(self) -> bool {
        matches!(self.0.content, FileContent::Objects | FileContent::Table(_))
    }

    /// Whether a file says which fields its records have before the first of them.
    pub fn is_table(self) -> bool {
        matches!(self.0.content, FileContent::Table(_))
    }

    /// Whether it is a table in which quotes are characters as any, if nothing else is asked for.
    pub fn is_unquoted(self) -> bool {
        matches!(self.0.content, FileContent::Table(Some(Dialect { quoted: false, .. })))
    }

    /// Whether a file is HTML, which needs an extractor.
    pub fn is_html(self) -> bool {
        self.0.content == FileContent::Html
    }

    /// Whether a file is an archive of pages, which needs a reader.
    pub fn is_archive(self) -> bool {
        self.0.content == FileContent::Archive
    }

    /// Whether a file is cut into lines that are records each.
    pub(crate) fn has_records_in_lines(self) -> bool {
        self.0.content == FileContent::Objects && self.0.unit == PlaceUnit::Line
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.name())
    }
}
