//! Every bad record gets a clear error, and with `skip` no other record is lost.

use std::path::Path;

use crate::common::{self, Given, How, all_fields, skip, source, texts};
use neardup_corpus::{Chunk, Error, Fields, JobControl, OnError, ReadOptions, Reject, read, write_rejects};

/// Checks a bad third line among good ones: by default reading stops there; with `skip` only that line is left out.
///
/// Returns the reject.
fn third_line(bad: &[u8], fields: &Fields, why: &str) -> Reject {
    let good = |text: &str| format!("{{\"id\":\"{text}\",\"text\":\"{text}\"}}\n").into_bytes();
    let bytes = [&good("one"), &b"\n"[..], bad, b"\n", &good("two")].concat();
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let given = Given::new(name, &bytes);
        for chunk_bytes in [1, 20, 1 << 20] {
            let stop = given.read(fields, &How { chunk_bytes, ..How::default() }).unwrap_err().to_string();
            assert!(stop.contains(why), "{stop:?} should say {why:?}");
            assert!(stop.contains(name) && stop.contains("line 3") && stop.contains("--on-error skip"), "{stop}");
            let found = given.read(fields, &How { chunk_bytes, ..skip() }).unwrap();
            assert_eq!(texts(&found), ["one", "two"]);
            assert_eq!((found.docs[0].row, found.docs[1].row, found.rejects.len()), (1, 4, 1));
        }
    }
    let given = Given::new("a.jsonl", &bytes);
    let reject = given.read(fields, &skip()).unwrap().rejects.remove(0);
    assert_eq!((reject.row, reject.len), (3, bad.len() as u64 + 1));
    assert_eq!(&bytes[reject.offset as usize..][..bad.len()], bad);
    reject
}

#[test]
fn bad_lines_are_named_with_their_reason() {
    let time = Fields { time: Some("time".into()), ..Fields::default() };
    let id = Fields { id: Some("id".into()), ..Fields::default() };
    let url = Fields { url: Some("url".into()), ..Fields::default() };
    let plain = Fields::default();
    let cases: &[(&[u8], &Fields, &str)] = &[
        (b"{\"text\":\"x\"", &plain, "EOF while parsing an object at column"),
        (b"{\"text\":\"x\"} {}", &plain, "trailing characters at column 14"),
        (b"{\"text\":\"x\",}", &plain, "trailing comma"),
        (b"{\"text\":\"x}", &plain, "EOF while parsing a string"),
        (b"not json", &plain, "broken JSON"),
        (b"[\"text\"]", &plain, "expected an object"),
        (b"17", &plain, "expected an object"),
        (b"{\"text\":\"\\ud800 lone\"}", &plain, "hex escape"),
        (b"{\"text\":\"a\\q\"}", &plain, "invalid escape"),
        (b"{\"text\":\"a\tb\"}", &plain, "control character"),
        (b"{\"text\":\"a\",\"n\":01}", &plain, "invalid number"),
        (b"{\"text\":\"a\",\"n\":[1,}]}", &plain, "broken JSON"),
        (b"{\"text\":\"a\",\"text\":\"b\"}", &plain, "the field \"text\" occurs twice"),
        (b"{\"text\":\"a\",\"te\\u0078t\":\"b\"}", &plain, "the field \"text\" occurs twice"),
        (b"{\"body\":\"a\",\"id\":1}", &plain, "there is no field \"text\"; the fields are \"body\", \"id\""),
        (b"{}", &plain, "there is no field \"text\"; the fields are none"),
        (b"{\"text\":5}", &plain, "the field \"text\" is a number"),
        (b"{\"text\":{\"a\":1}}", &plain, "the field \"text\" is an object"),
        (b"{\"text\":\"caf\xe9\"}", &plain, "invalid UTF-8 at byte 13 of the line"),
        (b"{\"text\":\"x\",\"time\":\"21.05.03\"}", &time, "\"21.05.03\" is not an RFC 3339 date-time"),
        (b"{\"text\":\"x\",\"time\":1e12}", &time, "the time 1e12 is after the year 9999"),
        (b"{\"text\":\"x\",\"time\":NaN}", &time, "the time NaN is not"),
        (b"{\"text\":\"x\",\"time\":\"202001\"}", &time, "the time \"202001\" is not"),
        (b"{\"text\":\"x\",\"time\":[]}", &time, "the time an array is not"),
        (b"{\"text\":\"x\",\"id\":1.5}", &id, "is 1.5; an id must be a string, a whole number or a UUID: convert it to a string"),
        (b"{\"text\":\"x\",\"id\":1e99}", &id, "is 1e99; an id must be"),
        (b"{\"text\":\"x\",\"id\":NaN}", &id, "is NaN; an id must be"),
        (b"{\"text\":\"x\"}", &id, "there is no id in the field \"id\"; every record needs one"),
        (b"{\"text\":\"x\",\"id\":null}", &id, "there is no id in the field \"id\""),
        (b"{\"text\":\"x\",\"id\":true}", &id, "is a truth value; an id must be"),
        (b"{\"text\":\"x\",\"url\":7}", &url, "the url in the field \"url\" is a number, not a string"),
    ];
    for (bad, fields, why) in cases {
        third_line(bad, fields, why);
    }
}

