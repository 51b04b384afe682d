//! An index on a full disk and in a read-only folder: acknowledged documents are kept, and can be read.

use crate::children::{given, lines, say, start};
use crate::model::{look, open, passes, settings};
use neardup_live::Error;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::info::Info;
use neardup_live::snapshot::manifest::Manifest;
use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

fn document(number: u64) -> Document {
    let text = (0..8).map(|at| format!("t{}w{at}", number / 2)).collect::<Vec<_>>().join(" ");
    Document { id: Some(format!("d{number}")), text, ..Document::default() }
}

fn ids(index: &Index) -> BTreeSet<String> {
    look(index).into_keys().collect()
}

fn made(folder: &Path) -> PathBuf {
    let dir = folder.join("index");
    let index = Index::create(&dir, settings(Policy::First), passes()).unwrap().with_flush_at(5);
    (0..12).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
    dir
}

/// Adds documents until the disk is full. `flush_at` determines whether only the log is written until then, or segments, too.
fn fill(flush_at: u32) {
    let Some((folder, _)) = given() else { return };
    let index = open(&folder).unwrap().with_flush_at(flush_at);
    let mut acknowledged = ids(&index);
    let error = loop {
        let document = document(acknowledged.len() as u64);
        let id = document.id.clone().unwrap();
        match index.add(vec![document], 0) {
            Ok(_) => drop(acknowledged.insert(id)),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::File { doing: "write", .. }), "{error}");
    assert!(error.to_string().contains("log-"), "{error}");
    assert_eq!(ids(&index), acknowledged, "refused documents are not visible");
    // Compacting has no room either, and does no harm.
    let error = index.compact().unwrap_err();
    assert!(matches!(error, Error::File { doing: "write", .. }), "{error}");
    assert_eq!(ids(&index), acknowledged);
    index.verify().unwrap();
    say(acknowledged.len());
}

#[test]
#[ignore = "started by the test below"]
fn log_on_a_full_disk() {
    fill(100_000);
}

#[test]
#[ignore = "started by the test below"]
fn segments_on_a_full_disk() {
    fill(5);
}

#[test]
fn a_full_disk_loses_no_acknowledged_document() {
    for test in ["index_disk::log_on_a_full_disk", "index_disk::segments_on_a_full_disk"] {
        let folder = tempfile::tempdir().unwrap();
        let dir = made(folder.path());
        // No file may grow above 64 blocks.
        let mut child = start("trap '' XFSZ; ulimit -f 64;", test, &dir, 0);
        let acknowledged: usize = lines(&mut child).last().unwrap().parse().unwrap();
        assert!(child.wait().unwrap().success() && acknowledged > 12);
        let index = open(&dir).unwrap();
        assert_eq!(look(&index).len(), acknowledged);
        // There is room again.
        index.add(vec![document(acknowledged as u64)], 0).unwrap();
        index.compact().unwrap();
        assert_eq!(ids(&index), (0..=acknowledged).map(|number| format!("d{number}")).collect());
        index.verify().unwrap();
        let Manifest { segments, texts, .. } = Manifest::read(&dir).unwrap();
        assert_eq!(segments.len(), 1);
        let others = fs::read_dir(&dir).unwrap().count() - texts.len();
        assert_eq!(others, 8, "no leftovers: one file of each other kind, the manifest and its copy, the lock, the marker");
    }
}

/// Makes the next attempt to write a file of this name fail.
fn forbid(path: &Path) {
    symlink("/dev/full", path).unwrap();
}

#[test]
fn a_segment_without_room_is_retried_after_half_as_many_more_documents() {
    for file in ["texts-000001", "segment-000002", "state-000003"] {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("index");
        let index = Index::create(&dir, settings(Policy::First), passes()).unwrap().with_flush_at(4);
        let partial = dir.join(format!("{file}.partial"));
        // The first write removes leftovers, so it comes before.
        index.add(vec![document(1)], 0).unwrap();
        forbid(&partial);
        let mut tried = Vec::new();
        for number in 2..=40 {
            index.add(vec![document(number)], 0).unwrap();
            if partial.symlink_metadata().is_err() {
                tried.push(number);
                forbid(&partial);
            }
        }
        assert_eq!(tried, [4, 6, 9, 14, 21, 32]);
        assert_eq!(
            fs::read_dir(&dir).unwrap().count(),
            6,
            "the manifest and its copy, the log, the lock, the marker, and the forbidden file"
        );
        let reported = Info::of(&index).unwrap().segment_error.unwrap();
        assert!(reported.starts_with(&format!("{}: cannot write: No space left", dir.join(file).display())), "{reported}");
        let error = index.compact().unwrap_err().to_string();
        assert_eq!(error, reported);
        // There is room again; compacting was the seventh failure.
        (41..=60).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
        let info = Info::of(&index).unwrap();
        assert_eq!((info.segments, info.in_memory, info.segment_error), (1, 0, None));
        assert_eq!((look(&index).len(), look(&open(&dir).unwrap())), (60, look(&index)));
    }
}

#[test]
#[ignore = "started by the test below"]
fn reader_without_rights() {
    let Some((folder, _)) = given() else { return };
    let dir = folder.join("index");
    let index = open(&dir).unwrap();
    index.refresh().unwrap();
    index.verify().unwrap();
    assert_eq!(ids(&index).len(), 12);
    let lock = dir.join("lock").display().to_string();
    let refused = format!("{lock}: cannot lock: Permission denied (os error 13)");
    assert_eq!(index.add(vec![document(12)], 0).unwrap_err().to_string(), refused);
    assert_eq!(index.remove(vec!["d1".to_owned()]).unwrap_err().to_string(), refused);
    assert_eq!(index.compact().unwrap_err().to_string(), refused);
    assert_eq!(ids(&index).len(), 12);
    let other = Index::create(&dir.join("other"), settings(Policy::First), passes()).err().unwrap().to_string();
    assert!(other.ends_with("cannot make the folder: Permission denied (os error 13)"), "{other}");
    fs::set_permissions(dir.join("manifest.json"), Permissions::from_mode(0o0)).unwrap();
    for error in [open(&dir).err().unwrap(), index.refresh().unwrap_err()] {
        assert!(error.to_string().ends_with("manifest.json: cannot read: Permission denied (os error 13)"), "{error}");
    }
    say("done");
}

#[test]
fn an_index_in_a_read_only_folder_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let dir = made(folder.path());
    let files = || fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
    let allow = |folder_mode: u32, file_mode: u32| {
        files().for_each(|file| fs::set_permissions(file, Permissions::from_mode(file_mode)).unwrap());
        fs::set_permissions(&dir, Permissions::from_mode(folder_mode)).unwrap();
    };
    allow(0o555, 0o444);
    // The superuser may write anywhere, until it drops its capabilities.
    let plain = r#"[ "$(id -u)" != 0 ] || set -- setpriv --bounding-set=-all --inh-caps=-all "$@";"#;
    let mut child = start(plain, "index_disk::reader_without_rights", folder.path(), 0);
    assert_eq!(lines(&mut child).last().as_deref(), Some("done"));
    assert!(child.wait().unwrap().success());
    allow(0o755, 0o644);
    open(&dir).unwrap().add(vec![document(12)], 0).unwrap();
}
