//! Repair: with any damage to the files of an index, no document is lost whose text is readable, and lost documents are named.

use crate::model::{Look, Model, look, open, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::sharded::ShardSet;
use neardup_live::read_only::open_read_only;
use neardup_live::repair::{LostDocument, Repair};
use neardup_live::snapshot::manifest::{Manifest, Settings};
use neardup_live::{Error, Result};
use neardup_text::TokensVersion;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn document(number: u64) -> Document {
    Document {
        id: (!number.is_multiple_of(3)).then(|| format!("d{number}")),
        url: (!number.is_multiple_of(2)).then(|| format!("http://example.org/{}", number % 7)),
        time: (!number.is_multiple_of(4)).then_some((number * 5 % 7) as i64),
        text: if number == 7 { String::new() } else { format!("heron w{} w{} quay {number}", number % 4, number % 3) },
    }
}

/// Makes an index with two segments and a log; documents in segments and in the log are dropped, replaced and removed.
fn index() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::Earliest), passes()).unwrap().with_flush_at(5);
    (0..5).for_each(|number| drop(index.add(vec![document(number)], 100 + number as i64).unwrap()));
    index.remove(vec!["d4".to_owned()]).unwrap();
    (5..12).for_each(|number| drop(index.add(vec![document(number)], 100 + number as i64).unwrap()));
    index.remove(vec!["d2".to_owned()]).unwrap();
    index.add(vec![document(12)], 112).unwrap();
    assert_eq!(index.contents().index_state.document_table.segments().len(), 2);
    assert!(index.contents().position > 0);
    (folder, dir)
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("lock") && !file.ends_with(".neardup"));
    files.sort();
    files
}

