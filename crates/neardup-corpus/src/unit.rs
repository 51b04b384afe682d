use serde::{Deserialize, Serialize};

/// What places in a source are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Lines of JSONL and CSV; a CSV record, which may span lines, is named by the one it begins on.
    Line,
    /// Rows of Parquet and Arrow, in files and streams.
    Row,
    /// Records of an archive.
    Record,
    /// The file itself, which is one document.
    File,
}

impl Unit {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Line => "line",
            Unit::Row => "row",
            Unit::Record => "record",
            Unit::File => "file",
        }
    }

    /// How messages name a place: `docs.jsonl, line 7`; a file that is one document by its name alone.
    pub fn place(self, source: &str, row: u64) -> String {
        match self {
            Unit::Line => format!("{source}, line {row}"),
            Unit::Row => format!("{source}, row {row}"),
            Unit::Record => format!("{source}, record {row}"),
            Unit::File => source.to_owned(),
        }
    }
}
