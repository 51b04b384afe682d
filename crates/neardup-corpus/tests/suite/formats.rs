//! The same documents yield the same records in every format and compression.

use std::path::Path;
use std::sync::Arc;

use crate::common::{self, Doc, Given, How, all_fields, read_all, source};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, TimestampMillisecondArray,
};
use neardup_corpus::Fields;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

/// id, text, url, time, site.
type Row = (&'static str, &'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>);

const ROWS: [Row; 5] = [
    ("1", "plain words", Some("http://a"), Some("2020-01-02T03:04:05Z"), Some("fair")),
    ("22", "quoted \"words\", with comma\nand a second line", None, None, Some("good")),
    ("333", "한국어와 漢字, نص عربي", Some("http://b"), Some("2021"), None),
    ("4444", "tab\there", None, Some("1970-01-01"), Some("other")),
    ("55555", " space around ", Some("http://c"), None, None),
];

/// text, id, url, time, rank.
type Parts = (String, Option<String>, Option<String>, Option<i64>, u32);

fn parts(docs: &[Doc]) -> Vec<Parts> {
    docs.iter().map(|doc| (doc.text.clone(), doc.id.clone(), doc.url.clone(), doc.time, doc.rank)).collect()
}

fn jsonl() -> String {
    let line = |(id, text, url, time, site): &Row| {
        serde_json::json!({"id": id, "text": text, "url": url, "time": time, "site": site}).to_string() + "\n"
    };
    ROWS.iter().map(line).collect()
}

fn csv(delimiter: &str, line_end: &str) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out = ["id", "text", "url", "time", "site"].join(delimiter) + line_end;
    for (id, text, url, time, site) in ROWS {
        let fields = [id.to_owned(), quote(text), quote(url.unwrap_or("")), time.unwrap_or("").to_owned(), site.unwrap_or("").to_owned()];
        out += &(fields.join(delimiter) + line_end);
    }
    out
}

fn column(layout: usize, values: Vec<Option<&str>>) -> ArrayRef {
    match layout {
        0 => Arc::new(StringArray::from(values)),
        1 => Arc::new(LargeStringArray::from(values)),
        2 => Arc::new(StringViewArray::from(values)),
        _ => Arc::new(values.into_iter().collect::<DictionaryArray<Int32Type>>()),
    }
}

fn batch(layout: usize) -> RecordBatch {
    let texts = |value: fn(&Row) -> Option<&'static str>| column(layout, ROWS.iter().map(value).collect());
    RecordBatch::try_from_iter_with_nullable([
        ("id", texts(|row| Some(row.0)), true),
        ("text", texts(|row| Some(row.1)), true),
        ("url", texts(|row| row.2), true),
        ("time", texts(|row| row.3), true),
        ("site", texts(|row| row.4), true),
        ("unused", Arc::new(Int64Array::from(vec![7; ROWS.len()])) as ArrayRef, true),
    ])
    .unwrap()
}