/// Returns the bytes of all files, to restore them later.
fn kept(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files(dir).into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

fn put_back(dir: &Path, kept: &[(PathBuf, Vec<u8>)]) {
    files(dir).iter().for_each(|file| fs::remove_file(file).unwrap());
    kept.iter().for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
}

fn begin(dir: &Path) -> Result<Repair> {
    Repair::begin(dir, None, |_| Ok(passes()))
}

fn name(lost: &LostDocument) -> String {
    lost.id.clone().unwrap_or_else(|| format!("#{}", lost.serial.unwrap()))
}

/// Repairs the index, and checks that it contains all of `whole` except the documents named as lost, which it returns.
///
/// Verdicts must be those of the definition.
fn repaired(dir: &Path, whole: &Look, what: &str) -> Vec<LostDocument> {
    let repair = begin(dir).unwrap_or_else(|error| panic!("{what}: {error}"));
    if repair.is_whole() {
        // The damage is after the end of the log, where nothing was acknowledged.
        assert_eq!(look(&open(dir).unwrap()), *whole, "{what}");
        return Vec::new();
    }
    let (lost, doubts) = (repair.lost().to_vec(), repair.doubts().count());
    assert_eq!(doubts, 0, "{what}");
    drop(repair);
    let read: Vec<_> = open_read_only(dir, |_| Ok(passes())).unwrap();
    let seen = look(&read[0]);
    assert!(matches!(read[0].remove(Vec::new()), Err(Error::Usage(_))));
    let aside = begin(dir).unwrap().finish().unwrap_or_else(|error| panic!("{what}: {error}"));
    // A missing file cannot be kept aside.
    assert_eq!(aside.is_empty(), lost.is_empty() || what.contains("None"), "{what}");
    let index = open(dir).unwrap_or_else(|error| panic!("{what}: {error}"));
    index.verify().unwrap();
    let after = look(&index);
    assert_eq!(seen, after, "{what}: a damaged index reads as it will be after the repair");
    for (name, seen) in whole {
        match after.get(name) {
            Some(found) => assert_eq!((found.serial, &found.document), (seen.serial, &seen.document), "{what}"),
            None => assert!(lost.iter().any(|lost| self::name(lost) == *name), "{what}: {name} is lost, and not named"),
        }
    }
    assert_eq!(after.len() + lost.len(), whole.len(), "{what}");
    let expected = Model::of(settings(Policy::Earliest), &after).originals();
    assert_eq!(
        after.iter().map(|(name, seen)| (name.clone(), seen.original.clone())).collect::<Vec<_>>(),
        expected.into_iter().collect::<Vec<_>>()
    );
    assert!(begin(dir).unwrap().is_whole(), "{what}: a second repair has nothing to do");
    lost
}

#[test]
fn a_folder_that_is_not_an_index_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    assert!(begin(folder.path()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_index_without_damage_is_not_changed() {
    let (_folder, dir) = index();
    let before = kept(&dir);
    let repair = begin(&dir).unwrap();
    assert!(repair.is_whole() && repair.lost().is_empty());
    drop(repair);
    assert!(kept(&dir) == before);
}

#[test]
fn one_wrong_byte_loses_no_document() {
    flip(1009);
}

#[test]
#[ignore = "one byte in 13, of which the test above flips one in 1009"]
fn one_wrong_byte_at_more_places_loses_no_document() {
    flip(13);
}

/// Changes every `step`-th byte of each file, and repairs the index.
fn flip(step: usize) {
    let (_folder, dir) = index();
    let (whole, before, mut random) = (look(&open(&dir).unwrap()), kept(&dir), SplitMix::new(3));
    for (path, bytes) in &before {
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 + (random.draw() % 255) as u8;
            fs::write(path, damaged).unwrap();
            let lost = repaired(&dir, &whole, &format!("{}, byte {at}", path.display()));
            assert!(lost.is_empty(), "{}, byte {at}: {lost:?}", path.display());
            put_back(&dir, &before);
        }
    }
}

#[test]
fn documents_lost_by_wide_damage_are_named() {
    damage_widely(1018, 4078);
}

#[test]
#[ignore = "at twice the places of the test above"]
fn documents_lost_by_wide_damage_at_more_places_are_named() {
    damage_widely(509, 2039);
}

/// Inverts 40 bytes at every `step`-th place of each file, of large files at every `wide_step`-th, and repairs the index.
fn damage_widely(step: usize, wide_step: usize) {
    let (_folder, dir) = index();
    let (whole, before) = (look(&open(&dir).unwrap()), kept(&dir));
    let mut most = 0;
    for (path, bytes) in &before {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for start in (0..bytes.len()).step_by(if bytes.len() > 1 << 13 { wide_step } else { step }) {
            let mut damaged = bytes.clone();
            damaged[start..].iter_mut().take(40).for_each(|byte| *byte = !*byte);
            fs::write(path, damaged).unwrap();
            let lost = repaired(&dir, &whole, &format!("{file}, 40 bytes from {start}"));
            // Only texts and the log are stored once.
            assert!(lost.is_empty() || file.starts_with("texts") || file.starts_with("log"), "{file}, {start}: {lost:?}");
            most = most.max(lost.len());
            put_back(&dir, &before);
        }
    }
    assert!(most > 0);
}

#[test]
fn a_missing_or_truncated_file_loses_only_its_texts() {
    let (_folder, dir) = index();
    let (whole, before) = (look(&open(&dir).unwrap()), kept(&dir));
    for (path, bytes) in &before {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for length in [None, Some(0), Some(bytes.len() / 2)] {
            match length {
                None => fs::remove_file(path).unwrap(),
                Some(length) => fs::write(path, &bytes[..length]).unwrap(),
            }
            if file.starts_with("log") {
                // The number of its steps is not known.
                let repair = begin(&dir).unwrap();
                assert!(!repair.is_whole() && repair.doubts().any(|doubt| doubt.contains("is not known")), "{length:?}");
                let aside = repair.finish().unwrap();
                assert_eq!(aside.is_empty(), length.is_none(), "the rest of the log is kept aside");
                open(&dir).unwrap().verify().unwrap();
            } else {
                let lost = repaired(&dir, &whole, &format!("{file} of {length:?} bytes"));
                assert!(lost.is_empty() || file.starts_with("texts"), "{file}: {lost:?}");
            }
            put_back(&dir, &before);
        }
    }
}

/// Makes an index with one segment whose texts are in several files.
fn merged() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::First), passes()).unwrap().with_flush_at(3);
    let text = |number: u64| format!("{}quay {number} heron {}", "long ".repeat(number as usize % 5), number * 31);
    let document = |number| Document { id: Some(format!("d{number}")), text: text(number), ..Document::default() };
    (0..13).for_each(|number| drop(index.add(vec![document(number)], 100).unwrap()));
    // The first text of some files belongs to no document any more.
    index.remove(vec!["d0".to_owned(), "d6".to_owned()]).unwrap();
    let manifest = Manifest::read(&dir).unwrap();
    assert!(manifest.segments.len() == 1 && manifest.texts.len() > 2, "{manifest:?}");
    (folder, dir)
}

