use std::fmt;

use crate::compression::Compression;
use crate::dialect::Dialect;
use crate::unit::PlaceUnit;

/// Facts about a format, except how its files are read and kept.
#[derive(Debug)]
pub(crate) struct FormatFacts {
    /// Suffixes of its file names, in lower case and without the dot.
    pub suffixes: &'static [&'static str],
    /// Unit in which the places of a file are counted.
    pub unit: PlaceUnit,
    /// Content of a file.
    pub content: FileContent,
    /// How a file may be compressed.
    pub packing: Packing,
    /// Whether a text can be fetched again from its place in an uncompressed file.
    pub has_texts_in_place: bool,
}

/// How the files of a format may be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As a whole, with any compression.
    Whole,
    /// Each record as a member of its own.
    Members,
    /// Not from outside.
    Never,
}

impl Packing {
    /// Whether files with a compression are read.
    pub fn reads(self, compression: Compression) -> bool {
        match self {
            Packing::Whole => true,
            Packing::Members => compression.has_members_as_records(),
            Packing::Never => !compression.is_some(),
        }
    }
}

/// Content of a file of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileContent {
    /// Records with named fields, one a line.
    Objects,
    /// Rows of a table. A table that is written as text has a dialect.
    Table(Option<Dialect>),
    /// One text.
    Text,
    /// One page of HTML.
    Html,
    /// Pages with their addresses. The caller's reader reads them.
    Archive,
}

/// How the documents of a file are laid out.
#[derive(Clone, Copy)]
pub struct Format(pub(crate) &'static FormatFacts);

impl Format {
    /// Returns the first suffix of its files, without the dot. No other format has this suffix.
    pub fn name(self) -> &'static str {
        self.0.suffixes[0]
    }

    /// Returns the unit in which the places of a file are counted.
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

    /// Whether a file names the fields of its records before the first record.
    pub fn is_table(self) -> bool {
        matches!(self.0.content, FileContent::Table(_))
    }

    /// Whether it is a table whose quotes are ordinary characters by default.
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

    /// Whether each line of a file is a record.
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
