//! Files of sections: they are read as they were written, and any other content is refused.

use neardup_live::Error;
use neardup_live::storage::sections::{Sections, Writer};
use proptest::prelude::*;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const KIND: &str = "segment";
const TEXT: &[u8] = b"quiet harbour";

/// Writes a file of four sections, one of them empty and one long enough for several blocks of the checksum.
fn small(folder: &Path) -> PathBuf {
    let path = folder.join("segment-000001");
    let mut writer = Writer::create(&path, KIND, &("words", 3u64)).unwrap();
    writer.section("ids", &[1u64, 2, u64::MAX]).unwrap();
    writer.section::<u32>("none", &[]).unwrap();
    writer.section("text", TEXT).unwrap();
    writer.section("wide", &[[7u16; 4]; 33]).unwrap();
    writer.finish().unwrap();
    path
}

/// Returns the error of a file, if it has any.
fn fault(path: &Path) -> Option<Error> {
    Sections::open(path, KIND).and_then(|sections| sections.verify()).err()
}

proptest! {
    #[test]
    fn sections_are_read_as_they_were_written(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        words in prop::collection::vec(any::<u64>(), 0..200),
        pairs in prop::collection::vec(any::<[u32; 2]>(), 0..100),
        cuts in prop::collection::vec(0usize..400, 0..6),
        header in ".{0,90}",
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state-000009");
        let mut writer = Writer::create(&path, "state", &header).unwrap();
        writer.section("bytes", &bytes).unwrap();
        let mut stream = writer.stream::<u64>("words").unwrap();
        let mut rest: &[u8] = bytemuck::cast_slice(&words);
        for cut in cuts {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            stream.write_all(piece).unwrap();
            rest = after;
        }
        stream.write_all(rest).unwrap();
        writer.section("pairs", &pairs).unwrap();
        writer.finish().unwrap();

        let sections = Sections::open(&path, "state").unwrap();
        sections.verify().unwrap();
        prop_assert_eq!(sections.header::<String>().unwrap(), header);
        prop_assert_eq!(sections.get::<u8>("bytes").unwrap(), bytes);
        prop_assert_eq!(sections.get::<u64>("words").unwrap(), words);
        prop_assert_eq!(sections.get::<[u32; 2]>("pairs").unwrap(), pairs);
        prop_assert_eq!(sections.get::<u64>("words").unwrap().as_ptr() as usize % 64, 0);
    }
}

#[test]
fn a_file_without_sections_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("segment-000002");
    Writer::create(&path, KIND, &()).unwrap().finish().unwrap();
    assert!(fault(&path).is_none());
}

#[test]
fn every_flipped_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let bytes = fs::read(&path).unwrap();
    let begin = bytes.windows(TEXT.len()).position(|window| window == TEXT).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for at in 0..bytes.len() {
        for mask in [0x01, 0x10, 0x80, 0xff] {
            file.write_all_at(&[bytes[at] ^ mask], at as u64).unwrap();
            let error = fault(&path).unwrap_or_else(|| panic!("byte {at} ^ {mask:#x} is not found")).to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            assert_eq!((begin..begin + TEXT.len()).contains(&at), error.contains("section `text`"), "byte {at}: {error}");
        }
        file.write_all_at(&bytes[at..=at], at as u64).unwrap();
    }
    assert!(fault(&path).is_none());
}

#[test]
fn a_file_of_any_other_length_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let bytes = fs::read(&path).unwrap();
    for length in (0..bytes.len()).rev() {
        File::options().write(true).open(&path).and_then(|file| file.set_len(length as u64)).unwrap();
        assert!(Sections::open(&path, KIND).is_err(), "{length} bytes of {}", bytes.len());
    }
    for more in [1, 64, 4096] {
        fs::write(&path, [&bytes[..], &vec![0; more]].concat()).unwrap();
        assert!(Sections::open(&path, KIND).is_err(), "{more} bytes more");
    }
}

