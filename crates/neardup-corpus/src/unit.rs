use serde::{Deserialize, Serialize};

/// Unit in which the places of a source are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceUnit {
    /// Lines of JSONL and CSV. A CSV record may span lines and is named by its first line.
    Line,
    /// Rows of Parquet and Arrow, in files and streams.
    Row,
    /// Records of an archive.
    Record,
    /// The file itself, which is one document.
    File,
}

impl PlaceUnit {
    /// Returns the name of the unit in results.
    pub fn name(self) -> &'static str {
        match self {
            PlaceUnit::Line => "line",
            PlaceUnit::Row => "row",
            PlaceUnit::Record => "record",
            PlaceUnit::File => "file",
        }
    }

    /// Returns how messages name a place, such as `docs.jsonl, line 7`. A file that is one document is named by its name alone.
    pub fn place(self, source: &str, row: u64) -> String {
        match self {
            PlaceUnit::Line => format!("{source}, line {row}"),
            PlaceUnit::Row => format!("{source}, row {row}"),
            PlaceUnit::Record => format!("{source}, record {row}"),
            PlaceUnit::File => source.to_owned(),
        }
    }
}