#[test]
fn a_file_of_texts_with_another_length_affects_no_other_text() {
    cut_texts(31);
}

#[test]
#[ignore = "every 7th length, of which the test above tries fewer"]
fn a_file_of_texts_with_any_other_length_affects_no_other_text() {
    cut_texts(7);
}

/// Gives the files of texts every `step`-th shorter length and some longer ones, and repairs the index.
fn cut_texts(step: usize) {
    let (_folder, dir) = merged();
    let (whole, before) = (look(&open(&dir).unwrap()), kept(&dir));
    for (path, bytes) in before.iter().filter(|(path, _)| path.file_name().unwrap().to_string_lossy().starts_with("texts")) {
        let cuts = (0..bytes.len()).step_by(step).map(|length| Some(bytes[..length].to_vec()));
        let longer = [&b"x"[..], &[0; 64], bytes].map(|more| Some([bytes, more].concat()));
        for damaged in cuts.chain(longer).chain([None]) {
            let length = damaged.as_ref().map(Vec::len);
            match &damaged {
                Some(damaged) => fs::write(path, damaged).unwrap(),
                None => fs::remove_file(path).unwrap(),
            }
            let what = format!("{} of {length:?} bytes", path.display());
            let (mut expected, mut lost) = (whole.clone(), Vec::new());
            for one in begin(&dir).unwrap().lost() {
                expected.remove(&name(one));
                lost.push(one.clone());
            }
            assert!(lost.iter().all(|one| one.file == *path), "{what}: {lost:?}");
            assert!(lost.len() < 4 && (length < Some(bytes.len()) || lost.is_empty()), "{what}: {lost:?}");
            begin(&dir).unwrap().finish().unwrap();
            let index = open(&dir).unwrap();
            index.verify().unwrap();
            let found = look(&index);
            let texts = |look: &Look| -> Vec<_> { look.iter().map(|(name, seen)| (name.clone(), seen.document.clone())).collect() };
            assert_eq!(texts(&found), texts(&expected), "{what}");
            drop(index);
            put_back(&dir, &before);
        }
    }
}

#[test]
fn an_older_manifest_loses_no_document() {
    let (_folder, dir) = index();
    let old = fs::read(dir.join("manifest.json")).unwrap();
    let index = open(&dir).unwrap();
    index.compact().unwrap();
    let whole = look(&index);
    drop(index);
    fs::write(dir.join("manifest.json"), &old).unwrap();
    assert!(repaired(&dir, &whole, "an older manifest").is_empty());
    // Both manifests are older than the newest files, which are read nevertheless.
    let index = open(&dir).unwrap();
    index.add(vec![document(40)], 140).unwrap();
    index.compact().unwrap();
    index.add(vec![document(41)], 141).unwrap();
    let whole = look(&index);
    drop(index);
    let before = kept(&dir);
    for has_manifest in [true, false] {
        fs::write(dir.join("manifest.json.copy"), &old).unwrap();
        match has_manifest {
            true => fs::write(dir.join("manifest.json"), &old).unwrap(),
            false => fs::remove_file(dir.join("manifest.json")).unwrap(),
        }
        assert!(repaired(&dir, &whole, "two older manifests").is_empty());
        put_back(&dir, &before);
    }
}

