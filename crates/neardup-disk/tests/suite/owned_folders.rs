//! Folders that neardup claims for its files, and removes as a whole.

use neardup_disk::{Claim, Error, owned};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn log() -> Claim {
    Claim::family(Path::new("log-"))
}

fn refuses<T: std::fmt::Debug>(done: Result<T, Error>, folder: &Path) -> String {
    match done {
        Err(Error::Refused(reason)) if reason.starts_with(&folder.display().to_string()) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_new_folder_an_empty_one_and_an_own_one_are_claimed() {
    let around = tempdir().unwrap();
    let folder = around.path().join("a/b");
    owned::take(&folder, "index", [log()]).unwrap();
    assert_eq!(owned::kind(&folder).unwrap().as_deref(), Some("index"));
    fs::write(folder.join("log-1"), "one").unwrap();
    owned::take(&folder, "index", [log()]).unwrap();
    assert!(refuses(owned::take(&folder, "review", []), &folder).contains("an index of neardup"));
    let empty = around.path().join("empty");
    fs::create_dir(&empty).unwrap();
    owned::take(&empty, "review", []).unwrap();
}

#[test]
fn a_folder_with_other_files_is_not_claimed() {
    let around = tempdir().unwrap();
    fs::write(around.path().join("notes.txt"), "mine").unwrap();
    assert!(refuses(owned::take(around.path(), "index", []), around.path()).contains("not empty"));
    assert_eq!(owned::kind(around.path()).unwrap(), None);
}

#[test]
fn an_address_is_refused_as_a_folder() {
    for address in ["s3a://bucket/index", "hdfs:/cluster/index", "file:///index", "abfss://a@b.net/index"] {
        let address = Path::new(address);
        assert!(refuses(owned::take(address, "index", []), address).contains("this machine"));
        assert!(!address.exists());
    }
    let around = tempdir().unwrap();
    owned::take(&around.path().join("s3a:/index"), "index", []).unwrap();
}

#[test]
fn only_folders_that_neardup_made_are_removed() {
    let around = tempdir().unwrap();
    let folder = around.path().join("index");
    owned::remove(&folder).unwrap();
    owned::take(&folder, "index", [log()]).unwrap();
    fs::write(folder.join("log-1"), "one").unwrap();
    let notes = folder.join("notes.txt");
    fs::write(&notes, "mine").unwrap();
    assert!(refuses(owned::remove(&folder), &folder).contains("notes.txt"));
    assert!(folder.join("log-1").exists());
    fs::remove_file(&notes).unwrap();
    owned::remove(&folder).unwrap();
    assert!(!folder.exists());
    fs::create_dir(&folder).unwrap();
    owned::remove(&folder).unwrap();
    assert!(!folder.exists());
    fs::create_dir(&folder).unwrap();
    fs::write(&notes, "mine").unwrap();
    refuses(owned::remove(&folder), &folder);
    assert!(notes.exists());
}