#[test]
fn a_file_of_another_kind_or_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let as_state = Sections::open(&path, "state").unwrap_err().to_string();
    assert!(as_state.ends_with("damaged: it was written as segment-000001, a segment, and is used as a state"), "{as_state}");
    let renamed = folder.path().join("segment-000002");
    fs::rename(&path, &renamed).unwrap();
    let moved = Sections::open(&renamed, KIND).unwrap_err().to_string();
    assert!(moved.contains("it was written as segment-000001"), "{moved}");
    fs::write(&path, "id,text\n1,a letter\n").unwrap();
    let foreign = Sections::open(&path, KIND).unwrap_err().to_string();
    assert!(foreign.ends_with("it does not begin as a file of an index does"), "{foreign}");
    let missing = Sections::open(&folder.path().join("segment-000003"), KIND).unwrap_err();
    assert!(matches!(missing, Error::File { doing: "read", .. }), "{missing}");
}

#[test]
fn another_format_is_distinguished_from_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[8..12].copy_from_slice(&3u32.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let error = Sections::open(&path, KIND).unwrap_err();
    assert!(matches!(error, Error::Format { found: 3, .. }), "{error}");
    assert!(error.to_string().ends_with("this is format 3 of the index, and this neardup reads formats 1 to 2"), "{error}");
}

#[test]
fn a_section_is_read_only_with_its_name_and_type() {
    let folder = tempfile::tempdir().unwrap();
    let sections = Sections::open(&small(folder.path()), KIND).unwrap();
    let text = |error: Error| error.to_string();
    assert!(sections.get::<u64>("keys").map_err(text).unwrap_err().ends_with("it has no section `keys`"));
    assert!(sections.get::<u32>("ids").map_err(text).unwrap_err().ends_with("section `ids` is of values of 8 bytes, not 4"));
    assert!(sections.header::<String>().map_err(text).unwrap_err().contains("its header cannot be read"));
}

#[test]
fn an_unfinished_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let before = Sections::open(&path, KIND).unwrap();
    let mut writer = Writer::create(&path, KIND, &()).unwrap();
    writer.section("ids", &[9u64]).unwrap();
    assert!(folder.path().join("segment-000001.partial").exists());
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // An open file keeps its content, even if it is replaced or removed.
    let mut writer = Writer::create(&path, KIND, &()).unwrap();
    writer.section("ids", &[9u64]).unwrap();
    writer.finish().unwrap();
    assert_eq!(Sections::open(&path, KIND).unwrap().get::<u64>("ids").unwrap(), [9]);
    fs::remove_file(&path).unwrap();
    before.verify().unwrap();
    assert_eq!(before.get::<u64>("ids").unwrap(), [1, 2, u64::MAX]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("segment-000001");
    std::os::unix::fs::symlink("/dev/full", folder.path().join("segment-000001.partial")).unwrap();
    let mut writer = Writer::create(&path, KIND, &()).unwrap();
    let error = writer.section("ids", &vec![1u64; 1 << 18]).unwrap_err().to_string();
    assert!(error.contains("segment-000001: cannot write: No space left"), "{error}");
    // The failed write is remembered.
    assert!(writer.section("more", &[1u64]).is_err());
    assert!(writer.finish().is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn sections_are_shared_by_threads() {
    let folder = tempfile::tempdir().unwrap();
    let sections = Sections::open(&small(folder.path()), KIND).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let sections = sections.clone();
            std::thread::spawn(move || sections.verify().map(|()| sections.get::<u64>("ids").unwrap()[1]))
        })
        .collect();
    threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap().unwrap(), 2));
}

#[test]
#[should_panic(expected = "two sections have the name `ids`")]
fn section_names_are_unique() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&folder.path().join("segment-000001"), KIND, &()).unwrap();
    writer.section("ids", &[1u64]).unwrap();
    writer.section("ids", &[1u64]).unwrap();
}

#[test]
#[should_panic(expected = "section `ids` ends within a value")]
fn a_section_contains_only_whole_values() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&folder.path().join("segment-000001"), KIND, &()).unwrap();
    writer.stream::<u64>("ids").unwrap().write_all(&[0; 12]).unwrap();
    writer.finish().unwrap();
}