#[test]
fn a_null_text_is_a_blank_text() {
    let lines = b"{\"text\":\"one\"}\n{\"text\": null}\r\n{\"n\":[1],\"te\\u0078t\":null}\n{\"text\":\"two\"}\n";
    for name in ["a.jsonl", "a.jsonl.zst"] {
        let given = Given::new(name, lines);
        for chunk_bytes in [1, 20, 1 << 20] {
            let found = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
            assert_eq!(texts(&found), ["one", "", "", "two"]);
            assert_eq!(found.docs.iter().map(|doc| doc.row).collect::<Vec<_>>(), [1, 2, 3, 4]);
        }
    }
}

#[test]
fn an_excerpt_has_120_characters() {
    let bad = format!("{{\"text\":{}{}", "é".repeat(200), "x".repeat(5000));
    let reject = third_line(bad.as_bytes(), &Fields::default(), "broken JSON");
    assert_eq!(reject.excerpt, bad.chars().take(120).collect::<String>());
    assert!(third_line(b"\xff\xfe", &Fields::default(), "invalid UTF-8").excerpt.starts_with('\u{fffd}'));
}

#[test]
fn the_first_error_is_the_same_at_any_number_of_threads() {
    let mut lines = String::new();
    for number in 0..2000 {
        let text = if number % 700 == 650 { "5".to_owned() } else { format!("\"text {number}\"") };
        lines.push_str(&format!("{{\"text\":{text}}}\n"));
    }
    for name in ["a.jsonl", "a.jsonl.gz"] {
        let given = Given::new(name, lines.as_bytes());
        for threads in [1, 2, 8] {
            let how = How { threads, chunk_bytes: 100, ..How::default() };
            let error = given.read(&Fields::default(), &how).unwrap_err().to_string();
            assert!(error.contains("line 651:"), "{error}");
        }
        let found = given.read(&Fields::default(), &How { chunk_bytes: 100, ..skip() }).unwrap();
        assert_eq!(found.rejects.iter().map(|reject| reject.row).collect::<Vec<_>>(), [651, 1351]);
        assert_eq!(found.docs.len(), 1998);
    }
}

#[test]
fn a_truncated_stream_yields_its_complete_records() {
    let lines: String = (0..5000).map(|number| format!("{{\"text\":\"text {number} {}\"}}\n", number * 7919 % 10_007)).collect();
    for name in ["a.jsonl.gz", "a.jsonl.zst", "a.jsonl.bz2", "a.jsonl.xz", "a.jsonl.lz4"] {
        let given = Given::new(name, lines.as_bytes());
        let packed = std::fs::read(given.path()).unwrap();
        std::fs::write(given.path(), &packed[..packed.len() * 2 / 3]).unwrap();
        for chunk_bytes in [50, 5000, 1 << 20] {
            let found = given.read(&Fields::default(), &How { chunk_bytes, ..skip() }).unwrap();
            let whole = found.docs.len();
            assert!(whole > 1000 && whole < 5000, "{whole}");
            assert_eq!(found.docs[whole - 1].row, whole as u64);
            assert_eq!((found.rejects.len(), found.rejects[0].row), (1, whole as u64 + 1));
            let error = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap_err().to_string();
            assert!(
                error.contains("stream is cut off") && error.contains(name) && error.contains(&format!("line {}", whole + 1)),
                "{error}"
            );
        }
    }
}

#[test]
fn a_damaged_stream_yields_the_records_before_the_damage() {
    let lines: String = (0..5000).map(|number| format!("{{\"text\":\"text {number} {}\"}}\n", number * 7919 % 10_007)).collect();
    for name in ["a.jsonl.gz", "a.jsonl.zst", "a.csv.gz", "a.csv.bz2", "a.jsonl.xz", "a.csv.lz4"] {
        let lines = if name.contains("csv") {
            lines.replace("{\"text\":", "").replace('}', "").replacen("\"text 0", "text\n\"text 0", 1)
        } else {
            lines.clone()
        };
        let given = Given::new(name, lines.as_bytes());
        let mut packed = std::fs::read(given.path()).unwrap();
        let at = packed.len() * 2 / 3;
        packed[at..at + 200].fill(0xff);
        std::fs::write(given.path(), &packed).unwrap();
        let found = given.read(&Fields::default(), &skip()).unwrap();
        assert!(found.docs.len() >= 1000 && found.rejects.len() == 1, "{name} {} {}", found.docs.len(), found.rejects.len());
        let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("stream is") && error.contains(name), "{error}");
    }
}

