//! Kept records are copied byte for byte, or value for value.

use std::collections::HashMap;
use std::sync::Arc;

use crate::common::{self, Given, How, pack, skip, unpack};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, TimestampNanosecondArray};
use arrow_schema::{Field, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use neardup_corpus::{Fields, JobControl, SourceSpan, keep};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

/// Returns the bytes without the spans, computed byte by byte.
fn without(bytes: &[u8], spans: &[SourceSpan]) -> Vec<u8> {
    let mut stays = vec![true; bytes.len()];
    let place = |at: u64| bytes.len().min(at as usize);
    spans.iter().for_each(|span| stays[place(span.offset)..place(span.end())].fill(false));
    bytes.iter().zip(stays).filter(|(_, stays)| *stays).map(|(byte, _)| *byte).collect()
}

fn kept_bytes(given: &Given, dropped: &[SourceSpan], threads: usize) -> Vec<u8> {
    let target = given.beside("new/folder/kept");
    let control = JobControl::default();
    let kept = keep(&given.source, dropped, &target, threads, &control).unwrap();
    let bytes = std::fs::read(&target).unwrap();
    assert!(kept.written && kept.bytes == bytes.len() as u64);
    bytes
}

#[test]
fn lines_are_kept_byte_for_byte() {
    let lines = "\u{feff}{\"text\":\"a\"}\r\n\n{\"text\": \"b\" }  \n \n\n{\"text\":\"c\"}\n{\"text\":\"d\"}";
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.xz", "a.jsonl.lz4"] {
        let given = Given::new(name, lines.as_bytes());
        let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
        for chosen in 0..16u32 {
            let dropped: Vec<SourceSpan> =
                docs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, doc)| doc.span).collect();
            let bytes = unpack(given.source.compression, &kept_bytes(&given, &dropped, 2));
            assert_eq!(bytes, without(lines.as_bytes(), &dropped), "{name} {chosen}");
        }
    }
}

#[test]
fn csv_keeps_its_header_and_records_of_several_lines() {
    let table = "\u{feff}id,text\r\n1,\"one\r\nand more\"\r\n\r\n2,two\r\n3,\"th\"\"ree\"\r\n";
    for name in ["a.csv", "a.csv.zst"] {
        let given = Given::new(name, table.as_bytes());
        let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
        let kept = |at: usize| unpack(given.source.compression, &kept_bytes(&given, &[docs[at].span], 1));
        assert_eq!(String::from_utf8(kept(0)).unwrap(), "\u{feff}id,text\r\n\r\n2,two\r\n3,\"th\"\"ree\"\r\n");
        assert_eq!(String::from_utf8(kept(1)).unwrap(), "\u{feff}id,text\r\n1,\"one\r\nand more\"\r\n\r\n3,\"th\"\"ree\"\r\n");
    }
}

#[test]
fn large_files_are_kept_across_blocks() {
    let lines: String = (0..30_000).map(|number| format!("{{\"text\":\"{number} {}\"}}\n", "x".repeat(number % 97))).collect();
    let given = Given::new("a.jsonl", lines.as_bytes());
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    let choices: [&dyn Fn(usize) -> bool; 4] = [&|at| at % 7 == 3, &|at| at < 20_000, &|at| at > 9_000, &|_| true];
    for choice in choices {
        let dropped: Vec<SourceSpan> = (0..docs.len()).filter(|at| choice(*at)).map(|at| docs[at].span).collect();
        let stays: String = lines.split_inclusive('\n').enumerate().filter(|(at, _)| !choice(*at)).map(|(_, line)| line).collect();
        for threads in [1, 2, 4] {
            assert!(kept_bytes(&given, &dropped, threads) == stays.as_bytes());
        }
    }
}

#[test]
fn one_document_files_are_copied_or_not_written() {
    for name in ["a.txt", "a.md.gz", "a.html", "a.html.zst"] {
        let given = Given::new(name, b"one\r\n");
        assert_eq!(kept_bytes(&given, &[], 2), pack(name, b"one\r\n"));
        let target = given.beside("dropped");
        let kept = keep(&given.source, &[SourceSpan { offset: 0, len: 5 }], &target, 2, &JobControl::default()).unwrap();
        assert!(!kept.written && !target.exists());
    }
}

#[test]
fn archives_are_kept_by_ranges_of_their_bytes() {
    let members: Vec<Vec<u8>> = ["info", "first", "second"].iter().map(|text| common::gzip(text.as_bytes())).collect();
    let given = Given::new("a.txt", b"");
    let path = given.beside("a.warc.gz");
    std::fs::write(&path, members.concat()).unwrap();
    let given = Given { source: common::source(&path), ..given };
    let first = SourceSpan { offset: members[0].len() as u64, len: members[1].len() as u64 };
    assert_eq!(kept_bytes(&given, &[first], 2), [&members[0][..], &members[2]].concat());
}

