//! Texts of an index are written once, are not rewritten when segments are merged, and disappear when they are erased.

use crate::model::{look, open, passes, settings};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::info::Info;
use neardup_live::snapshot::manifest::Manifest;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FLUSH_AT: u32 = 4;

/// Returns a number as letters, so that no text is part of another one, or of hexadecimal digits.
fn word(number: u64) -> String {
    format!("{number:04}").bytes().map(|digit| char::from(digit - b'0' + b'g')).collect()
}

fn text(number: u64) -> String {
    if number.is_multiple_of(7) { String::new() } else { format!("the heron {0} waits at {0} until it is dark", word(number)) }
}

fn document(number: u64) -> Document {
    Document { id: Some(format!("d{number}")), text: text(number), ..Document::default() }
}

/// Makes an index of the documents `numbers`, with a segment for every four of them before merging.
fn index(numbers: std::ops::Range<u64>) -> (TempDir, PathBuf, Index) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::First), passes()).unwrap().with_flush_at(FLUSH_AT);
    numbers.for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
    (folder, dir, index)
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Returns the number of files in the folder that contain a text.
fn count_files_with(dir: &Path, number: u64) -> usize {
    let text = word(number).into_bytes();
    files(dir).values().filter(|bytes| bytes.windows(text.len()).any(|window| window == text)).count()
}

/// Returns whether an index contains exactly the documents `numbers`, with their texts.
fn has(index: &Index, numbers: impl Iterator<Item = u64>) -> bool {
    let contents = index.contents();
    let expected: BTreeMap<String, String> = numbers.map(|number| (format!("d{number}"), text(number))).collect();
    let ids: Vec<String> = look(index).into_keys().collect();
    ids.iter().eq(expected.keys())
        && expected.iter().all(|(id, text)| contents.index_state.document_table.row(contents.of_id(id).unwrap()).text == text.as_bytes())
}

#[test]
fn texts_are_written_once() {
    let (_folder, dir, index) = index(1..5);
    let mut known = BTreeMap::new();
    for number in 5..200 {
        index.add(vec![document(number)], 0).unwrap();
        let manifest = Manifest::read(&dir).unwrap();
        let files = files(&dir);
        for name in &manifest.texts {
            assert_eq!(known.entry(name.clone()).or_insert_with(|| files[name].clone()), &files[name]);
        }
        assert_eq!(manifest.texts, known.keys().cloned().collect::<Vec<_>>(), "no file is removed");
    }
    assert!(known.len() > 30 && Manifest::read(&dir).unwrap().segments.len() < 10);
    index.compact().unwrap();
    let Manifest { segments, texts, .. } = Manifest::read(&dir).unwrap();
    assert_eq!(segments.len(), 1);
    assert!(known.keys().all(|name| texts.contains(name)), "there was nothing to erase");
    for index in [&index, &open(&dir).unwrap()] {
        assert!(has(index, 1..200));
        index.verify().unwrap();
    }
}

#[test]
fn removed_texts_are_erased_if_they_are_a_whole_file_or_most_of_a_segment() {
    for (removed, expected) in [("the first", [false, false, true]), ("three of four", [false; 3])] {
        let is_removed = |number: u64| if removed == "the first" { number < 9 } else { number % 4 != 1 };
        let (_folder, dir, index) = index(1..13);
        let before = Manifest::read(&dir).unwrap().texts;
        let (removed, living): (Vec<u64>, Vec<u64>) = (1..13).partition(|&number| is_removed(number));
        index.remove(removed.iter().map(|number| format!("d{number}")).collect()).unwrap();
        assert!(removed.iter().any(|&number| count_files_with(&dir, number) > 0));
        (13..17).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
        let Manifest { segments, texts: after, .. } = Manifest::read(&dir).unwrap();
        assert_eq!((segments.len(), before.len()), (1, 3));
        assert!(before.iter().map(|name| after.contains(name)).eq(expected));
        assert!(removed.iter().all(|&number| count_files_with(&dir, number) == 0));
        let numbers = || living.iter().copied().chain(13..17);
        assert!(has(&index, numbers()) && has(&open(&dir).unwrap(), numbers()));
        index.verify().unwrap();
    }
}

#[test]
fn compacting_erases_removed_texts_of_segments_merged_long_ago() {
    let (_folder, dir, index) = index(1..5);
    index.remove(vec!["d2".to_owned()]).unwrap();
    (5..65).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
    assert_eq!((count_files_with(&dir, 2), Info::of(&index).unwrap().removed), (1, 0), "merging did not rewrite its text");
    assert!(Info::of(&index).unwrap().removed_text_bytes > 0);
    index.compact().unwrap();
    assert_eq!((count_files_with(&dir, 2), Info::of(&index).unwrap().removed_text_bytes), (0, 0));
    assert!(has(&index, (1..65).filter(|&number| number != 2)));
    let files = files(&dir);
    index.compact().unwrap();
    assert!(files.keys().eq(self::files(&dir).keys()), "there is nothing left to do");
}

#[test]
fn texts_of_other_segments_are_refused() {
    let (_folder, dir, index) = index(1..9);
    drop(index);
    let mut manifest = Manifest::read(&dir).unwrap();
    manifest.texts.swap(0, 1);
    manifest.write(&dir).unwrap();
    let error = open(&dir).err().unwrap().to_string();
    assert!(error.ends_with("damaged: its segments have other texts than its manifest says"), "{error}");
}