#[test]
fn a_missing_or_older_copy_of_the_manifest_is_reported_and_rewritten() {
    let (_folder, dir) = index();
    let (whole, copy) = (look(&open(&dir).unwrap()), dir.join("manifest.json.copy"));
    let (before, newest) = (kept(&dir), fs::read(&copy).unwrap());
    let mut old = Manifest::read(&dir).unwrap();
    // An interrupted writer may leave the previous manifest as the copy; this one is older.
    old.generation -= 2;
    let elsewhere = tempfile::tempdir().unwrap();
    old.write(elsewhere.path()).unwrap();
    let older = fs::read(elsewhere.path().join("manifest.json")).unwrap();
    for (bytes, what) in [(None, "it is missing"), (Some(&older), "it is not the copy of manifest.json")] {
        let spoil = || bytes.map_or_else(|| fs::remove_file(&copy).unwrap(), |bytes| fs::write(&copy, bytes).unwrap());
        spoil();
        let error = open(&dir).unwrap().verify().unwrap_err().to_string();
        assert!(error.contains("manifest.json.copy") && error.contains(what), "{error}");
        // The next writer writes it again.
        open(&dir).unwrap().remove(Vec::new()).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), newest);
        spoil();
        assert!(repaired(&dir, &whole, what).is_empty());
        open(&dir).unwrap().verify().unwrap();
        assert_eq!(fs::read(&copy).unwrap(), fs::read(dir.join("manifest.json")).unwrap());
        put_back(&dir, &before);
    }
}

#[test]
fn bytes_after_the_end_of_the_log_are_reported() {
    let (_folder, dir) = index();
    let whole = look(&open(&dir).unwrap());
    let log = dir.join(Manifest::read(&dir).unwrap().log);
    for more in [&b"x"[..], b"bytes of somebody else"] {
        let bytes = fs::read(&log).unwrap();
        fs::write(&log, [&bytes, more].concat()).unwrap();
        let error = open(&dir).unwrap().verify().unwrap_err().to_string();
        assert!(error.contains("are no record, and neardup did not write them"), "{error}");
        assert!(!begin(&dir).unwrap().is_whole());
        assert_eq!(look(&open(&dir).unwrap()), whole);
        fs::write(&log, bytes).unwrap();
    }
    open(&dir).unwrap().verify().unwrap();
}

#[test]
fn a_lost_document_can_be_restored_from_elsewhere() {
    let (_folder, dir) = index();
    let (whole, before) = (look(&open(&dir).unwrap()), kept(&dir));
    for (path, bytes) in before.iter().filter(|(path, _)| path.file_name().unwrap().to_string_lossy().starts_with("texts")) {
        let start = bytes.windows(5).position(|word| word == b"heron").unwrap();
        let mut damaged = bytes.clone();
        damaged[start..start + 60].fill(b'-');
        fs::write(path, damaged).unwrap();
        let mut repair = begin(&dir).unwrap();
        let lost = repair.lost().to_vec();
        assert!(lost.len() > 1);
        let other = Document { text: "another text".to_owned(), ..whole[&name(&lost[0])].document.clone() };
        assert!(!repair.restore(&name(&lost[0]), other), "a text with another digest is not the lost one");
        assert!(!repair.restore("nobody", Document::default()));
        for one in &lost {
            assert!(repair.restore(&name(one), whole[&name(one)].document.clone()));
        }
        assert!(repair.lost().is_empty());
        assert!(repair.finish().unwrap().is_empty());
        assert_eq!(look(&open(&dir).unwrap()), whole);
        put_back(&dir, &before);
    }
}

#[test]
fn an_index_with_another_policy_is_decided_again() {
    let (_folder, dir) = index();
    let whole = look(&open(&dir).unwrap());
    let mut manifest = Manifest::read(&dir).unwrap();
    manifest.settings.policy = Policy::First;
    manifest.write(&dir).unwrap();
    let repair = begin(&dir).unwrap();
    assert!(!repair.is_whole(), "its verdicts are not those of its policy");
    repair.finish().unwrap();
    let after = look(&open(&dir).unwrap());
    assert!(after.keys().eq(whole.keys()));
    open(&dir).unwrap().verify().unwrap();
}