#[test]
fn a_record_above_the_limit_is_refused_without_buffering_it() {
    let bomb = format!("{{\"text\":\"{}\"}}", "x".repeat(1 << 20));
    let lines = format!("{{\"text\":\"one\"}}\n{bomb}\n{{\"text\":\"two\"}}\n");
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"] {
        let given = Given::new(name, lines.as_bytes());
        for chunk_bytes in [10, 1000, 100_000, 1 << 22] {
            let how = |on_error| How { chunk_bytes, max_record: 50_000, on_error, ..How::default() };
            let error = given.read(&Fields::default(), &how(OnError::Stop)).unwrap_err().to_string();
            assert!(error.contains("line 2: the record is longer than 50000 bytes"), "{error}");
            let found = given.read(&Fields::default(), &how(OnError::Skip)).unwrap();
            assert_eq!(texts(&found), ["one", "two"], "{name} {chunk_bytes}");
            assert_eq!((found.docs[1].row, found.rejects[0].row), (3, 2));
            assert_eq!((found.rejects[0].offset, found.rejects[0].len), (15, bomb.len() as u64 + 1));
        }
    }
    for name in ["a.txt", "a.txt.gz"] {
        let given = Given::new(name, bomb.as_bytes());
        let error = given.read(&Fields::default(), &How { max_record: 50_000, ..How::default() }).unwrap_err().to_string();
        assert!(error.contains("longer than 50000"), "{error}");
    }
}

#[test]
fn bad_csv_records_are_named_with_their_line() {
    let cases: &[(&[u8], &str, &str, &[&str])] = &[
        (b"text,id\none,1\n\ntwo\nthree,3\n", "the record has 1 field, the header has 2", "line 4", &["one", "three"]),
        (b"text,id\n\"o\nne\",1\ntwo,2,2\nthree,3\n", "the record has 3 fields, the header has 2", "line 4", &["o\nne", "three"]),
        (b"text,id\none,1\n\xff,2\nthree,3\n", "invalid UTF-8", "line 3", &["one", "three"]),
        (b"text,id\none,1\n2,\"two\nthree,3\n", "a quote opens a field here and nothing closes it", "line 3", &["one"]),
        (b"id,text\n1,one\n2,\"two\n3,three", "a quote opens a field here and nothing closes it", "line 3", &["one"]),
    ];
    for (bytes, why, line, kept) in cases {
        for name in ["a.csv", "a.csv.gz"] {
            let given = Given::new(name, bytes);
            let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(line), "{error}");
            for chunk_bytes in [1, 1 << 20] {
                let found = given.read(&Fields::default(), &How { chunk_bytes, ..skip() }).unwrap();
                assert_eq!(texts(&found), *kept);
                assert_eq!(found.rejects.len(), 1);
            }
        }
    }
}

#[test]
fn the_error_of_a_missing_field_names_the_fields_of_the_table() {
    let missing = |field: &str| Fields { id: Some(field.into()), ..Fields::default() };
    let given = Given::new("a.csv", b"text,title\nx,y\n");
    let error = given.read(&missing("name"), &How::default()).unwrap_err().to_string();
    assert!(error.ends_with("there is no field \"name\"; the fields are \"text\", \"title\""), "{error}");
    let error = Given::new("a.csv", b"").read(&missing("name"), &How::default()).unwrap_err().to_string();
    assert!(error.contains("there is no header row"), "{error}");
    let error = Given::new("a.csv", b"text,id,id\n").read(&missing("id"), &How::default()).unwrap_err().to_string();
    assert!(error.contains("\"id\" twice"), "{error}");
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let given = Given::new("a.txt", b"caf\xe9");
    let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("a.txt") && error.contains("invalid UTF-8 at byte 4 of the file"), "{error}");
    let found = given.read(&Fields::default(), &skip()).unwrap();
    assert_eq!((found.docs.len(), found.rejects.len()), (0, 1));
    assert!(found.rejects[0].to_string().contains("a.txt: invalid"), "{}", found.rejects[0]);
    let error = Given::new("a.parquet", b"PAR1 no more").read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("a.parquet") && error.contains("damaged"), "{error}");
    let error = Given::new("a.html", b"<p>x").read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("extractor"), "{error}");
    let error = Given::new("a.warc", b"WARC/1.0").read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("archives need a reader"), "{error}");
}

