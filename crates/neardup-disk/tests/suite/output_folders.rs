//! Output folders: they are complete or do not exist, and never replace files that neardup did not make.

use neardup_disk::{Claim, OutputFolder, owned};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

fn log() -> Claim {
    Claim::family(Path::new("log-"))
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let target = folder.path().join("out");
    (folder, target)
}

fn beside(target: &Path, end: &str) -> PathBuf {
    let mut name = target.file_name().unwrap().to_os_string();
    name.push(end);
    target.with_file_name(name)
}

/// Makes an output with two files, one of them in a subfolder.
fn make(target: &Path, overwrite: bool, text: &str) -> Result<(), neardup_disk::Error> {
    let output = OutputFolder::open(target, "result", overwrite)?;
    fs::create_dir(output.claim_tree("work")?).unwrap();
    fs::write(output.folder().join("work/columns"), text).unwrap();
    fs::write(output.claim("run.json")?, text).unwrap();
    fs::create_dir(output.folder().join("kept")).unwrap();
    fs::write(output.claim("kept/a.jsonl")?, text).unwrap();
    output.finish(Some("work"))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn refusal(done: Result<(), neardup_disk::Error>) -> String {
    match done {
        Err(neardup_disk::Error::Refused(reason)) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_marker_that_a_killed_process_did_not_put_into_place_is_no_part_of_the_output() {
    let (_around, target) = place();
    let partial = beside(&target, ".partial");
    fs::create_dir(&partial).unwrap();
    fs::write(partial.join(".neardup.QHfaKl"), "neardup").unwrap();
    make(&target, false, "one").unwrap();
    assert_eq!(names(&target), [".neardup", "kept", "run.json"]);
}

#[test]
fn an_output_appears_when_it_is_complete() {
    let (around, target) = place();
    make(&target, false, "one").unwrap();
    assert_eq!(names(&target), [".neardup", "kept", "run.json"]);
    assert_eq!(names(around.path()), ["out"]);
    assert_eq!(owned::kind(&target).unwrap().as_deref(), Some("result"));
    assert!(refusal(make(&target, false, "two")).contains("the output is there already"));
    make(&target, true, "two").unwrap();
    assert_eq!(fs::read_to_string(target.join("kept/a.jsonl")).unwrap(), "two");
    assert_eq!(names(around.path()), ["out"]);
}

#[test]
fn an_empty_folder_is_free() {
    let (_around, target) = place();
    for aside in [target.clone(), beside(&target, ".partial"), beside(&target, ".replaced")] {
        fs::create_dir(aside).unwrap();
    }
    make(&target, false, "one").unwrap();
    assert_eq!(names(&target), [".neardup", "kept", "run.json"]);
}

#[test]
fn files_that_neardup_did_not_make_are_kept() {
    for end in ["", ".partial", ".replaced"] {
        for is_folder in [true, false] {
            let (_around, target) = place();
            let place = beside(&target, end);
            let notes = if is_folder {
                fs::create_dir(&place).unwrap();
                place.join("run.json")
            } else {
                place.clone()
            };
            fs::write(&notes, "mine").unwrap();
            let reason = refusal(make(&target, true, "one"));
            assert!(reason.starts_with(&place.display().to_string()) && reason.contains("neardup did not make"), "{reason}");
            assert_eq!(fs::read_to_string(notes).unwrap(), "mine");
        }
    }
}

#[test]
fn an_output_with_added_files_is_not_replaced_and_they_are_named() {
    for own in ["notes.txt", "kept/notes.txt", "kept/more/notes.txt"] {
        let (_around, target) = place();
        make(&target, false, "one").unwrap();
        let notes = target.join(own);
        fs::create_dir_all(notes.parent().unwrap()).unwrap();
        fs::write(&notes, "mine").unwrap();
        let reason = refusal(make(&target, true, "two"));
        assert!(reason.contains(own), "{reason}");
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
        assert_eq!(fs::read_to_string(target.join("run.json")).unwrap(), "one");
        fs::remove_file(&notes).unwrap();
        make(&target, true, "two").unwrap();
    }
}

#[test]
fn many_added_files_are_counted() {
    let (_around, target) = place();
    make(&target, false, "one").unwrap();
    (0..7).for_each(|number| fs::write(target.join(format!("notes-{number}")), "mine").unwrap());
    let reason = refusal(make(&target, true, "two"));
    assert!(reason.contains("notes-0, notes-1, notes-2, notes-3, notes-4 and 2 more"), "{reason}");
}

#[test]
fn a_file_added_while_the_output_is_made_stops_it() {
    let (_around, target) = place();
    make(&target, false, "one").unwrap();
    let output = OutputFolder::open(&target, "result", true).unwrap();
    fs::write(output.claim("run.json").unwrap(), "two").unwrap();
    fs::write(target.join("notes.txt"), "mine").unwrap();
    assert!(refusal(output.finish(None)).contains("notes.txt"));
    assert_eq!(fs::read_to_string(target.join("run.json")).unwrap(), "one");
}

#[test]
fn only_an_output_of_the_same_kind_is_replaced() {
    let (_around, target) = place();
    owned::take(&target, "index", [log()]).unwrap();
    let reason = refusal(make(&target, true, "one"));
    assert!(reason.contains("an index of neardup"), "{reason}");
}

#[test]
fn an_interrupted_output_is_resumed_and_its_old_files_are_removed() {
    let (around, target) = place();
    let output = OutputFolder::open(&target, "result", false).unwrap();
    fs::create_dir(output.claim_tree("work").unwrap()).unwrap();
    fs::write(output.folder().join("work/columns"), "one").unwrap();
    fs::write(output.claim("pairs.parquet").unwrap(), "one").unwrap();
    drop(output);
    let output = OutputFolder::open(&target, "result", false).unwrap();
    output.clear(Some("work")).unwrap();
    assert_eq!(names(output.folder()), [".neardup", "lock", "work"]);
    assert_eq!(fs::read_to_string(output.folder().join("work/columns")).unwrap(), "one");
    fs::write(output.claim("run.json").unwrap(), "two").unwrap();
    output.finish(Some("work")).unwrap();
    assert_eq!(names(&target), [".neardup", "run.json"]);
    assert_eq!(names(around.path()), ["out"]);
}

#[test]
fn an_abandoned_output_leaves_no_files() {
    let (around, target) = place();
    let output = OutputFolder::open(&target, "result", false).unwrap();
    fs::write(output.claim("run.json").unwrap(), "one").unwrap();
    output.give_up().unwrap();
    assert!(names(around.path()).is_empty());
}

#[test]
fn only_one_process_makes_an_output() {
    let (_around, target) = place();
    let output = OutputFolder::open(&target, "result", false).unwrap();
    assert!(refusal(make(&target, false, "two")).contains("another process is writing it"));
    output.finish(None).unwrap();
}

#[test]
fn a_folder_moved_aside_by_a_stopped_process_is_removed() {
    let (around, target) = place();
    make(&target, false, "one").unwrap();
    // A process was stopped after it had moved the old folder aside, which contains a lock file meanwhile.
    fs::write(target.join("lock"), "").unwrap();
    fs::rename(&target, beside(&target, ".replaced")).unwrap();
    make(&target, false, "two").unwrap();
    assert_eq!(names(around.path()), ["out"]);
    assert_eq!(fs::read_to_string(target.join("run.json")).unwrap(), "two");
    make(&target, true, "three").unwrap();
    assert_eq!(names(&target), [".neardup", "kept", "run.json"]);
}

#[test]
fn a_complete_output_with_the_name_of_a_temporary_one_is_kept() {
    let (around, target) = place();
    for end in [".partial", ".replaced"] {
        let other = beside(&target, end);
        make(&other, false, "one").unwrap();
        for overwrite in [false, true] {
            assert!(refusal(make(&target, overwrite, "two")).contains("it is a result of neardup; move it away"));
        }
        assert_eq!(fs::read_to_string(other.join("run.json")).unwrap(), "one");
        owned::remove(&other).unwrap();
        assert!(names(around.path()).is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_slash_after_the_name_of_a_link_changes_nothing() {
    let (around, target) = place();
    make(&around.path().join("real"), false, "one").unwrap();
    std::os::unix::fs::symlink("real", &target).unwrap();
    make(&target.join(""), true, "two").unwrap();
    assert!(target.is_symlink());
    assert_eq!(fs::read_to_string(around.path().join("real/run.json")).unwrap(), "two");
    assert_eq!(names(around.path()), ["out", "real"]);
}

#[test]
fn an_output_is_resumed_after_a_kill_at_any_byte_of_its_marker() {
    let (_around, target) = place();
    let output = OutputFolder::open(&target, "result", false).unwrap();
    fs::write(output.claim("run.json").unwrap(), "one").unwrap();
    let partial = output.folder().to_path_buf();
    drop(output);
    let marker = fs::read(partial.join(".neardup")).unwrap();
    let claimed = marker.len() - "run.json\n".len();
    let head = marker.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in 0..=marker.len() {
        fs::remove_dir_all(&partial).unwrap();
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join(".neardup"), &marker[..length]).unwrap();
        if length >= claimed {
            fs::write(partial.join("lock"), "").unwrap();
        }
        if length == marker.len() {
            fs::write(partial.join("run.json"), "half").unwrap();
        }
        let output = OutputFolder::open(&target, "result", false).unwrap_or_else(|error| panic!("{length} of {head}: {error}"));
        output.clear(Some("work")).unwrap();
        assert_eq!(names(output.folder()), [".neardup", "lock"]);
    }
}

#[test]
fn an_index_in_a_result_is_replaced_with_it_unless_it_has_added_files() {
    let (_around, target) = place();
    let with_index = || {
        let output = OutputFolder::open(&target, "result", true)?;
        let index = output.claim_tree("index")?;
        owned::take(&index, "index", [log()])?;
        fs::write(index.join("log-1"), "one").unwrap();
        output.finish(None)
    };
    with_index().unwrap();
    fs::write(target.join("index/log-2"), "two").unwrap();
    with_index().unwrap();
    assert_eq!(names(&target.join("index")), [".neardup", "log-1"]);
    let notes = target.join("index/notes.txt");
    fs::write(&notes, "mine").unwrap();
    let reason = refusal(with_index());
    assert!(reason.contains("index") && reason.contains("notes.txt"), "{reason}");
    assert!(notes.exists());
}

#[test]
fn inputs_that_would_be_replaced_are_refused() {
    let (around, target) = place();
    make(&target, false, "one").unwrap();
    let file = target.join("kept/a.jsonl");
    for input in [&target, &file, &target.join("../out/kept")] {
        assert!(refusal(owned::refuse_inputs(&target, [input.as_path()])).contains("would replace the input"));
    }
    // an output in an input folder is fine
    owned::refuse_inputs(&target, [around.path(), &beside(&target, "2"), Path::new("nothing")]).unwrap();
}

#[test]
fn addresses_are_refused_as_folders() {
    assert!(refusal(make(Path::new("s3a://bucket/out"), false, "one")).contains("this machine"));
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_to_an_output_is_kept_and_the_output_is_replaced() {
        let (around, target) = place();
        let link = around.path().join("link");
        make(&target, false, "one").unwrap();
        symlink(&target, &link).unwrap();
        make(&link, true, "two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(target.join("run.json")).unwrap(), "two");
        assert_eq!(names(around.path()), ["link", "out"]);
    }

    #[test]
    fn links_are_resolved_for_checks_but_never_followed_when_files_are_removed() {
        for end in ["", ".partial", ".replaced"] {
            let (around, target) = place();
            let home = around.path().join("home");
            fs::create_dir(&home).unwrap();
            fs::write(home.join("thesis.txt"), "mine").unwrap();
            symlink(&home, beside(&target, end)).unwrap();
            refusal(make(&target, true, "one"));
            assert_eq!(names(&home), ["thesis.txt"]);
        }
        let (around, target) = place();
        make(&target, false, "one").unwrap();
        let home = around.path().join("home");
        fs::rename(target.join("kept"), &home).unwrap();
        symlink(&home, target.join("kept")).unwrap();
        assert!(refusal(make(&target, true, "two")).contains("kept"));
        assert_eq!(names(&home), ["a.jsonl"]);
    }

    #[test]
    fn a_dangling_link_is_refused() {
        let (around, target) = place();
        symlink(around.path().join("nothing"), &target).unwrap();
        assert!(refusal(make(&target, true, "one")).contains("leads nowhere"));
    }

    #[test]
    fn an_input_is_recognised_through_links() {
        let (around, target) = place();
        make(&target, false, "one").unwrap();
        let link = around.path().join("link");
        symlink(target.join("kept"), &link).unwrap();
        refusal(owned::refuse_inputs(&target, [link.as_path()]));
    }
}
