//! JSON files of every shape, and arrays that stay arrays when records are dropped.

use crate::common::{Given, How, bzip2, gzip, lz4, rejected, skip, texts, xz, zstd};
use neardup_corpus::{Fields, JobControl, SourceSpan, keep, rewrite};
use proptest::prelude::*;

fn read(name: &str, content: &str) -> (Given, Vec<(u64, String)>) {
    let given = Given::new(name, content.as_bytes());
    let docs = given.read(&Fields::default(), &How { chunk_bytes: 10, ..How::default() }).unwrap().docs;
    (given, docs.into_iter().map(|doc| (doc.row, doc.text)).collect())
}

fn kept(given: &Given, dropped: &[SourceSpan]) -> String {
    let target = given.beside("kept");
    keep(&given.source, dropped, &target, 2, &JobControl::default()).unwrap();
    String::from_utf8(std::fs::read(target).unwrap()).unwrap()
}

#[test]
fn every_shape_is_read() {
    let two = vec![(1, "a".to_owned()), (2, "b".to_owned())];
    for content in [
        "{\"text\":\"a\"}\n{\"text\":\"b\"}\n",
        "[{\"text\":\"a\"},{\"text\":\"b\"}]",
        "[\n  {\n    \"text\": \"a\"\n  },\n  {\"text\": \"b\", \"x\": [\"]\", NaN]}\n]\n",
        "{\n\"text\": \"a\"}\n{\n\"text\": \"b\"\n}",
        "[{\"text\":\"a\"}]\n[{\"text\":\"b\"}]",
    ] {
        assert_eq!(read("a.json", content).1, two, "{content}");
    }
    assert_eq!(read("a.json", "{\n  \"text\": \"one\"\n}").1, [(1, "one".to_owned())]);
    assert_eq!(read("a.json", "").1, []);
    assert_eq!(read("a.json", "[]").1, []);
    for suffix in ["gz", "zst", "bz2", "xz", "lz4"] {
        assert_eq!(read(&format!("a.json.{suffix}"), "[{\"text\":\"a\"},\n{\"text\":\"b\"}]").1, two);
    }
}

#[test]
fn bad_elements_are_named_and_others_are_read() {
    let given = Given::new("a.json", b"[{\"text\":\"a\"}, 7, {\"text\": 3}, {\"text\":\"b\" \"c\"}, {\"text\":\"d\"}]");
    let found = given.read(&Fields::default(), &skip()).unwrap();
    assert_eq!(texts(&found), ["a", "d"]);
    assert_eq!(found.rejects.iter().map(|reject| reject.row).collect::<Vec<_>>(), [2, 3, 4]);
    let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("a.json, record 2") && error.contains("expected an object"), "{error}");
    let kept = kept(&given, &found.rejects.iter().map(|reject| SourceSpan { offset: reject.offset, len: reject.len }).collect::<Vec<_>>());
    assert_eq!(kept, "[{\"text\":\"a\"}, {\"text\":\"d\"}]");
}

#[test]
fn a_cut_array_is_noticed_at_every_byte() {
    let whole = "[{\"text\":\"a\"},\n{\"text\":\"b\"}]";
    for length in 1..whole.len() {
        let given = Given::new("a.json", &whole.as_bytes()[..length]);
        let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("a.json, record") && error.contains("ends"), "{length}: {error}");
        let found = given.read(&Fields::default(), &skip()).unwrap();
        assert_eq!(found.docs.len() as u64 + 1, found.rejects[0].row, "{length}");
    }
}

/// Returns the texts of what is kept of a file without its rejects and without the records `dropped`, by the strict reading of it.
fn kept_texts(given: &Given, dropped: &[usize]) -> Vec<String> {
    let found = given.read(&Fields::default(), &skip()).unwrap();
    let mut spans = rejected(&found);
    spans.extend(dropped.iter().map(|at| found.docs[*at].span));
    spans.sort_unstable();
    let kept = Given::new("kept.json", &given.kept(&spans));
    let content = std::fs::read_to_string(kept.path()).unwrap();
    let read = kept.read(&Fields::default(), &How::default()).unwrap_or_else(|error| panic!("{content}: {error}"));
    let values = serde_json::Deserializer::from_str(&content).into_iter::<serde_json::Value>();
    values.for_each(|value| assert!(value.is_ok(), "{content}: {value:?}"));
    texts(&read).into_iter().map(str::to_owned).collect()
}

