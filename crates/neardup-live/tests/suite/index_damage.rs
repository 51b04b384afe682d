//! Damaged files of an index: opening or verifying reports the damage, or nothing is lost; no answer is ever wrong.

use crate::model::{Look, look, open, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::info::Info;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Makes a small index with two segments, a state and a log; some of its documents are dropped, replaced and removed.
fn index(word: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::Earliest), passes()).unwrap().with_flush_at(5);
    let document = |number: u64| Document {
        id: (!number.is_multiple_of(3)).then(|| format!("d{number}")),
        url: (!number.is_multiple_of(2)).then(|| format!("http://example.org/{}", number % 7)),
        time: (!number.is_multiple_of(4)).then_some((number * 5 % 7) as i64),
        text: format!("{word} w{} w{} quay", number % 4, number % 3),
    };
    (0..12).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
    index.remove(vec!["d4".to_owned()]).unwrap();
    assert_eq!(index.contents().index_state.document_table.segments().len(), 2);
    assert!(index.contents().position > 0);
    index.verify().unwrap();
    (folder, dir)
}

/// Returns the files of the index without its lock and its marker, which contain no documents.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("lock") && !file.ends_with(".neardup"));
    files.sort();
    files
}

fn is_log(file: &Path) -> bool {
    file.file_name().unwrap().to_string_lossy().starts_with("log-")
}

/// Checks that damage to a file is found. In the log it may also be harmless, because its records determine its length,
/// too.
fn check(dir: &Path, file: &Path, whole: &Look, what: &str) {
    match open(dir) {
        Ok(index) => assert!(is_log(file) && look(&index) == *whole, "{}: {what} is not found", file.display()),
        Err(error) => assert!(error.to_string().starts_with(&dir.display().to_string()), "{what}: {error}"),
    }
}

#[test]
fn a_flipped_byte_is_found_or_harmless() {
    flip(3);
}

#[test]
#[ignore = "every byte, of which the test above flips one in three"]
fn every_flipped_byte_is_found_or_harmless() {
    flip(1);
}

/// Flips a bit in every `step`-th byte of each file.
fn flip(step: usize) {
    let (_folder, dir) = index("heron");
    let (whole, mut random) = (look(&open(&dir).unwrap()), SplitMix::new(1));
    for path in files(&dir) {
        let bytes = fs::read(&path).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        for (at, &byte) in bytes.iter().enumerate().step_by(step) {
            let mask = 1 << (random.draw() % 8);
            file.write_all_at(&[byte ^ mask], at as u64).unwrap();
            check(&dir, &path, &whole, &format!("byte {at} ^ {mask:#x}"));
            file.write_all_at(&[byte], at as u64).unwrap();
        }
    }
    assert_eq!(look(&open(&dir).unwrap()), whole);
}

#[test]
fn other_lengths_are_found() {
    cut(7);
}

#[test]
#[ignore = "every length, of which the test above tries one in seven"]
fn every_other_length_is_found() {
    cut(1);
}

/// Cuts each file to every length that is a multiple of `step`.
fn cut(step: usize) {
    let (_folder, dir) = index("heron");
    let whole = look(&open(&dir).unwrap());
    for path in files(&dir) {
        let bytes = fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(step) {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = open(&dir).err().unwrap_or_else(|| panic!("{}: {length} bytes", path.display()));
            assert!(error.to_string().contains(": damaged: "), "{error}");
        }
        // Bytes after the end of the log were never acknowledged.
        fs::write(&path, [&bytes[..], b"more"].concat()).unwrap();
        check(&dir, &path, &whole, "four bytes more");
        fs::write(&path, bytes).unwrap();
    }
    open(&dir).unwrap().verify().unwrap();
}

#[test]
fn a_missing_file_is_named() {
    let (_folder, dir) = index("heron");
    // An index without the copy of its manifest is complete.
    for path in files(&dir).into_iter().filter(|path| !path.ends_with("manifest.json.copy")) {
        let aside = path.with_extension("aside");
        fs::rename(&path, &aside).unwrap();
        let error = open(&dir).err().unwrap().to_string();
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(error.contains(&*name), "{error}");
        fs::rename(&aside, &path).unwrap();
    }
    // The lock file is empty, and is made again.
    fs::remove_file(dir.join("lock")).unwrap();
    open(&dir).unwrap().add(vec![Document::default()], 0).unwrap();
}

