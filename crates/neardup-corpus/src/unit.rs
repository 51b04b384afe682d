use serde::{Deserialize, Serialize};

/// What places in a source are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceUnit {
    /// Lines of JSONL and CSV; a CSV record, which may span lines, is named by the one it begins on.
    Line,
    /// Rows of Parquet and Arrow, in files and streams.
    Row,
    /// Records of an archive.
    Record,
    /// The file itself, which is one document.
    File,
}

impl PlaceUnit {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            PlaceUnit::Line => "line",
            PlaceUnit::Row => "row",
            PlaceUnit::Record => "record",
            PlaceUnit::File => "file",
        }
    }

    /// How messages name a place: `docs.jsonl, line 7`; a file that is one document by its name alone.
    pub fn place(self, source: &str, row: u64) -> String {
        match self {
            PlaceUnit::Line => format!("{source}, line {row}"),
            PlaceUnit::Row => format!("{source}, row {row}"),
            PlaceUnit::Record => format!("{source}, record {row}"),
            PlaceUnit::File => source.to_owned(),
        }
    }
}