#[test]
fn reading_stops_when_the_job_is_cancelled_or_the_work_fails() {
    let given = Given::new("a.jsonl.gz", "{\"text\":\"x\"}\n".repeat(1000).as_bytes());
    let control = JobControl::default();
    let spool = given.beside("spool");
    let options = ReadOptions { chunk_bytes: 50, ..ReadOptions::new(&control, &spool) };
    let work = |chunk: &neardup_corpus::Chunk<'_>| if chunk.number == 7 { Err(Error::Cancelled) } else { Ok(()) };
    assert!(matches!(read(&given.source, &Fields::default(), &options, &work), Err(Error::Cancelled)));
    control.cancel();
    assert!(matches!(read(&given.source, &Fields::default(), &options, &common::collect), Err(Error::Cancelled)));
}

#[test]
fn work_that_panics_does_not_hang_the_reader() {
    let given = Given::new("a.jsonl.gz", "{\"text\":\"x\"}\n".repeat(1000).as_bytes());
    let spool = given.beside("spool");
    let run = std::panic::catch_unwind(|| {
        let control = JobControl::default();
        let options = ReadOptions { chunk_bytes: 50, ..ReadOptions::new(&control, &spool) };
        read::<(), Error>(&given.source, &Fields::default(), &options, &|_: &Chunk<'_>| panic!("on purpose")).is_ok()
    });
    assert!(run.is_err());
}

#[test]
fn a_missing_folder_of_the_work_file_is_named() {
    let given = Given::new("a.csv", b"text\nx\n");
    let control = JobControl::default();
    let options = ReadOptions::new(&control, Path::new("/nowhere/at/all"));
    let error = read(&given.source, &Fields::default(), &options, &common::collect).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/at/all: cannot write"), "{error}");
    let deleted = source(given.path());
    std::fs::remove_file(given.path()).unwrap();
    let error = common::read_all(&deleted, &Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("a.csv: cannot read"), "{error}");
}

#[test]
fn rejects_are_written_as_json_lines() {
    let given = Given::new("a.jsonl", b"{\"text\":1}\n{\"text\":\"x\",\"id\":1}\n\xff\n");
    let found = given.read(&all_fields(), &skip()).unwrap();
    let target = given.beside("rejects.jsonl");
    write_rejects(&target, &found.rejects).unwrap();
    let written = std::fs::read_to_string(&target).unwrap();
    let rows: Vec<serde_json::Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0]["row"].as_u64(), rows[1]["row"].as_u64()), (Some(1), Some(3)));
    assert_eq!(rows[0]["unit"], "line");
    assert_eq!(rows[0]["reason"], "the field \"text\" is a number, not a string");
    assert_eq!(rows[0]["excerpt"], "{\"text\":1}");
    assert!(rows[1]["source"].as_str().unwrap().ends_with("a.jsonl"));
}

#[test]
fn padding_is_ignored_and_other_bytes_after_the_stream_are_counted() {
    let lines = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n".repeat(20);
    for suffix in ["gz", "zst", "bz2", "xz", "lz4"] {
        let name = format!("a.jsonl.{suffix}");
        for (more, is_counted) in [(&b"\0\0\0\0"[..], false), (b"\0\0garbage", true), (b"garbage", true)] {
            let given = Given::new(&name, lines.as_bytes());
            let mut packed = std::fs::read(given.path()).unwrap();
            packed.extend_from_slice(more);
            std::fs::write(given.path(), packed).unwrap();
            let (control, spool) = (JobControl::default(), given.beside("spool"));
            let read =
                read::<usize, Error>(&given.source, &Fields::default(), &ReadOptions::new(&control, &spool), &|chunk: &Chunk<'_>| {
                    Ok(chunk.records.len())
                });
            let read = read.unwrap();
            assert_eq!(read.records, 40, "{name} {more:?}");
            assert_eq!(!read.flaws.is_empty(), is_counted, "{name} {more:?} {:?}", read.flaws);
        }
    }
}

#[test]
fn a_window_beyond_the_memory_is_stated() {
    let given = Given::new("a.jsonl", b"");
    let path = given.beside("long.jsonl.zst");
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.long_distance_matching(true).unwrap();
    std::io::Write::write_all(&mut encoder, b"{\"text\":\"a\"}\n").unwrap();
    std::fs::write(&path, encoder.finish().unwrap()).unwrap();
    let source = source(&path);
    let control = JobControl::default();
    let spool = given.beside("spool");
    let run = |control: &JobControl| {
        let options = ReadOptions { on_error: OnError::Skip, ..ReadOptions::new(control, &spool) };
        read::<usize, Error>(&source, &Fields::default(), &options, &|chunk: &Chunk<'_>| Ok(chunk.records.len()))
    };
    assert_eq!(run(&control).unwrap().records, 1);
    control.limit_window(1 << 20);
    let error = run(&control).unwrap_err().to_string();
    assert!(error.contains("long.jsonl.zst") && error.contains("134217728 bytes") && error.contains("--memory 256M"), "{error}");
}