#[test]
fn an_index_of_another_unicode_version_is_tokenised_again() {
    let (_folder, dir) = index();
    let whole = look(&open(&dir).unwrap());
    let mut manifest = Manifest::read(&dir).unwrap();
    manifest.settings.unicode = "15.0.0".to_owned();
    manifest.write(&dir).unwrap();
    let repair = begin(&dir).unwrap();
    let ours = TokensVersion::current();
    let theirs = TokensVersion { unicode: "15.0.0".to_owned(), ..ours.clone() };
    assert_eq!(repair.outdated(), [format!("its texts were cut by {theirs}, and are cut by {ours} now")]);
    repair.finish().unwrap();
    assert_eq!(Manifest::read(&dir).unwrap().settings.version(), TokensVersion::current());
    assert_eq!(look(&open(&dir).unwrap()), whole);
}

#[test]
fn an_index_whose_manifest_names_no_version_of_the_tokens_is_of_the_first() {
    let (_folder, dir) = index();
    let whole = look(&open(&dir).unwrap());
    let mut manifest = Manifest::read(&dir).unwrap();
    manifest.settings.tokens_version = TokensVersion::first();
    manifest.write(&dir).unwrap();
    let repair = begin(&dir).unwrap();
    assert!(repair.outdated()[0].starts_with("its texts were cut by tokens version 1 (Unicode "), "{:?}", repair.outdated());
    repair.finish().unwrap();
    assert_eq!(Manifest::read(&dir).unwrap().settings.version(), TokensVersion::current());
    assert_eq!(look(&open(&dir).unwrap()), whole);
}

#[test]
fn an_abandoned_repair_changes_nothing() {
    let (_folder, dir) = index();
    let mut manifest = Manifest::read(&dir).unwrap();
    manifest.settings.unicode = "15.0.0".to_owned();
    manifest.write(&dir).unwrap();
    let before = kept(&dir);
    let repair = begin(&dir).unwrap();
    assert_eq!(repair.contents().unwrap().len(), 1);
    drop(repair);
    assert!(kept(&dir) == before);
}

#[test]
fn a_split_index_is_repaired_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let split = ShardSet::create(&dir, &settings(Policy::Earliest), &passes(), 3).unwrap().with_flush_at(5);
    (0..12).for_each(|number| drop(split.add(&[document(number)], 100).unwrap()));
    split.remove(&["d4".to_owned()]).unwrap();
    let originals = |split: &ShardSet| {
        let names: Vec<String> = split
            .look(|contents| {
                contents
                    .living_from(0)
                    .map(|number| neardup_live::decide::verdict::name(&contents.index_state.document_table.row(number)))
                    .collect()
            })
            .unwrap();
        names
            .into_iter()
            .map(|name| (name.clone(), split.verdict(&name).unwrap().unwrap().dropped.map(|evidence| evidence.original)))
            .collect::<Vec<_>>()
    };
    let whole = originals(&split);
    drop(split);
    let passes_of = |_: &Settings| Ok(passes());
    for number in 0..3 {
        let shard = dir.join(format!("shard-{number}"));
        for kind in ["log-", "manifest.json", "manifest.json.copy", "roll-", "segment-", "state-", "texts-"] {
            let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
            // A repair renames files.
            let path = files(&shard).into_iter().find(|path| name(path).starts_with(kind)).unwrap();
            let file = name(&path);
            let mut bytes = fs::read(&path).unwrap();
            let middle = if file.starts_with("log") { bytes.len() - 9 } else { bytes.len() / 2 };
            bytes[middle] ^= 0x55;
            fs::write(&path, bytes).unwrap();
            let read = ShardSet::of_shards(open_read_only(&dir, passes_of).unwrap());
            assert_eq!(originals(&read), whole, "{file}");
            drop(read);
            let repair = Repair::begin(&dir, None, passes_of).unwrap();
            assert!(repair.damages().count() > 0, "shard {number}, {file}");
            assert!(repair.lost().is_empty(), "shard {number}, {file}: {:?}", repair.lost());
            repair.finish().unwrap();
            let split = ShardSet::open(&dir, passes_of).unwrap();
            split.verify().unwrap();
            assert_eq!(originals(&split), whole);
            // The next round needs a log.
            split.add(&[Document { id: Some(format!("{number}{file}")), text: String::new(), ..Document::default() }], 0).unwrap();
            split.remove(&[format!("{number}{file}")]).unwrap();
        }
    }
}
