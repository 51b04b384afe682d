//! Files whose bytes are of another kind than their name says.

use crate::common::{Given, How, bzip2, gzip, lz4, rejected, skip, source, xz, zstd};
use neardup_corpus::{Fields, FindOptions, JobControl, OnError, SourceSpan, discover, spool};

const ZIP: &[u8] = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

#[test]
fn compressed_bytes_under_a_plain_name_are_named() {
    let content = b"{\"text\":\"one\"}\n";
    for (kind, suffix, bytes) in [
        ("gzip", "gz", gzip(content)),
        ("zstd", "zst", zstd(content)),
        ("bzip2", "bz2", bzip2(content)),
        ("xz", "xz", xz(content)),
        ("lz4", "lz4", lz4(content)),
        ("zip", "zip", ZIP.to_vec()),
    ] {
        for name in ["a.jsonl", "a.json", "a.csv", "a.tsv", "a.txt", "a.html"] {
            let given = Given::stored(name, &bytes);
            let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
            let better = if kind == "zip" { "a.zip".to_owned() } else { format!("{name}.{suffix}") };
            assert!(error.contains(&format!("these are bytes of {kind}, not text; name the file {better}")), "{error}");
            let found = given.read(&Fields::default(), &skip()).unwrap();
            assert_eq!((found.docs.len(), rejected(&found)), (0, vec![SourceSpan { offset: 0, len: bytes.len() as u64 }]), "{name}");
            // Parts of it, which several machines might read, would each refuse the whole file.
            assert!(!source(given.path()).is_read_in_parts());
            if !name.ends_with("txt") && !name.ends_with("html") {
                assert_eq!(given.kept(&rejected(&found)), b"", "{name}");
            }
            // Compressed twice.
            let given = Given::stored(&format!("{name}.gz"), &gzip(&bytes));
            let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
            assert!(error.contains(&format!("the gzip stream contains bytes of {kind}, not text")), "{error}");
        }
    }
}

#[test]
fn a_text_may_begin_like_a_magic_number() {
    let given = Given::new("a.txt", b"BZh9 is a beginning, PK is another");
    assert_eq!(given.read(&Fields::default(), &How::default()).unwrap().docs.len(), 1);
}

#[test]
fn a_stream_of_another_codec_is_named() {
    let error = Given::stored("a.txt.gz", &zstd(b"text")).read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("does not begin as such a stream does; these are bytes of zstd"), "{error}");
}

#[test]
fn values_that_are_no_lines_are_named_json() {
    for content in ["[{\"text\":\"a\"}]", "[\n{\"text\":\"a\"}\n]\n", "{\n  \"text\": \"a\"\n}\n"] {
        let error = Given::new("a.jsonl", content.as_bytes()).read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("if the file is an array, or its values span lines, name it .json"), "{error}");
    }
    let error = Given::new("a.jsonl", b"{\"text\":}\n").read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(!error.contains("name it .json"), "{error}");
}

#[test]
fn a_compressed_tar_is_named() {
    for (name, suffix, bytes) in [("gzip", ".tar.gz", gzip(b"x")), ("zstd", ".tar.zst", zstd(b"x")), ("bzip2", ".tar.bz2", bzip2(b"x"))] {
        let given = Given::stored("a.tar", &bytes);
        let options = FindOptions::default();
        let mut found = discover(&[given.path().to_str().unwrap().to_owned()], &options).unwrap();
        let error = spool(&mut found, &given.beside("work"), &options, OnError::Stop, &JobControl::default()).unwrap_err().to_string();
        assert!(error.contains(&format!("these are bytes of {name}: name the file {suffix}")), "{error}");
    }
}
