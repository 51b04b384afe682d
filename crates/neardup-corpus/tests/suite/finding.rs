//! Inputs that a user names are expanded to the files to read.

use std::fs;
use std::path::Path;

use neardup_corpus::{Discovered, FindOptions, JobControl, OnError, Source, check_targets, discover, spool};

fn make(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
}

fn all(inputs: &[&Path]) -> Result<Discovered, neardup_corpus::Error> {
    discover(&inputs.iter().map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>(), &FindOptions::default())
}

fn find(inputs: &[&Path]) -> Result<Vec<Source>, neardup_corpus::Error> {
    Ok(all(inputs)?.sources)
}

fn names(sources: &[Source]) -> Vec<&str> {
    sources.iter().map(|source| source.name.as_str()).collect()
}

fn targets(sources: &[Source]) -> Vec<&str> {
    sources.iter().map(|source| source.root_relative.to_str().unwrap()).collect()
}

#[test]
fn a_folder_yields_its_files_of_known_formats_in_the_order_of_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    make(
        folder.path(),
        &["b.jsonl", "a/z.txt", "a-b.md", "B.CSV", "a/image.png", "README", "c/d/e.parquet", "x.tsv.zst", "y.warc.gz", "z.parquet.gz"],
    );
    let found = find(&[folder.path()]).unwrap();
    assert_eq!(names(&found), ["B.CSV", "a-b.md", "a/z.txt", "b.jsonl", "c/d/e.parquet", "x.tsv.zst", "y.warc.gz"]);
    assert_eq!(targets(&found), names(&found));
    let kinds: Vec<_> = found.iter().map(|source| (source.format.name(), source.compression.name())).collect();
    assert_eq!(kinds[0], ("csv", ""));
    assert_eq!(kinds[5], ("tsv", "zstd"));
    assert_eq!(kinds[6], ("warc", "gzip"));
    assert_eq!(found[0].bytes, 1);
}

#[test]
fn targets_are_below_the_common_folder() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["en/x.jsonl", "en/sub/y.jsonl", "de/x.jsonl", "fr/x.jsonl"]);
    let at = |name: &str| folder.path().join(name);
    let found = find(&[&at("en"), &at("de/x.jsonl")]).unwrap();
    assert_eq!(targets(&found), ["en/sub/y.jsonl", "en/x.jsonl", "de/x.jsonl"]);
    assert_eq!(names(&found), targets(&found));
    assert_eq!(names(&find(&[&at("en/x.jsonl")]).unwrap()), ["x.jsonl"]);
    assert_eq!(targets(&find(&[&at("en/../de/./x.jsonl")]).unwrap()), ["x.jsonl"]);
    assert_eq!(names(&find(&[&at("*/x.jsonl")]).unwrap()), ["de/x.jsonl", "en/x.jsonl", "fr/x.jsonl"]);
    assert_eq!(targets(&find(&[&at("*/x.jsonl")]).unwrap()), ["de/x.jsonl", "en/x.jsonl", "fr/x.jsonl"]);
    assert_eq!(names(&find(&[&at("**/y*.jsonl")]).unwrap()), ["en/sub/y.jsonl"]);
}

#[test]
fn two_inputs_with_one_target_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["en/x.jsonl"]);
    let file = folder.path().join("en/x.jsonl");
    let twice = find(&[&file, &folder.path().join("en/./x.jsonl")]).unwrap();
    let error = check_targets(&twice).unwrap_err().to_string();
    assert!(error.contains("would both be written to x.jsonl"), "{error}");
    assert!(check_targets(&find(&[&folder.path().join("en")]).unwrap()).is_ok());
}

#[test]
fn inputs_without_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["empty/notes.docx"]);
    let at = |name: &str| folder.path().join(name);
    for (name, why) in [
        ("nothing", "there is no such file or folder"),
        ("empty", "holds no file of a known kind"),
        ("*.jsonl", "no file matches this pattern"),
        ("empty/*", "no file of a known kind that is wanted matches this pattern (not read: 1 unknown suffix .docx)"),
        ("emp{ty,}/**", "(not read: 1 unknown suffix .docx)"),
        ("empty/a**.txt", "** must be alone between two /"),
        ("[", "not a pattern"),
        ("empty/notes.docx", "unknown kind of file; known are .jsonl .ndjson .json .csv"),
    ] {
        let error = find(&[&at(name)]).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains(name), "{error}");
    }
}