fn write_parquet(path: &Path, batch: &RecordBatch, rows_in_group: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_in_group)).build();
    let mut writer = ArrowWriter::try_new(std::fs::File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn all_formats_and_compressions_yield_equal_records() {
    let want = parts(&Given::new("a.jsonl", jsonl().as_bytes()).read(&all_fields(), &How::default()).unwrap().docs);
    assert_eq!(want.len(), ROWS.len());
    assert_eq!(want[1].0, ROWS[1].1);
    let fields = Fields { quoted_tsv: true, ..all_fields() };
    for compression in ["", ".gz", ".zst", ".bz2", ".xz", ".lz4"] {
        for (name, bytes) in [
            ("a.jsonl", jsonl()),
            ("a.csv", csv(",", "\n")),
            ("a.tsv", csv("\t", "\r\n")),
            ("b.csv", format!("\u{feff}{}", csv(",", "\r\n\n"))),
        ] {
            let given = Given::new(&format!("{name}{compression}"), bytes.as_bytes());
            for chunk_bytes in [1, 40, 1 << 20] {
                let found = given.read(&fields, &How { chunk_bytes, ..How::default() }).unwrap();
                assert_eq!(parts(&found.docs), want, "{name}{compression} {chunk_bytes}");
                for (doc, next) in found.docs.iter().zip(found.docs.iter().skip(1)) {
                    assert!(doc.span.end() <= next.span.offset && doc.row < next.row);
                }
                let end = found.docs.last().unwrap().span.end();
                assert!(bytes[end as usize..].trim().is_empty());
            }
        }
    }
}

#[test]
fn parquet_yields_equal_records_in_every_layout() {
    let want = parts(&Given::new("a.jsonl", jsonl().as_bytes()).read(&all_fields(), &How::default()).unwrap().docs);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    for layout in 0..4 {
        for rows_in_group in [1, 2, 100] {
            write_parquet(&path, &batch(layout), rows_in_group);
            for chunk_bytes in [1, 100, 1 << 20] {
                let found = read_all(&source(&path), &all_fields(), &How { chunk_bytes, ..How::default() }).unwrap();
                assert_eq!(parts(&found.docs), want, "{layout} {rows_in_group} {chunk_bytes}");
                assert_eq!(found.docs.iter().map(|doc| (doc.row, doc.span.offset, doc.span.len)).next_back(), Some((5, 4, 1)));
            }
        }
    }
}

#[test]
fn parquet_ids_may_be_integers_and_times_timestamps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("text", column(0, vec![Some("x"), Some("y"), None]), true),
        ("id", Arc::new(Int64Array::from(vec![Some(-7), Some(0), Some(1)])) as ArrayRef, true),
        ("time", Arc::new(TimestampMillisecondArray::from(vec![Some(-1), None, Some(5)]).with_timezone("+09:00")) as ArrayRef, true),
        ("seconds", Arc::new(Int64Array::from(vec![Some(86_400), Some(-1), Some(i64::MAX)])) as ArrayRef, true),
    ])
    .unwrap();
    write_parquet(&path, &batch, 10);
    let fields = |time: &str| Fields { id: Some("id".into()), time: Some(time.into()), ..Fields::default() };
    let found = read_all(&source(&path), &fields("time"), &common::skip()).unwrap();
    let got: Vec<_> = found.docs.iter().map(|doc| (doc.id.as_deref(), doc.time)).collect();
    assert_eq!(got, [(Some("-7"), Some(-1000)), (Some("0"), None), (Some("1"), Some(5000))]);
    assert_eq!(found.docs[2].text, "");
    assert!(found.rejects.is_empty());
    let found = read_all(&source(&path), &fields("seconds"), &common::skip()).unwrap();
    assert_eq!(found.docs.iter().map(|doc| doc.time).collect::<Vec<_>>(), [Some(86_400_000_000), Some(-1_000_000)]);
    let error = read_all(&source(&path), &Fields { text: "seconds".into(), ..Fields::default() }, &How::default()).unwrap_err().to_string();
    assert!(error.contains("the field \"seconds\" is of type Int64; a text must be of type string, or binary in UTF-8"), "{error}");
    let error = read_all(&source(&path), &Fields { text: "body".into(), ..Fields::default() }, &How::default()).unwrap_err().to_string();
    assert!(error.contains("there is no field \"body\"; the fields are \"text\", \"id\", \"time\", \"seconds\""), "{error}");
}

#[test]
fn a_file_can_be_one_document() {
    for name in ["a.txt", "a.md", "a.txt.gz", "a.md.zst"] {
        for (bytes, text) in [("one\r\ntwo\n", "one\r\ntwo\n"), ("\u{feff}한국어", "한국어"), ("", "")] {
            let given = Given::new(name, bytes.as_bytes());
            let found = given.read(&Fields::default(), &How::default()).unwrap();
            assert_eq!(common::texts(&found), [text], "{name}");
            assert_eq!((found.docs[0].row, found.docs[0].span.len), (1, bytes.len() as u64));
        }
    }
}

#[test]
fn digits_in_csv_are_dates_or_seconds_by_their_number() {
    let given = Given::new("a.csv", b"text,time\nx,1971\ny,+86400\nz,2020-01-01T00:00:00Z\nw,\nv,1577836800\nu,20200101\n");
    let fields = Fields { time: Some("time".into()), ..Fields::default() };
    let times: Vec<_> = given.read(&fields, &How::default()).unwrap().docs.iter().map(|doc| doc.time).collect();
    assert_eq!(
        times,
        [
            Some(31_536_000_000_000),
            Some(86_400_000_000),
            Some(1_577_836_800_000_000),
            None,
            Some(1_577_836_800_000_000),
            Some(1_577_836_800_000_000)
        ]
    );
}

proptest! {
    #[test]
    fn csv_reads_quoted_fields(
        rows in prop::collection::vec(("[a\",\r\n é]{0,12}", "[a\",\r\n é]{0,12}"), 1..12),
        chunk_bytes in 1..60usize,
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut bytes = format!("more,text{end}");
        for (more, text) in &rows {
            bytes += &format!("{},{}{end}", quote(more), quote(text));
        }
        let given = Given::new("a.csv", bytes.as_bytes());
        let found = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
        prop_assert_eq!(common::texts(&found), rows.iter().map(|row| row.1.as_str()).collect::<Vec<_>>());
        for (doc, (more, text)) in found.docs.iter().zip(&rows) {
            let span = &bytes[doc.span.offset as usize..doc.span.end() as usize];
            prop_assert_eq!(span, format!("{},{}{end}", quote(more), quote(text)));
            let before = bytes[..doc.span.offset as usize].replace("\r\n", "\n");
            let line = before.matches(['\n', '\r']).count() as u64 + 1;
            prop_assert_eq!(doc.row, line);
        }
    }
}
