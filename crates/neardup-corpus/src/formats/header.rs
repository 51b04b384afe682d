use std::io::{BufRead, BufReader, Read};

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::{Compression, Format};
use crate::formats::csv::reader;
use crate::formats::csv::table::Table;
use crate::formats::json::library::member_names;
use crate::formats::parquet;
use crate::records::fields::Fields;
use crate::sources::source::Source;
use crate::sources::stream::{BOM, damage, open};

/// The most bytes that the beginning of a file is looked at.
const MOST: u64 = 1 << 20;

/// The names of the fields of a source, of JSON lines those of its first record; none where records have no fields.
pub fn field_names(source: &Source, fields: &Fields) -> Result<Vec<String>> {
    let control = Control::default();
    match source.format {
        Format::Jsonl => match (first_names(open(source, &control)?), source.compression) {
            (Err(error), Compression::None) => Err(Error::io(&source.path, "read")(error)),
            (names, compression) => {
                names.map_err(|error| Error::Damaged { name: source.name.clone(), reason: damage(compression, &error) })
            }
        },
        Format::Csv(dialect) => {
            let mut stream = open(source, &control)?;
            let mut table = Table::new(stream.as_mut(), fields.dialect(dialect), source, MOST as usize);
            reader::header(&mut table).map_err(|flaw| Error::Damaged { name: source.name.clone(), reason: flaw.reason })
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
