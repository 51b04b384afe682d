//! Fields that are nested, joined or partition keys, and values in the types that programs write.

use std::path::Path;
use std::sync::Arc;

use crate::common::{Given, How, read_all, skip, source, texts};
use arrow_array::builder::{FixedSizeBinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int64Array,
    LargeBinaryArray, NullArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
use neardup_corpus::{Fields, Preference, TimeUnit};
use parquet::arrow::ArrowWriter;

/// Bytes of a UUID in which some are no text.
const UUID: [u8; 16] = [0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3, 0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00];

fn with_id() -> Fields {
    Fields { id: Some("id".into()), ..Fields::default() }
}

fn fields(text: &str) -> Fields {
    Fields { text: text.into(), ..Fields::default() }
}

/// Id, text and time of a record.
type Values = (Option<String>, String, Option<i64>);

/// Writes columns as Parquet and as Arrow IPC, and returns what is read of both, which must be equal.
fn read_columns(columns: Vec<(&str, ArrayRef)>, fields: &Fields, how: &How) -> Result<Vec<Values>, String> {
    let folder = tempfile::tempdir().unwrap();
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true))).unwrap();
    let (parquet, arrow) = (folder.path().join("a.parquet"), folder.path().join("a.arrow"));
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&parquet).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(std::fs::File::create(&arrow).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let read = |path: &Path| {
        let found = read_all(&source(path), fields, how).map_err(|error| error.to_string())?;
        Ok(found.docs.into_iter().map(|doc| (doc.id, doc.text, doc.time)).collect())
    };
    let found: Result<_, String> = read(&parquet);
    let other: Result<Vec<_>, String> = read(&arrow);
    assert_eq!(found.clone().map_err(|error| error.replace("a.parquet", "")), other.map_err(|error| error.replace("a.arrow", "")));
    found
}