#[test]
fn a_folder_of_an_index_without_manifest_is_not_treated_as_empty() {
    let (_folder, dir) = index("heron");
    let create = || Index::create(&dir, settings(Policy::First), passes());
    fs::rename(dir.join("manifest.json"), dir.join("aside")).unwrap();
    // Each of the other files would be lost.
    for path in files(&dir).into_iter().filter(|path| !path.ends_with("aside") && !path.ends_with("manifest.json.copy")) {
        let error = create().err().unwrap().to_string();
        assert_eq!(
            error,
            format!(
                "{}: damaged: the manifest.json of its index is missing: put it back, run neardup index repair, or name another folder",
                path.display()
            )
        );
        fs::rename(&path, path.with_extension("aside")).unwrap();
    }
    // A log without records is left over if making an index was interrupted.
    drop(create().unwrap());
    fs::remove_file(dir.join("manifest.json")).unwrap();
    create().unwrap().add(vec![Document::default()], 0).unwrap();
}

#[test]
fn a_file_of_another_index_is_refused() {
    let ((_one, dir), (_other, other)) = (index("heron"), index("egret"));
    let names = |dir: &Path| files(dir).iter().map(|file| file.file_name().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&dir), names(&other));
    for path in files(&dir) {
        let bytes = fs::read(&path).unwrap();
        fs::copy(other.join(path.file_name().unwrap()), &path).unwrap();
        let error = open(&dir).err().unwrap().to_string();
        assert!(error.ends_with("damaged: it belongs to another index"), "{}: {error}", path.display());
        fs::write(&path, bytes).unwrap();
    }
    // With all of them, the folder contains the other index.
    for path in files(&dir) {
        fs::copy(other.join(path.file_name().unwrap()), path).unwrap();
    }
    assert_eq!(look(&open(&dir).unwrap()), look(&open(&other).unwrap()));
}

#[test]
fn an_index_in_the_place_of_another_is_recognised() {
    let ((_one, dir), (_other, other)) = (index("heron"), index("egret"));
    let before = open(&dir).unwrap();
    let expected = look(&before);
    fs::remove_dir_all(&dir).unwrap();
    fs::rename(&other, &dir).unwrap();
    for error in [before.refresh().unwrap_err(), before.add(vec![Document::default()], 0).unwrap_err()] {
        assert!(error.to_string().ends_with("it belongs to another index"), "{error}");
    }
    assert_eq!(look(&before), expected, "an open reader still reads its files");
}

#[test]
fn verify_finds_damage_to_the_files_of_an_open_index() {
    let (_folder, dir) = index("heron");
    let before = open(&dir).unwrap();
    let expected = look(&before);
    for path in files(&dir).into_iter().filter(|path| !is_log(path)) {
        let bytes = fs::read(&path).unwrap();
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 4;
        // The file is replaced by another: the open index keeps reading the old one.
        let put = |bytes: &[u8]| {
            fs::write(dir.join("aside"), bytes).unwrap();
            fs::rename(dir.join("aside"), &path).unwrap();
        };
        put(&damaged);
        assert!(before.verify().unwrap_err().to_string().contains(&*path.file_name().unwrap().to_string_lossy()));
        assert_eq!(look(&before), expected);
        put(&bytes);
    }
    before.verify().unwrap();
}

#[test]
fn a_file_that_is_cut_while_it_is_mapped_is_detected_before_it_is_read() {
    let (_folder, dir) = index("heron");
    let before = open(&dir).unwrap();
    let expected = look(&before);
    let is_mapped = |path: &PathBuf| {
        path.file_name().is_some_and(|name| ["segment-", "texts-"].iter().any(|kind| name.to_string_lossy().starts_with(kind)))
    };
    for path in files(&dir).into_iter().filter(is_mapped) {
        let bytes = fs::read(&path).unwrap();
        // The same file is cut: the open index has it mapped.
        File::options().write(true).open(&path).unwrap().set_len(bytes.len() as u64 / 2).unwrap();
        for error in [
            before.settled(|_| ()).unwrap_err(),
            before.consult(|_, _| ()).unwrap_err(),
            before.add(vec![Document::default()], 0).unwrap_err(),
            before.compact().unwrap_err(),
            before.verify().unwrap_err(),
            Info::of(&before).err().unwrap(),
        ] {
            let error = error.to_string();
            assert!(error.starts_with(&path.display().to_string()) && error.contains("damaged"), "{error}");
        }
        fs::write(&path, bytes).unwrap();
        assert_eq!(look(&before), expected);
    }
}
