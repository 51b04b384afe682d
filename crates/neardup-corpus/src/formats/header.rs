use std::io::{BufRead, BufReader, Read};

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::formats::csv::reader;
use crate::formats::csv::table::Table;
use crate::formats::json::library::member_names;
use crate::formats::parquet;
use crate::records::fields::Fields;
use crate::sources::source::Source;
use crate::sources::stream::{BOM, open};

/// The most bytes that the beginning of a file is looked at.
const MOST: u64 = 1 << 20;

/// The names of the fields of a source, of JSON lines those of its first record; none where records have no fields.
pub fn field_names(source: &Source, fields: &Fields) -> Result<Vec<String>> {
    let control = Control::default();
    match source.format {
        Format::Jsonl => first_names(open(source, &control)?).map_err(Error::io(&source.path, "read")),
        Format::Csv(dialect) => {
            let mut stream = open(source, &control)?;
            reader::header(&mut Table::new(stream.as_mut(), fields.dialect(dialect), source, MOST as usize), &source.name)
        }
        Format::Parquet => parquet::columns(source),
        Format::Plain | Format::Markup | Format::Archive => Ok(Vec::new()),
    }
}

fn first_names(stream: impl Read) -> std::io::Result<Vec<String>> {
    let mut lines = BufReader::new(stream.take(MOST));
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(line.strip_prefix(BOM).unwrap_or(&line));
        if !text.trim().is_empty() {
            return Ok(member_names(&text));
        }
        line.clear();
    }
    Ok(Vec::new())
}
