//! The folder of an index: its manifest, its lock, and leftovers.

use neardup_live::Error;
use neardup_live::documents::policy::Policy;
use neardup_live::snapshot::folder::{self, sweep_leftovers};
use neardup_live::snapshot::manifest::{Manifest, Settings};
use neardup_live::storage::file_kind::FileKind;
use neardup_live::storage::identity::Identity;
use neardup_live::storage::lock::Lock;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

fn manifest() -> Manifest {
    let settings = Settings {
        scheme: "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".to_owned(),
        parts_scheme: None,
        tokens_version: 2,
        unicode: "16.0.0".to_owned(),
        policy: Policy::Earliest,
        ttl_seconds: Some(86_400),
        most: None,
        extractor: None,
        shard: None,
    };
    let mut manifest = Manifest::new(Identity::draw(Path::new(".")).unwrap(), settings);
    manifest.segments = vec![manifest.new_file(FileKind::Segment), manifest.new_file(FileKind::Segment)];
    manifest.state = Some(manifest.new_file(FileKind::State));
    manifest.log = manifest.new_file(FileKind::Log);
    manifest
}

fn file(dir: &Path) -> PathBuf {
    dir.join("manifest.json")
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_manifest_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!Manifest::exists(dir.path()).unwrap());
    let first = manifest();
    first.write(dir.path()).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap(), first);
    let mut second = first.next();
    let segment = second.new_file(FileKind::Segment);
    assert_eq!((second.generation, segment.as_str()), (1, "segment-000005"));
    second.segments.push(segment);
    second.write(dir.path()).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap(), second);
    assert!(Manifest::exists(dir.path()).unwrap());
    assert_eq!(names(dir.path()), ["manifest.json", "manifest.json.copy"]);
}

#[test]
fn every_flipped_byte_and_every_other_length_of_a_manifest_is_found() {
    let dir = tempfile::tempdir().unwrap();
    manifest().write(dir.path()).unwrap();
    let path = file(dir.path());
    let bytes = fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    let is_found = |bytes: &[u8]| {
        file.write_all_at(bytes, 0).and_then(|()| file.set_len(bytes.len() as u64)).unwrap();
        match Manifest::read(dir.path()) {
            Ok(_) => false,
            Err(error) => matches!(error, Error::Damaged { .. } | Error::Format { .. }) && error.to_string().contains("manifest.json: "),
        }
    };
    for at in 0..bytes.len() {
        // The last mask turns a blank into a line end and the reverse.
        for mask in [0x01, 0x10, 0x80, 0xff, b' ' ^ b'\n'] {
            let mut flipped = bytes.clone();
            flipped[at] ^= mask;
            assert!(is_found(&flipped), "byte {at} ^ {mask:#x}");
        }
        assert!(is_found(&bytes[..at]), "{at} bytes");
    }
    assert!(is_found(&[&bytes[..], b"\n"].concat()));
    assert!(!is_found(&bytes));
}

#[test]
fn the_error_of_an_invalid_manifest_names_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let error = |dir: &Path| Manifest::read(dir).unwrap_err().to_string();
    assert!(error(dir.path()).ends_with("cannot open: there is no index here (no manifest.json)"), "{}", error(dir.path()));
    assert!(error(&dir.path().join("nowhere")).contains("there is no index here"));
    Manifest { format: 7, ..manifest() }.write(dir.path()).unwrap();
    assert!(matches!(Manifest::read(dir.path()).unwrap_err(), Error::Format { found: 7, .. }));
    // A later format may have other fields, and other checks.
    fs::write(file(dir.path()), r#"{"manifest": {"format": 3, "shards": []}, "check": "none"}"#).unwrap();
    assert!(error(dir.path()).contains("this is format 3 of the index"), "{}", error(dir.path()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_manifest_that_cannot_be_written_keeps_the_old_one() {
    let dir = tempfile::tempdir().unwrap();
    let first = manifest();
    first.write(dir.path()).unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("manifest.json.partial")).unwrap();
    let error = first.next().write(dir.path()).unwrap_err().to_string();
    assert!(error.contains("manifest.json: cannot write: No space left"), "{error}");
    assert_eq!(Manifest::read(dir.path()).unwrap(), first);
    assert_eq!(names(dir.path()), ["manifest.json", "manifest.json.copy"]);
}

#[test]
fn leftovers_are_removed_and_all_other_files_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = manifest();
    manifest.write(dir.path()).unwrap();
    let kept = [
        "lock",
        "log-000004",
        "log-4",
        "log-latest",
        "notes.partial",
        "notes.txt",
        "segment-+00005",
        "segment-000001",
        "segment-000002",
        "segment-000001.old",
        "state-000003",
        "table-000001",
    ];
    let removed = [
        "log-000000",
        "manifest.json.partial",
        "segment-000002.partial",
        "segment-000009",
        "segment-000009.partial",
        "segment-1234567",
        "state-000001",
    ];
    kept.iter().chain(&removed).for_each(|name| fs::write(dir.path().join(name), "").unwrap());
    assert_eq!(sweep_leftovers(dir.path(), &manifest).unwrap(), removed);
    let mut left = [&kept[..], &["manifest.json", "manifest.json.copy"]].concat();
    left.sort_unstable();
    assert_eq!(names(dir.path()), left);
    assert!(sweep_leftovers(dir.path(), &manifest).unwrap().is_empty());
}

#[test]
fn a_folder_is_made_with_its_parents() {
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("a/b/index");
    folder::take(&index).unwrap();
    folder::take(&index).unwrap();
    assert!(index.is_dir());
    fs::write(dir.path().join("file"), "").unwrap();
    for taken in [dir.path(), &dir.path().join("file")] {
        let error = folder::take(taken).unwrap_err().to_string();
        assert!(error.contains("neardup did not make it"), "{error}");
    }
}

#[test]
fn only_one_writer_holds_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    let (inside, turns) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let _lock = Lock::wait(dir.path()).unwrap();
                    assert_eq!(inside.fetch_add(1, SeqCst), 0);
                    std::thread::yield_now();
                    inside.fetch_sub(1, SeqCst);
                    turns.fetch_add(1, SeqCst);
                }
            });
        }
    });
    assert_eq!(turns.into_inner(), 800);
    assert!(Lock::wait(&dir.path().join("nowhere")).unwrap_err().to_string().contains("lock: cannot lock: "));
}
