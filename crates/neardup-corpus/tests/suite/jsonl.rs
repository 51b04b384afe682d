//! JSON lines: the forms of a line, and that chunks, threads and compression change nothing.

use crate::common::{self, Given, How, all_fields, texts};
use neardup_corpus::Fields;
use proptest::prelude::*;

/// Lines with all cases that a reader must handle.
const LINES: &str = concat!(
    "\u{feff}{\"id\": \"a\", \"text\": \"one plain line\", \"time\": \"2020-02-03\"}\n",
    "\n",
    " \t {\"text\" : \"two \\\"quoted\\\" \\u00e9 \\ud83d\\ude00\\n\", \"id\": 17, \"url\": \"http:\\/\\/b\", \"time\": 86400 } \t\r\n",
    "{\"id\":-0,\"text\":\"three has \u{2028} and \u{85} inside\",\"time\":null,\"more\":{\"text\":\"inner\",\"list\":[1,-2.5e+3,\"]\"]}}\r\n",
    "   \r\n",
    "{\"te\\u0078t\":\"four, its key in escapes\",\"id\":\"d\\n\",\"site\":\"fair\"}\n",
    "{\"text\":\"\",\"id\":\"\",\"site\":\"good\",\"empty\":{},\"none\":[]}\n",
    "{\"text\":\"여섯 번째 줄, 漢字かな\",\"id\":\"여섯\",\"site\":true}",
);

fn expected() -> Vec<(u64, &'static str, Option<&'static str>, u32)> {
    vec![
        (1, "one plain line", Some("a"), 2),
        (3, "two \"quoted\" é 😀\n", Some("17"), 2),
        (4, "three has \u{2028} and \u{85} inside", Some("0"), 2),
        (6, "four, its key in escapes", Some("d\n"), 1),
        (7, "", Some(""), 0),
        (8, "여섯 번째 줄, 漢字かな", Some("여섯"), 2),
    ]
}

#[test]
fn lines_are_read_in_any_compression_chunk_and_number_of_threads() {
    for name in ["a.jsonl", "a.ndjson.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.xz", "a.jsonl.lz4"] {
        let given = Given::new(name, LINES.as_bytes());
        for chunk_bytes in [1, 2, 7, 64, 100, 333, 2 << 20] {
            for threads in [1, 2, 5] {
                let found = given.read(&all_fields(), &How { threads, chunk_bytes, ..How::default() }).unwrap();
                let short: Vec<_> = found.docs.iter().map(|doc| (doc.row, doc.text.as_str(), doc.id.as_deref(), doc.rank)).collect();
                assert_eq!(short, expected(), "{name} {chunk_bytes} {threads}");
                assert_eq!(found.docs[0].time, Some(1_580_688_000_000_000));
                assert_eq!(found.docs[1].time, Some(86_400_000_000));
                assert_eq!(found.docs[1].url.as_deref(), Some("http://b"));
                assert_eq!(found.rows, 8);
                for doc in &found.docs {
                    let line = &LINES[doc.span.offset as usize..doc.span.end() as usize];
                    assert!(line.trim_start().starts_with('{') && line.trim_end().ends_with('}') && line.matches('\n').count() <= 1);
                    assert!(line.ends_with('\n') || doc.span.end() == LINES.len() as u64);
                }
            }
        }
    }
}

#[test]
fn one_field_may_play_several_roles() {
    let given = Given::new("a.jsonl", b"{\"u\":\"x\"}\n");
    let fields = Fields { text: "u".into(), id: Some("u".into()), url: Some("u".into()), ..Fields::default() };
    let doc = given.read(&fields, &How::default()).unwrap().docs.remove(0);
    assert_eq!((doc.text.as_str(), doc.id.as_deref(), doc.url.as_deref()), ("x", Some("x"), Some("x")));
}

#[test]
fn a_very_long_document_is_read_in_small_chunks() {
    let long = "word ".repeat(1 << 20);
    let lines = format!("{{\"text\":\"first\"}}\n{{\"text\":\"{long}\"}}\n{{\"text\":\"last\"}}\n");
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let given = Given::new(name, lines.as_bytes());
        let found = given.read(&Fields::default(), &How { chunk_bytes: 64 << 10, ..How::default() }).unwrap();
        assert_eq!(texts(&found), ["first", &long, "last"]);
        assert_eq!(found.docs[2].row, 3);
    }
}

#[test]
fn a_file_without_lines_yields_no_records() {
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"] {
        for bytes in ["", "\n", "\u{feff}", " \r\n\n"] {
            let found = Given::new(name, bytes.as_bytes()).read(&Fields::default(), &How::default()).unwrap();
            assert!(found.docs.is_empty() && found.rejects.is_empty(), "{name} {bytes:?}");
        }
    }
}

#[test]
fn a_text_of_a_changed_file_is_an_error() {
    let given = Given::new("a.jsonl", b"{\"text\":\"as it was\"}\n");
    let folder = tempfile::tempdir().unwrap();
    let control = neardup_corpus::JobControl::default();
    let spool = folder.path().join("spool");
    let options = neardup_corpus::ReadOptions::new(&control, &spool);
    let read = neardup_corpus::read(&given.source, &Fields::default(), &options, &common::collect).unwrap();
    let place = read.chunks[0][0].1;
    for changed in ["{\"text\":\"as it is now\"}\n", "{\"te", "{\"text\":\"as \\nt was\"}\n"] {
        std::fs::write(given.path(), changed).unwrap();
        let error = read.texts.fetch(place, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("changed"), "{changed}: {error}");
    }
}

proptest! {
    #[test]
    fn any_chunk_size_yields_equal_records(
        texts in prop::collection::vec("[a-z\"\\\\\\n é한]{0,30}", 0..20),
        chunk_bytes in 1..200usize,
        threads in 1..4usize,
        escaped in any::<bool>(),
    ) {
        let mut lines = String::new();
        for (number, text) in texts.iter().enumerate() {
            let json = serde_json::to_string(text).unwrap();
            let json = if escaped { json.replace('한', "\\ud55c") } else { json };
            lines.push_str(&format!("{{\"id\":{number},\"text\":{json}}}\n{}", "\n".repeat(number % 3)));
        }
        for name in ["a.jsonl", "a.jsonl.gz"] {
            let given = Given::new(name, lines.as_bytes());
            let found = given.read(&all_fields(), &How { threads, chunk_bytes, ..How::default() }).unwrap();
            let whole = given.read(&all_fields(), &How::default()).unwrap();
            prop_assert_eq!(&found.docs, &whole.docs);
            prop_assert_eq!(common::texts(&found), texts.clone());
        }
    }
}