fn strings<const N: usize>(values: [Option<&str>; N]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// Returns the ids of two documents.
fn ids(column: ArrayRef) -> Result<Vec<String>, String> {
    let found = read_columns(vec![("text", strings([Some("x"), Some("y")])), ("id", column)], &with_id(), &How::default())?;
    Ok(found.into_iter().map(|(id, ..)| id.unwrap()).collect())
}

#[test]
fn ids_are_numbers_texts_or_uuids() {
    let mut fixed = FixedSizeBinaryBuilder::new(16);
    fixed.append_value(UUID).unwrap();
    fixed.append_value([0x41; 16]).unwrap();
    let uuid = "123e4567-e89b-12d3-a456-426614174000";
    for (column, want) in [
        (Arc::new(Float64Array::from(vec![7.0, -0.0])) as ArrayRef, ["7", "0"]),
        (Arc::new(Float64Array::from(vec![1e16, 9_007_199_254_740_993.0])), ["10000000000000000", "9007199254740992"]),
        (Arc::new(Float32Array::from(vec![7.0, -1.0])), ["7", "-1"]),
        (Arc::new(Decimal128Array::from(vec![700, 750]).with_precision_and_scale(10, 2).unwrap()), ["7", "7.5"]),
        (
            Arc::new(Decimal128Array::from(vec![1, i128::pow(10, 37)]).with_precision_and_scale(38, 0).unwrap()),
            ["1", "10000000000000000000000000000000000000"],
        ),
        (Arc::new(fixed.finish()), [uuid, "41414141-4141-4141-4141-414141414141"]),
        (Arc::new(BinaryArray::from(vec![&UUID[..], b"sixteen letters."])), [uuid, "sixteen letters."]),
        (Arc::new(LargeBinaryArray::from(vec![&b"a"[..], "é".as_bytes()])), ["a", "é"]),
        (Arc::new(["c", "d"].into_iter().collect::<DictionaryArray<Int32Type>>()), ["c", "d"]),
        (Arc::new(DictionaryArray::<Int32Type>::new(vec![1, 0].into(), Arc::new(Int64Array::from(vec![5, 6])))), ["6", "5"]),
    ] {
        let kind = column.data_type().clone();
        assert_eq!(ids(column).unwrap(), want, "{kind}");
    }
}

#[test]
fn ids_that_are_none_are_named() {
    for (column, why) in [
        (Arc::new(Float64Array::from(vec![7.0, 7.5])) as ArrayRef, "row 2: the id in the field \"id\" is 7.5; an id must be"),
        (Arc::new(Float64Array::from(vec![7.0, f64::NAN])), "is NaN; an id must be"),
        (Arc::new(Float64Array::from(vec![Some(7.0), None])), "there is no id in the field \"id\""),
        (Arc::new(BinaryArray::from(vec![&b"a"[..], b"\xff"])), "is ff; an id must be"),
        (Arc::new(NullArray::new(2)), "row 1: there is no id in the field \"id\""),
        (Arc::new(arrow_array::Date32Array::from(vec![1, 2])), "is of type Date32; an id must be of a string, integer, float"),
    ] {
        let error = ids(column).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn json_ids_are_written_in_full() {
    let lines = r#"{"text":"x","id":7.0}
{"text":"x","id":-0.0}
{"text":"x","id":1.5e1}
{"text":"x","id":12345678901234567890.00}
{"text":"x","id":"7.0"}
"#;
    let found = Given::new("a.jsonl", lines.as_bytes()).read(&with_id(), &How::default()).unwrap();
    let ids: Vec<_> = found.docs.iter().map(|doc| doc.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["7", "0", "15", "12345678901234567890", "7.0"]);
}

#[test]
fn texts_may_be_binary_or_null() {
    for column in [
        Arc::new(BinaryArray::from(vec![Some("é".as_bytes()), None, Some(b"")])) as ArrayRef,
        Arc::new(LargeBinaryArray::from(vec![Some("é".as_bytes()), None, Some(b"")])),
        Arc::new(BinaryViewArray::from(vec![Some("é".as_bytes()), None, Some(b"")])),
    ] {
        let found = read_columns(vec![("text", column)], &Fields::default(), &How::default()).unwrap();
        assert_eq!(found.iter().map(|(_, text, _)| text.as_str()).collect::<Vec<_>>(), ["é", "", ""]);
    }
    let found = read_columns(vec![("text", Arc::new(NullArray::new(2)))], &Fields::default(), &How::default()).unwrap();
    assert_eq!(found.len(), 2);
    let broken = || vec![("text", Arc::new(BinaryArray::from(vec![Some(&b"a"[..]), Some(b"caf\xe9"), None])) as ArrayRef)];
    let error = read_columns(broken(), &Fields::default(), &How::default()).unwrap_err();
    assert!(error.contains("row 2: the field \"text\" is not valid UTF-8"), "{error}");
    assert_eq!(read_columns(broken(), &Fields::default(), &skip()).unwrap().len(), 2);
}

#[test]
fn columns_of_numbers_are_times_in_their_unit() {
    let time = |column: ArrayRef, unit| {
        let fields = Fields { time: Some("time".into()), time_unit: unit, ..Fields::default() };
        let found = read_columns(vec![("text", strings([Some("x"), Some("y")])), ("time", column)], &fields, &How::default())?;
        Ok::<_, String>(found.into_iter().map(|(.., time)| time).collect::<Vec<_>>())
    };
    let ints = |values: Vec<i64>| Arc::new(Int64Array::from(values)) as ArrayRef;
    assert_eq!(time(ints(vec![1, -1]), TimeUnit::S).unwrap(), [Some(1_000_000), Some(-1_000_000)]);
    assert_eq!(time(ints(vec![1_578_218_400_123, -1]), TimeUnit::Ms).unwrap(), [Some(1_578_218_400_123_000), Some(-1000)]);
    assert_eq!(time(ints(vec![1_578_218_400_123_456_789, -1]), TimeUnit::Ns).unwrap(), [Some(1_578_218_400_123_456), Some(-1)]);
    assert_eq!(time(Arc::new(Float64Array::from(vec![1.5, f64::NAN])), TimeUnit::S).unwrap(), [Some(1_500_000), None]);
    let decimals = Decimal128Array::from(vec![Some(150), None]).with_precision_and_scale(10, 2).unwrap();
    assert_eq!(time(Arc::new(decimals), TimeUnit::Us).unwrap(), [Some(1), None]);
    assert_eq!(time(strings([Some(""), Some("1970-01-01T00:00:01")]), TimeUnit::S).unwrap(), [None, Some(1_000_000)]);
    assert_eq!(time(Arc::new(NullArray::new(2)), TimeUnit::S).unwrap(), [None, None]);
    let error = time(ints(vec![1, 1_578_218_400_000]), TimeUnit::S).unwrap_err();
    assert!(error.contains("row 2: the time 1578218400000 is after the year 9999") && error.contains("--time-unit ms"), "{error}");
}

/// A struct with the members `text` and `id`, of which the second is null.
fn nested() -> ArrayRef {
    let members = [strings([Some("x"), Some("hidden"), Some("z")]), strings([Some("1"), Some("2"), Some("3")])];
    let names = ["text", "id"].map(|name| Field::new(name, DataType::Utf8, true));
    Arc::new(StructArray::new(names.to_vec().into(), members.to_vec(), Some(NullBuffer::from(vec![true, false, true]))))
}

fn text_list(rows: [Option<&[Option<&str>]>; 3]) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.into_iter().flatten().for_each(|text| lists.values().append_option(*text));
        lists.append(row.is_some());
    }
    Arc::new(lists.finish())
}

#[test]
fn columns_may_be_nested() {
    let texts = |columns, text: &str| {
        read_columns(columns, &fields(text), &How::default()).map(|found| found.into_iter().map(|(_, text, _)| text).collect::<Vec<_>>())
    };
    assert_eq!(texts(vec![("doc", nested())], "doc.text").unwrap(), ["x", "", "z"]);
    // A column whose own name has the dot comes first.
    let own = strings([Some("a"), Some("b"), Some("c")]);
    assert_eq!(texts(vec![("doc", nested()), ("doc.text", own.clone())], "doc.text").unwrap(), ["a", "b", "c"]);
    let lists = text_list([Some(&[Some("x"), None, Some(""), Some("y")]), None, Some(&[])]);
    assert_eq!(texts(vec![("list", lists.clone())], "list[]").unwrap(), ["x\n\ny", "", ""]);
    assert_eq!(texts(vec![("own", own.clone()), ("list", lists.clone())], "own+list[]").unwrap(), ["a\n\nx\n\ny", "b", "c"]);
    assert_eq!(texts(vec![("own", own.clone())], "own+list[]").unwrap(), ["a", "b", "c"]);
    assert_eq!(texts(vec![("own+doc", own.clone()), ("own", lists.clone())], "own+doc").unwrap(), ["a", "b", "c"]);
    // Lists of structs.
    let turns = StructArray::from(vec![(Arc::new(Field::new("text", DataType::Utf8, true)), own)]);
    let offsets = arrow_buffer::OffsetBuffer::new(vec![0, 2, 2, 3].into());
    let item = Arc::new(Field::new_list_field(turns.data_type().clone(), true));
    let turns = arrow_array::ListArray::new(item, offsets, Arc::new(turns), None);
    assert_eq!(texts(vec![("turns", Arc::new(turns))], "turns[].text").unwrap(), ["a\n\nb", "", "c"]);
    let all = Fields { id: Some("doc.id".into()), ..fields("doc.text") };
    let error = read_columns(vec![("doc", nested())], &all, &How::default()).unwrap_err();
    assert!(error.contains("row 2: there is no id in the field \"doc.id\""), "{error}");
    for (text, why) in [
        ("doc.body", "there is no field \"doc.body\"; the fields are \"doc.text\", \"doc.id\", \"list[]\""),
        ("body+title", "there is no field \"body+title\"; the fields are"),
        ("list", "the field \"list\" is of type List"),
        ("list[]+doc", "the field \"doc\" is of another type; a text must be of type string"),
    ] {
        let error = texts(vec![("doc", nested()), ("list", lists.clone())], text).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn json_texts_may_be_nested_and_joined() {
    let lines = r#"{"meta":{"id":"a"},"turns":[{"text":"one"},{"role":"x"},{"text":"tw\u006f"}],"title":"T"}
{"meta":{"id":7},"turns":[],"title":null}
{"title":"U","turns":[{"text":"three"}],"meta":{"id":"c"}}
"#;
    let with = |text: &str| Fields { id: Some("meta.id".into()), ..fields(text) };
    for (name, text, want) in [
        ("a.jsonl", "turns[].text", ["one\n\ntwo", "", "three"]),
        ("a.jsonl.gz", "turns[].text", ["one\n\ntwo", "", "three"]),
        ("a.jsonl", "title+turns[].text", ["T\n\none\n\ntwo", "", "U\n\nthree"]),
    ] {
        for chunk_bytes in [1, 60, 1 << 20] {
            let found = Given::new(name, lines.as_bytes()).read(&with(text), &How { chunk_bytes, ..How::default() }).unwrap();
            assert_eq!(texts(&found), want);
            assert_eq!(found.docs.iter().map(|doc| doc.id.as_deref().unwrap()).collect::<Vec<_>>(), ["a", "7", "c"]);
        }
    }
    let error = Given::new("a.jsonl", lines.as_bytes()).read(&with("turns[].body.x"), &How::default()).unwrap();
    assert_eq!(texts(&error), ["", "", ""]);
    let error = Given::new("a.jsonl", lines.as_bytes()).read(&with("turn.text"), &How::default()).unwrap_err().to_string();
    assert!(error.contains("line 1: there is no field \"turn.text\"; the fields are \"meta.id\", \"title\", \"turns[].text\""), "{error}");
}

#[test]
fn csv_texts_may_be_joined() {
    let bytes = b"title,a.b,body\nT,n,\"one\n1\"\n,n,two\nU,n,\n,,\n";
    for (text, want) in [
        ("title+body", ["T\n\none\n1", "two", "U", ""]),
        ("a.b", ["n", "n", "n", ""]),
        ("body+none", ["one\n1", "two", "", ""]),
        ("a.b+body+title", ["n\n\none\n1\n\nT", "n\n\ntwo", "n\n\nU", ""]),
    ] {
        for chunk_bytes in [1, 1 << 20] {
            let found = Given::new("a.csv", bytes).read(&fields(text), &How { chunk_bytes, ..How::default() }).unwrap();
            assert_eq!(texts(&found), want, "{text}");
        }
    }
    let error = Given::new("a.csv", bytes).read(&fields("x+y"), &How::default()).unwrap_err().to_string();
    assert!(error.contains("there is no field \"x+y\""), "{error}");
}

#[test]
fn partition_keys_are_fields() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("site=good/time=2020-01-05/url=http%3A%2F%2Fa%2F");
    std::fs::create_dir_all(&below).unwrap();
    let fields = crate::common::all_fields();
    for (name, bytes) in [
        ("a.jsonl", "{\"id\":\"1\",\"text\":\"x\"}\n{\"id\":\"2\",\"text\":\"x\",\"site\":\"fair\",\"url\":\"b\",\"time\":null}\n"),
        ("a.csv", "id,text\n1,x\n"),
        ("b.csv", "id,text,site,url,time\n2,x,fair,b,\n"),
    ] {
        let path = below.join(name);
        std::fs::write(&path, bytes).unwrap();
        for chunk_bytes in [1, 1 << 20] {
            for doc in read_all(&source(&path), &fields, &How { chunk_bytes, ..How::default() }).unwrap().docs {
                let got = (doc.rank, doc.url.as_deref().unwrap(), doc.time);
                let want = if doc.id.as_deref() == Some("1") { (0, "http://a/", Some(1_578_182_400_000_000)) } else { (1, "b", None) };
                assert_eq!(got, want, "{name}");
            }
        }
    }
    let by_key = Fields {
        id: Some("url".into()),
        prefer: vec![Preference { field: "none".into(), values: vec!["x".into()], by_beginning: false }],
        may_lack: true,
        ..Fields::default()
    };
    let found = read_all(&source(&below.join("a.csv")), &by_key, &How::default()).unwrap();
    assert_eq!((found.docs[0].id.as_deref(), found.docs[0].rank), (Some("http://a/"), 1));
}

#[test]
fn joined_files_may_have_byte_order_marks() {
    let mark = "\u{feff}";
    let lines = format!("{mark}{{\"text\":\"a\"}}\n{mark}{{\"text\":\"b\",\"n\":NaN}}\n{mark}\n{mark}{mark}{{\"text\":\"c\"}}\n{mark}");
    let table = format!("{mark}text,id\na,1\n{mark}\"b\",2\n\n{mark}{mark}c,3\n");
    for chunk_bytes in [1, 1 << 20] {
        for (name, bytes) in [("a.jsonl", &lines), ("a.jsonl.zst", &lines), ("a.csv", &table), ("a.csv.gz", &table)] {
            let found = Given::new(name, bytes.as_bytes()).read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
            assert_eq!(texts(&found), ["a", "b", "c"], "{name}");
        }
    }
    // A mark lies on the border of two buffers.
    for shift in 0..4 {
        let first = "x".repeat((256 << 10) - "text\n\n".len() - shift);
        let table = format!("text\n{first}\n{mark}\"b\"\n");
        let found = Given::new("a.csv", table.as_bytes()).read(&Fields::default(), &How::default()).unwrap();
        assert_eq!(texts(&found)[1], "b", "{shift}");
    }
}
