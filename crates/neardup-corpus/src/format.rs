use std::path::Path;

use crate::dialect::Dialect;
use crate::unit::Unit;

/// How the documents of a file are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON object a line (`.jsonl`, `.ndjson`).
    Jsonl,
    /// A header row and records (`.csv`, `.tsv`).
    Csv(Dialect),
    /// Apache Parquet (`.parquet`).
    Parquet,
    /// One document a file (`.txt`, `.md`).
    Plain,
    /// One HTML document a file (`.html`, `.htm`); reading it needs an extractor.
    Markup,
    /// Web archives (`.warc`, `.arc`), whose records are read elsewhere and come in by [`crate::read_records`].
    Archive,
}

impl Format {
    /// What places in a file of this kind are counted in.
    pub fn unit(self) -> Unit {
        match self {
            Format::Jsonl | Format::Csv(_) => Unit::Line,
            Format::Parquet => Unit::Row,
            Format::Archive => Unit::Record,
            Format::Plain | Format::Markup => Unit::File,
        }
    }
}

/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one member or many (`.gz`).
    Gzip,
    /// Zstandard, of one frame or many (`.zst`).
    Zstd,
}

pub(crate) const SUFFIXES: &str = ".jsonl .ndjson .csv .tsv .txt .md .html .htm .warc .arc (each also with .gz or .zst) and .parquet";

/// The kind of a file by its name, or `None` when the suffix is unknown.
pub(crate) fn kind(path: &Path) -> Option<(Format, Compression)> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (stem, compression) = match name.rsplit_once('.')? {
        (stem, "gz") => (stem, Compression::Gzip),
        (stem, "zst") => (stem, Compression::Zstd),
        _ => (name.as_str(), Compression::None),
    };
    let format = match stem.rsplit_once('.')?.1 {
        "jsonl" | "ndjson" => Format::Jsonl,
        "csv" => Format::Csv(Dialect::CSV),
        "tsv" => Format::Csv(Dialect::TSV),
        // Parquet compresses its own pages and must be read at random.
        "parquet" if compression == Compression::None => Format::Parquet,
        "txt" | "md" => Format::Plain,
        "html" | "htm" => Format::Markup,
        "warc" | "arc" => Format::Archive,
        _ => return None,
    };
    Some((format, compression))
}