#[test]
fn the_readable_part_of_a_damaged_stream_is_kept() {
    let lines: String = (0..40_000).map(|number| format!("{{\"text\":\"text {number} {}\"}}\n", number * 7919 % 100_003)).collect();
    for name in ["a.jsonl.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.xz", "a.jsonl.lz4"] {
        let given = Given::new(name, lines.as_bytes());
        let packed = std::fs::read(given.path()).unwrap();
        for damage in ["cut", "changed"] {
            let mut packed = packed[..packed.len() * 2 / 3].to_vec();
            if damage == "changed" {
                let at = packed.len() - 3000;
                packed[at..at + 200].fill(0xff);
            }
            std::fs::write(given.path(), &packed).unwrap();
            let found = given.read(&Fields::default(), &skip()).unwrap();
            let reject = &found.rejects[0];
            let dropped = [found.docs[1].span, SourceSpan { offset: reject.offset, len: reject.len }];
            let kept = unpack(given.source.compression, &kept_bytes(&given, &dropped, 2));
            let whole = &lines.as_bytes()[..found.docs.last().unwrap().span.end() as usize];
            assert!(kept == without(whole, &dropped), "{name} {damage}");
            let error = keep(&given.source, &dropped[..1], &given.beside("x"), 2, &JobControl::default()).unwrap_err().to_string();
            assert!(error.contains("cannot decompress"), "{error}");
        }
    }
}

#[test]
fn a_source_that_became_shorter_is_an_error() {
    for name in ["a.jsonl", "a.jsonl.gz"] {
        let given = Given::new(name, b"{\"text\":\"x\"}\n");
        let error = keep(&given.source, &[SourceSpan { offset: 3, len: 100 }], &given.beside("x"), 2, &JobControl::default()).unwrap_err();
        assert!(error.to_string().contains("changed"), "{error}");
    }
    let given = Given::new("a.jsonl", b"{\"text\":\"x\"}\n");
    let control = JobControl::default();
    control.cancel();
    assert!(keep(&given.source, &[SourceSpan { offset: 0, len: 3 }], &given.beside("x"), 2, &control).is_err());
}

fn table() -> RecordBatch {
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("text", Arc::new(StringArray::from((0..100).map(|number| format!("text {number}")).collect::<Vec<_>>())), false),
        ("n", Arc::new(Int64Array::from((0..100).map(|number| (number % 3 > 0).then_some(number)).collect::<Vec<_>>())), true),
        ("at", Arc::new(TimestampNanosecondArray::from_iter_values(0..100).with_timezone("UTC")), true),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
                (0..100).map(|number| Some(vec![Some(number); number as usize % 4])),
            )),
            true,
        ),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let schema = Schema::new_with_metadata(
        batch
            .schema()
            .fields()
            .iter()
            .map(|field| Field::clone(field).with_metadata(HashMap::from([("unit".to_owned(), "none".to_owned())])))
            .collect::<Vec<_>>(),
        HashMap::from([("origin".to_owned(), "a test".to_owned())]),
    );
    batch.with_schema(Arc::new(schema)).unwrap()
}

#[test]
fn parquet_keeps_values_schema_metadata_and_compression() {
    let given = Given::new("a.txt", b"");
    let path = given.beside("a.parquet");
    let table = table();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(30))
        .set_key_value_metadata(Some(vec![KeyValue::new("made by".to_owned(), "hand".to_owned())]))
        .build();
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), table.schema(), Some(properties)).unwrap();
    writer.write(&table).unwrap();
    writer.close().unwrap();
    let given = Given { source: common::source(&path), ..given };
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    for step in [2, 3, 50, 100] {
        let dropped: Vec<SourceSpan> = docs.iter().step_by(step).map(|doc| doc.span).collect();
        let target = given.beside("kept.parquet");
        keep(&given.source, &dropped, &target, 2, &JobControl::default()).unwrap();
        let open = |path: &std::path::Path| ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap()).unwrap();
        let (before, after) = (open(&path), open(&target));
        assert_eq!(before.schema(), after.schema());
        let about = |file: &ParquetRecordBatchReaderBuilder<std::fs::File>| {
            let mut pairs = file.metadata().file_metadata().key_value_metadata().cloned().unwrap();
            pairs.sort_by(|a, b| a.key.cmp(&b.key));
            (pairs, file.parquet_schema().clone(), file.metadata().row_group(0).column(0).compression())
        };
        assert_eq!(about(&before), about(&after));
        let batches: Vec<RecordBatch> = after.build().unwrap().map(Result::unwrap).collect();
        let stays = (0..100).map(|row| Some(row % step != 0)).collect::<Vec<_>>().into();
        assert_eq!(concat_batches(&table.schema(), &batches).unwrap(), filter_record_batch(&table, &stays).unwrap());
    }
    assert_eq!(kept_bytes(&given, &[], 2), std::fs::read(&path).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_spans_can_be_left_out(lens in prop::collection::vec((0..40u64, 1..40u64), 0..30), end in 0..50u64, scale in prop::sample::select(vec![1, 700, 9001])) {
        let mut at = 0;
        let spans: Vec<SourceSpan> = lens.iter().map(|(gap, len)| { let offset = at + gap * scale; at = offset + len * scale; SourceSpan { offset, len: len * scale } }).collect();
        let bytes: Vec<u8> = (0..at + end * scale).map(|number| (number ^ number >> 8) as u8).collect();
        for name in ["a.jsonl", "a.jsonl.gz"] {
            let given = Given::new(name, &bytes);
            let kept = unpack(given.source.compression, &kept_bytes(&given, &spans, 2));
            prop_assert_eq!(kept, without(&bytes, &spans));
        }
    }
}
