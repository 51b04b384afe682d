//! The cases `read-jsonl` and `read-parquet`: files are read into records.

use crate::texts::{ENGLISH, Maker};
use crate::{Digest, Done, measured};
use neardup_corpus::{Chunk, Error, Fields, FindOptions, JobControl, Read, ReadOptions, discover, read};
use neardup_text::Text;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

/// Number of documents.
const DOCUMENTS: usize = 1500;
/// Approximate words in a document.
const LENGTH: usize = 500;
/// Rows in a row group of Parquet.
const GROUP: usize = 500;
const COLUMNS: &str = "message rows { required binary id (STRING); optional binary url (STRING); required binary text (STRING); }";

pub fn jsonl() -> Done<u64> {
    let path = "documents.jsonl";
    let mut file = BufWriter::new(File::create(path)?);
    for [id, url, text] in rows() {
        serde_json::to_writer(&mut file, &serde_json::json!({ "id": id, "url": url, "text": text }))?;
        writeln!(file)?;
    }
    file.into_inner()?;
    read_all(path)
}

pub fn parquet() -> Done<u64> {
    let path = "documents.parquet";
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?)).build();
    let mut file = SerializedFileWriter::new(File::create(path)?, Arc::new(parse_message_type(COLUMNS)?), Arc::new(properties))?;
    for rows in rows().chunks(GROUP) {
        let mut group = file.next_row_group()?;
        let mut number = 0;
        while let Some(mut column) = group.next_column()? {
            let values: Vec<ByteArray> = rows.iter().map(|row| row[number].as_str().into()).collect();
            // The second column is optional, so definition levels state that each value is present.
            let levels = vec![1; values.len()];
            column.typed::<ByteArrayType>().write_batch(&values, (number == 1).then_some(&levels[..]), None)?;
            column.close()?;
            number += 1;
        }
        group.close()?;
    }
    file.close()?;
    read_all(path)
}

fn rows() -> Vec<[String; 3]> {
    let texts = Maker::new(&ENGLISH).documents(DOCUMENTS, LENGTH);
    let row = |(number, text)| [format!("document-{number:06}"), format!("https://example.org/{}/{number}", number % 97), text];
    texts.into_iter().enumerate().map(row).collect()
}

/// Reads a file, and returns a digest of the lengths of all fields.
fn read_all(path: &str) -> Done<u64> {
    let source = discover(&[path.to_owned()], &FindOptions::default())?.sources.remove(0);
    let fields = Fields { id: Some("id".to_owned()), url: Some("url".to_owned()), ..Fields::default() };
    let control = JobControl::default();
    let options = ReadOptions { threads: 1, ..ReadOptions::new(&control, Path::new("spool")) };
    let work = |chunk: &Chunk<'_>| -> Result<Vec<[usize; 3]>, Error> {
        let length = |text: Text<'_>| match text {
            Text::Plain(bytes) | Text::Json(bytes) => bytes.len(),
        };
        let length_of = |field: &Option<std::borrow::Cow<'_, str>>| field.as_ref().map_or(0, |field| field.len());
        Ok(chunk.records.iter().map(|record| [length_of(&record.id), length_of(&record.url), length(record.text)]).collect())
    };
    let all: Read<Vec<[usize; 3]>> = measured(&mut || Ok(read(&source, &fields, &options, &work)?))?;
    let mut digest = Digest::default();
    digest.add(all.records);
    all.chunks.iter().flatten().flatten().for_each(|&length| digest.add(length as u64));
    Ok(digest.0)
}