#[test]
fn each_input_is_refused_for_its_own_files_and_those_of_all_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["a/x.jsonl", "a/notes.docx", "b/x.jsonl", "b/c.png", "empty/d.png"]);
    let at = |name: &str| folder.path().join(name);
    for name in ["empty", "empty/*"] {
        let error = find(&[&at("a"), &at(name)]).unwrap_err().to_string();
        assert!(error.contains("not read: 1 unknown suffix .png)"), "{error}");
    }
    for name in ["b", "b/*"] {
        let unread = all(&[&at("a"), &at(name)]).unwrap().unread;
        let reasons: Vec<_> = unread.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        assert_eq!(reasons, [("unknown suffix .docx", 1), ("unknown suffix .png", 1)]);
        assert_eq!(unread.names, [at("a/notes.docx"), at("b/c.png")].map(|path| path.display().to_string()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_found() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.jsonl");
    fs::write(folder.path().join(name), "{}\n").unwrap();
    let found = find(&[folder.path()]).unwrap();
    assert_eq!((found.len(), &found[0].name[..]), (1, "caf\u{FFFD}.jsonl"));
    assert_eq!(found[0].path.file_name(), Some(name));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_named_before_any_work() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["a.jsonl", "b.jsonl"]);
    let path = folder.path().join("b.jsonl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // For a user with all permissions no file is unreadable.
    if fs::File::open(&path).is_err() {
        let error = find(&[folder.path()]).unwrap_err().to_string();
        assert!(error.contains("b.jsonl: cannot read"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_counted() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["x/a.jsonl", "b.jsonl"]);
    let at = |name: &str| folder.path().join(name);
    symlink("gone.jsonl", at("dangling.jsonl")).unwrap();
    symlink("b.jsonl/c.jsonl", at("x/below.jsonl")).unwrap();
    symlink("loop.jsonl", at("loop.jsonl")).unwrap();
    symlink("..", at("x/up")).unwrap();
    symlink("gone", at(".#lock")).unwrap();
    symlink("b.jsonl", at("link.jsonl")).unwrap();
    let found = all(&[folder.path()]).unwrap();
    assert_eq!(names(&found.sources), ["b.jsonl", "link.jsonl", "x/a.jsonl"]);
    let reasons: Vec<_> = found.unread.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    assert_eq!(reasons, [("hidden file", 1), ("link in a circle", 2), ("link to a file that does not exist", 2)]);
    let found = all(&[&at("*.jsonl")]).unwrap();
    assert_eq!((names(&found.sources), found.unread.count()), (vec!["b.jsonl", "link.jsonl"], 2));
    for name in ["dangling.jsonl", "loop.jsonl"] {
        assert!(find(&[&at(name)]).unwrap_err().to_string().contains(name));
    }
}

#[test]
fn patterns_have_alternatives_and_whole_trees() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["c/a.csv", "c/b.tsv", "c/d/e.csv", "c/d/f.txt", "c/g.py", "h{1}.csv", "c/.i.csv"]);
    let at = |name: &str| folder.path().join(name);
    assert_eq!(names(&find(&[&at("c/*.{csv,tsv}")]).unwrap()), ["a.csv", "b.tsv"]);
    assert_eq!(names(&find(&[&at("c/{d/,}*.{csv,c*}")]).unwrap()), ["a.csv", "d/e.csv"]);
    assert_eq!(names(&find(&[&at("c/**")]).unwrap()), ["a.csv", "b.tsv", "d/e.csv", "d/f.txt"]);
    assert_eq!(names(&find(&[&at("h{1}.csv")]).unwrap()), ["h{1}.csv"]);
    make(folder.path(), &["g/Àa.csv", "g/Öb.tsv", "g/c.csv"]);
    assert_eq!(names(&find(&[&at("g/[À-Ö]*.{csv,tsv}")]).unwrap()), ["Àa.csv", "Öb.tsv"]);
    let options = FindOptions { exclude: vec!["[!À]*.{csv,tsv}".to_owned()], ..FindOptions::default() };
    let left = discover(&[at("g").to_str().unwrap().to_owned()], &options).unwrap();
    assert_eq!((names(&left.sources), left.notes()), (vec!["Àa.csv"], vec![]));
    let found = all(&[&at("c")]).unwrap();
    assert_eq!(found.unread.reasons["source code, which --scheme code or --include reads"], 1);
    let options = |include: &str| FindOptions { include: vec![include.to_owned()], ..FindOptions::default() };
    let chosen = discover(&[at("c").to_str().unwrap().to_owned()], &options("*.{py,txt}")).unwrap();
    assert_eq!((names(&chosen.sources), chosen.notes()), (vec!["d/f.txt", "g.py"], vec![]));
    let error = discover(&[at("c").to_str().unwrap().to_owned()], &options("*.rs")).unwrap_err().to_string();
    assert!(error.contains("5 not included"), "{error}");
}

#[test]
fn the_standard_input_is_spooled() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = all(&[Path::new("-")]).unwrap();
    let sources = &found.sources;
    assert!(sources[0].is_stdin() && sources[0].name == "stdin" && sources[0].format.name() == "jsonl");
    // A test has no standard input of its own, so only the cancelled case is tested.
    let control = JobControl::default();
    control.cancel();
    assert!(matches!(
        spool(&mut found, folder.path(), &FindOptions::default(), OnError::Stop, &control),
        Err(neardup_corpus::Error::Cancelled)
    ));
}