#[test]
fn what_follows_a_structural_error_is_one_reject_and_not_kept() {
    for (before, rest) in [
        ("[{\"text\":\"a\"} ", "{\"text\":\"b\"}]"),
        ("[{\"text\":\"a\"},", "{\"text\":\"b"),
        ("{\"text\":\"a\"}", ",\n{\"text\":\"b\"}\n"),
        ("[{\"text\":\"a\"},", "]"),
        ("[{\"text\":\"a\"}", ""),
        ("[{\"text\":\"a\"} , \n", ""),
        ("[{\"text\":\"a\"}] [", ""),
        ("[{\"text\":\"a\"}]\n", "}\n{\"text\":\"b\"}"),
    ] {
        let content = format!("{before}{rest}");
        let given = Given::new("a.json", content.as_bytes());
        let found = given.read(&Fields::default(), &skip()).unwrap();
        assert_eq!(texts(&found), ["a"], "{content}");
        assert_eq!((found.rejects.len(), found.rejects[0].row, found.rows), (1, 2, 2), "{content}");
        assert_eq!((found.rejects[0].offset, found.rejects[0].len), (before.len() as u64, rest.len().max(1) as u64), "{content}");
        assert_eq!(found.rejects[0].excerpt, rest.trim_end_matches('\n'), "{content}");
        assert_eq!(rest.is_empty(), !found.rejects[0].reason.contains("nothing from here to the end of the file is read"), "{content}");
        assert_eq!(kept_texts(&given, &[]), ["a"], "{content}");
        assert_eq!(kept_texts(&given, &[0]), [""; 0], "{content}");
    }
    assert_eq!(kept_texts(&Given::new("a.json", b"["), &[]), [""; 0]);
}

#[test]
fn a_cut_array_is_kept_as_an_array() {
    let records: Vec<String> = (0..5).map(|number| format!("{{\"text\":\"{number}\"}}")).collect();
    let whole = format!("[{}]\n", records.join(" ,\n "));
    for name in ["a.json", "a.json.gz"] {
        for length in 1..whole.len() - 2 {
            let given = Given::new(name, &whole.as_bytes()[..length]);
            let read: Vec<String> = given.read(&Fields::default(), &skip()).unwrap().docs.into_iter().map(|doc| doc.text).collect();
            assert_eq!(kept_texts(&given, &[]), read, "{name} {length}");
            if !read.is_empty() {
                assert_eq!(kept_texts(&given, &[0]), read[1..], "{name} {length}");
                assert_eq!(kept_texts(&given, &[read.len() - 1]), read[..read.len() - 1], "{name} {length}");
            }
        }
    }
    let target = |given: &Given| {
        let found = given.read(&Fields::default(), &skip()).unwrap();
        let target = given.beside("new");
        let edits = [(found.docs[0].span, Some("x".to_owned())), (rejected(&found)[0], None)];
        let mut edits = edits.into_iter().map(Ok::<_, neardup_corpus::Error>);
        rewrite(&given.source, &Fields::default(), &mut edits, None, &target, &JobControl::default()).unwrap();
        std::fs::read_to_string(target).unwrap()
    };
    assert_eq!(target(&Given::new("a.json", b"[{\"text\":\"a\"},{\"text\":\"b")), "[{\"text\":\"x\"}]");
}

