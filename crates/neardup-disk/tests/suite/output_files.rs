//! Output files: they are complete or do not exist, and never replace a file of another kind.

use neardup_disk::{Error, OutputFile, owned};
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::tempdir;

fn is_own(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.starts_with("own "))
}

fn make(target: &Path, overwrite: bool, text: &str) -> Result<(), Error> {
    let mut file = OutputFile::create(target, overwrite, "a page of neardup", is_own)?;
    file.write_all(text.as_bytes()).unwrap();
    file.finish()
}

fn refusal(done: Result<(), Error>) -> String {
    match done {
        Err(Error::Refused(reason)) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let around = tempdir().unwrap();
    let target = around.path().join("page.html");
    drop(OutputFile::create(&target, false, "a page", is_own).unwrap());
    assert_eq!(fs::read_dir(around.path()).unwrap().count(), 0);
    make(&target, false, "own one").unwrap();
    assert!(refusal(make(&target, false, "own two")).contains("--overwrite"));
    make(&target, true, "own two").unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "own two");
    assert_eq!(fs::read_dir(around.path()).unwrap().count(), 1);
}

#[test]
fn other_files_and_folders_are_not_replaced() {
    let around = tempdir().unwrap();
    let target = around.path().join("thesis.html");
    fs::write(&target, "mine").unwrap();
    assert!(refusal(make(&target, true, "own one")).contains("not a page of neardup"));
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    assert!(refusal(make(around.path(), true, "own one")).contains("folder"));
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let around = tempdir().unwrap();
    let target = around.path().join("page.html");
    fs::write(&target, "own one").unwrap();
    refusal(owned::refuse_inputs(&target, [target.as_path()]));
    owned::refuse_inputs(&target, [around.path()]).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_is_kept_and_permissions_are_those_of_new_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let around = tempdir().unwrap();
    let (target, link, other) = (around.path().join("page.html"), around.path().join("link"), around.path().join("other"));
    symlink(&target, &link).unwrap();
    refusal(make(&link, false, "own one"));
    make(&target, false, "own one").unwrap();
    make(&link, true, "own two").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "own two");
    fs::write(&other, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&other));
}
