//! Compressed files: cuts are noticed, padding is skipped.

use std::io::Write;

use crate::common::{Given, How, bzip2, gzip, lz4, rejected, skip, texts, xz, zstd};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use neardup_corpus::Fields;

/// Lines of more than one block of every codec that has blocks, which take few bytes when compressed.
fn lines() -> String {
    (0..3).map(|number| format!("{{\"text\":\"line {number} {}\"}}\n", "x".repeat(25_000))).collect()
}

fn lz4_with(frame: FrameInfo, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::with_frame_info(frame.block_size(BlockSize::Max64KB), Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Ways to write a file, each with the suffix of its codec.
fn packed(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let length = Some(bytes.len() as u64);
    vec![
        ("gz", gzip(bytes)),
        ("zst", zstd(bytes)),
        ("bz2", bzip2(bytes)),
        ("xz", xz(bytes)),
        ("lz4", lz4(bytes)),
        ("lz4", lz4_with(FrameInfo::new(), bytes)),
        ("lz4", lz4_with(FrameInfo::new().block_mode(BlockMode::Linked).block_checksums(true), bytes)),
        ("lz4", lz4_with(FrameInfo::new().content_size(length).content_checksum(true), bytes)),
    ]
}

#[test]
fn a_cut_stream_is_noticed_at_every_byte() {
    let lines = lines();
    for (suffix, packed) in packed(lines.as_bytes()) {
        for length in 0..packed.len() {
            let given = Given::stored(&format!("a.jsonl.{suffix}"), &packed[..length]);
            let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
            assert!(error.contains("stream is cut off"), "{suffix} {length}: {error}");
            let found = given.read(&Fields::default(), &skip()).unwrap();
            assert_eq!((found.rejects.len(), found.rejects[0].row), (1, found.docs.len() as u64 + 1), "{suffix} {length}");
            // The reject covers all that is not kept.
            let read = found.docs.last().map_or(0, |doc| doc.span.end() as usize);
            assert!(given.kept(&rejected(&found)) == lines.as_bytes()[..read], "{suffix} {length}");
        }
        // The second of two members is cut.
        let both = [&packed[..], &packed[..packed.len() - 1]].concat();
        let error = Given::stored(&format!("a.txt.{suffix}"), &both).read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("stream is cut off"), "{suffix}: {error}");
    }
}

/// A frame of the first version of LZ4: its number, and blocks with their lengths. The library only reads this version.
fn legacy(blocks: &[&[u8]]) -> Vec<u8> {
    let mut frame = b"\x02\x21\x4c\x18".to_vec();
    for block in blocks {
        let packed = lz4_flex::block::compress(block);
        frame.extend_from_slice(&u32::try_from(packed.len()).unwrap().to_le_bytes());
        frame.extend_from_slice(&packed);
    }
    frame
}

#[test]
fn a_frame_of_the_first_version_of_lz4_ends_with_its_file() {
    let (one, two) = (b"{\"text\":\"one\"}\n", b"{\"text\":\"two\"}\n");
    let (first, frame) = (legacy(&[one]), legacy(&[one, two]));
    for whole in [
        frame.clone(),
        [&first[..], &legacy(&[two])].concat(),
        [&first[..], &lz4(two)].concat(),
        [&first[..], &[0; 9], &legacy(&[two])].concat(),
        [&frame[..], &[0; 1]].concat(),
        [&frame[..], &[0; 3]].concat(),
        [&frame[..], &[0; 4]].concat(),
    ] {
        let found = Given::stored("a.jsonl.lz4", &whole).read(&Fields::default(), &How::default()).unwrap();
        assert_eq!((texts(&found), found.flaws.len()), (vec!["one", "two"], 0));
    }
    // Without an end mark, a cut between two blocks cannot be noticed.
    for length in (0..frame.len()).filter(|length| *length != 4 && *length != first.len()) {
        let given = Given::stored("a.jsonl.lz4", &frame[..length]);
        let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("stream is cut off"), "{length}: {error}");
        let found = given.read(&Fields::default(), &skip()).unwrap();
        let before: &[&str] = if length < first.len() { &[] } else { &["one"] };
        assert_eq!((texts(&found).as_slice(), found.rejects.len()), (before, 1), "{length}");
    }
}

#[test]
fn a_block_of_lz4_may_be_empty() {
    let whole = lz4_with(FrameInfo::new(), b"{\"text\":\"one\"}\n");
    // A block of one byte, which is the token of no literals and no match, before the first block.
    let with_empty = [&whole[..7], b"\x01\0\0\0\0", &whole[7..]].concat();
    let given = Given::stored("a.jsonl.lz4", &with_empty);
    assert_eq!(texts(&given.read(&Fields::default(), &How::default()).unwrap()), ["one"]);
}

#[test]
fn a_damaged_head_of_a_further_stream_of_bzip2_is_noticed() {
    let [one, two, three] = ["one", "two", "three"].map(|text| bzip2(format!("{{\"text\":\"{text}\"}}\n").as_bytes()));
    // The level, and the number with which a block begins.
    for at in 3..10 {
        let mut damaged = two.clone();
        damaged[at] ^= 0x80;
        let given = Given::stored("a.jsonl.bz2", &[&one[..], &damaged, &three].concat());
        let error = given.read(&Fields::default(), &How::default()).unwrap_err().to_string();
        assert!(error.contains("bzip2 stream is damaged"), "{at}: {error}");
        let found = given.read(&Fields::default(), &skip()).unwrap();
        assert_eq!((texts(&found), found.rejects.len(), found.flaws.len()), (vec!["one"], 1, 0), "{at}");
    }
}

#[test]
fn zeros_between_members_are_padding() {
    for ((suffix, one), (_, two)) in packed(b"{\"text\":\"one\"}\n").into_iter().zip(packed(b"{\"text\":\"two\"}\n")) {
        for zeros in [0, 1, 4, 8, 511, 300_000] {
            let padding = vec![0; zeros];
            let given = Given::stored(&format!("a.jsonl.{suffix}"), &[&one[..], &padding, &two, &padding].concat());
            let found = given.read(&Fields::default(), &How::default()).unwrap();
            assert_eq!((texts(&found), found.flaws.len()), (vec!["one", "two"], 0), "{suffix} {zeros}");
            let given = Given::stored(&format!("a.jsonl.{suffix}"), &[&one[..], &padding, b"junk", &two].concat());
            let found = given.read(&Fields::default(), &How::default()).unwrap();
            assert_eq!((texts(&found), found.flaws.len()), (vec!["one"], 1), "{suffix} {zeros}");
            assert!(found.flaws[0].starts_with("ignored bytes after the "), "{:?}", found.flaws);
        }
    }
}

#[test]
fn a_file_of_skippable_frames_has_no_content() {
    for suffix in ["zst", "lz4"] {
        let given = Given::stored(&format!("a.jsonl.{suffix}"), b"\x50\x2a\x4d\x18\x02\0\0\0ab");
        assert_eq!(given.read(&Fields::default(), &How::default()).unwrap().rows, 0);
    }
}