#[test]
fn an_array_in_a_cut_stream_is_kept_as_an_array() {
    let record = |number: usize| format!("{{\"text\":\"{number} {}\"}}", (number * number * 7919) % 1_000_003);
    let whole = format!("[{}]", (0..3000).map(record).collect::<Vec<_>>().join(",\n"));
    for (suffix, packed) in [
        ("gz", gzip(whole.as_bytes())),
        ("zst", zstd(whole.as_bytes())),
        ("bz2", bzip2(whole.as_bytes())),
        ("xz", xz(whole.as_bytes())),
        ("lz4", lz4(whole.as_bytes())),
    ] {
        for length in [packed.len() / 2, packed.len() - 5] {
            let given = Given::stored(&format!("a.json.{suffix}"), &packed[..length]);
            let found = given.read(&Fields::default(), &skip()).unwrap();
            let read: Vec<String> = texts(&found).into_iter().map(str::to_owned).collect();
            assert_eq!(found.rejects.len(), 1);
            // The reject begins where its record does.
            let reject = &found.rejects[0];
            let begins = whole[reject.offset as usize..].starts_with(&reject.excerpt);
            assert!(begins && (reject.excerpt.is_empty() || reject.excerpt.starts_with("{\"text\":")), "{suffix}: {reject:?}");
            assert_eq!(kept_texts(&given, &[]), read, "{suffix} {length}");
        }
    }
}

#[test]
fn values_without_a_gap_are_dropped_as_one() {
    let given = Given::new("a.json", b"{\n\"text\":\"a\"}{\"text\":\"b\"}{\"text\":\"c\"}");
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    let both = SourceSpan { offset: docs[0].span.offset, len: docs[1].span.end() - docs[0].span.offset };
    assert_eq!(kept(&given, &[both]), "{\"text\":\"c\"}");
}

#[test]
fn a_long_element_is_refused() {
    let content = format!("[{{\"text\":\"a\"}},{{\"text\":\"{}\"}},{{\"text\":\"b\"}}]", "x".repeat(1000));
    let given = Given::new("a.json", content.as_bytes());
    let found = given.read(&Fields::default(), &How { max_record: 100, ..skip() }).unwrap();
    assert_eq!(texts(&found), ["a", "b"]);
    assert_eq!((found.rejects[0].row, found.rejects[0].len), (2, 1011));
}

#[test]
fn new_texts_in_an_array() {
    let given = Given::new("a.json", b"[{\"text\":\"a\"}, {\"text\":\"b\"}, {\"text\":\"c\"}]");
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    let target = given.beside("kept");
    let edits =
        [Ok::<_, neardup_corpus::Error>((docs[0].span, None)), Ok((docs[1].span, Some("x\"".to_owned()))), Ok((docs[2].span, None))];
    rewrite(&given.source, &Fields::default(), &mut edits.into_iter(), None, &target, &JobControl::default()).unwrap();
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "[{\"text\":\"x\\\"\"}]");
}

proptest! {
    #[test]
    fn an_array_stays_an_array(sizes in proptest::collection::vec(0usize..5, 0..4), chosen in any::<u32>(), gap in "[ \n\t]{0,3}", is_top in any::<bool>()) {
        let mut number = 0;
        let mut element = || {
            number += 1;
            format!("{{\"text\":\"{number}\"}}")
        };
        let arrays: Vec<Vec<String>> = sizes.iter().map(|size| (0..*size).map(|_| element()).collect()).collect();
        let write = |arrays: &[Vec<String>]| {
            let parts = arrays.iter().map(|array| if is_top { array.join(&format!("\n{gap}")) } else { format!("[{gap}{}{gap}]", array.join(&format!("{gap},{gap}"))) });
            parts.collect::<Vec<_>>().join("\n")
        };
        // The space before makes it no file of lines.
        let given = Given::new("a.json", format!("{}{}", if is_top { "{\n\"text\": \"0\"}\n" } else { "[]" }, write(&arrays)).as_bytes());
        let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
        let dropped: Vec<_> = docs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, doc)| doc.span).collect();
        let want: Vec<_> = docs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 0).map(|(_, doc)| doc.text.clone()).collect();
        let again = Given::new("b.json", kept(&given, &dropped).as_bytes());
        let found = again.read(&Fields::default(), &How::default()).unwrap();
        prop_assert_eq!(texts(&found), want);
    }
}
