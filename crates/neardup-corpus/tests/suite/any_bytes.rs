//! Readers take any bytes: they end, do not panic, and give the same for any size of chunks.

use crate::common::{How, pack, read_all, skip};
use neardup_corpus::{CsvOptions, Error, Fields, FindOptions, GivenEncoding, JobControl, OnError, TextEncoding, discover, spool};
use proptest::prelude::*;

const NAMES: [&str; 18] = [
    "a.jsonl",
    "a.json",
    "a.csv",
    "a.tsv",
    "a.txt",
    "a.py",
    "a.jsonl.gz",
    "a.json.zst",
    "a.csv.bz2",
    "a.txt.xz",
    "a.jsonl.lz4",
    "a.parquet",
    "a.arrow",
    "a.feather",
    "a.tar",
    "a.tar.gz",
    "a.zip",
    "a.wacz",
];

/// Pieces that the formats give a meaning, among any bytes.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        &b"{\"text\":\"a\"}"[..],
        b"[",
        b"]",
        b",",
        b"\n",
        b"\r\n",
        b"\"",
        b"\\",
        b"text",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\0\0\xfe\xff",
        b"\x1f\x8b\x08\0",
        b"\x28\xb5\x2f\xfd",
        b"BZh9",
        b"\xfd7zXZ\0",
        b"\x04\x22\x4d\x18",
        b"\x50\x2a\x4d\x18\x02\0\0\0",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PAR1",
        b"ARROW1\0\0",
        b"NaN",
    ]);
    let part = prop_oneof![2 => known.prop_map(<[u8]>::to_vec), 1 => prop::collection::vec(any::<u8>(), 0..40)];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// Reads a file in chunks of a size. Returns the texts and the rejected rows of each source, or nothing if it cannot be found.
fn read(name: &str, content: &[u8], encoding: GivenEncoding, chunk_bytes: usize) -> Option<Vec<(Vec<String>, Vec<u64>)>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let options = FindOptions { encoding, source_code: true, csv: CsvOptions::default(), ..FindOptions::default() };
    let mut found = discover(&[path.to_str().unwrap().to_owned()], &options).ok()?;
    spool(&mut found, &folder.path().join("work"), &options, OnError::Skip, &JobControl::default()).ok()?;
    let mut all = Vec::new();
    for source in &found.sources {
        match read_all(source, &Fields::default(), &How { chunk_bytes, ..skip() }) {
            Ok(found) => all
                .push((found.docs.into_iter().map(|doc| doc.text).collect(), found.rejects.into_iter().map(|reject| reject.row).collect())),
            // A table without the field, or without a readable head.
            Err(Error::Field { .. } | Error::Damaged { .. } | Error::Unsupported { .. } | Error::Kind { .. }) => {
                all.push(Default::default())
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
    Some(all)
}

fn check(name: &str, content: &[u8], encoding: GivenEncoding) {
    assert_eq!(read(name, content, encoding, 1 << 20), read(name, content, encoding, 3), "{name}");
}

fn encodings() -> impl Strategy<Value = GivenEncoding> {
    let named = |name: &str| GivenEncoding::Named(TextEncoding::named(name).unwrap());
    prop::sample::select(vec![
        GivenEncoding::Strict,
        GivenEncoding::Detect,
        named("utf-16le"),
        named("utf-32be"),
        named("shift_jis"),
        named("gb18030"),
        named("iso-2022-jp"),
    ])
}

proptest! {
    #[test]
    fn any_content(name in prop::sample::select(NAMES.to_vec()), content in bytes(), encoding in encodings()) {
        check(name, &content, encoding);
    }

    /// A compressed file with one byte changed.
    #[test]
    fn a_damaged_stream(name in prop::sample::select(vec!["a.jsonl.gz", "a.json.zst", "a.csv.bz2", "a.jsonl.xz", "a.jsonl.lz4"]), rows in 1usize..40, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut packed = pack(name, "{\"text\":\"a line\"}\n".repeat(rows).as_bytes());
        let at = at.index(packed.len());
        packed[at] = byte;
        check(name, &packed, GivenEncoding::Strict);
    }
}

#[test]
#[ignore = "repeats the kinds above"]
fn any_content_at_length() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(20_000));
    runner
        .run(&(prop::sample::select(NAMES.to_vec()), bytes(), encodings()), |(name, content, encoding)| {
            check(name, &content, encoding);
            Ok(())
        })
        .unwrap();
}
