//! Archives of files are read as folders.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::common::{How, all_fields, gzip, read_all, skip, texts, zstd};
use neardup_corpus::{Discovered, Error, Fields, FindOptions, JobControl, OnError, Reject, discover, keep, spool};

const MEMBERS: [(&str, &str); 5] = [
    ("b/two.jsonl", "{\"text\":\"two\"}\n{\"text\":\"three\"}\n"),
    ("a/one.txt", "one"),
    ("image.png", "x"),
    (".hidden/c.txt", "hidden"),
    ("__MACOSX/._a.txt", "hidden"),
];

fn tar(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn found(path: &Path, work: &Path, options: &FindOptions, on_error: OnError) -> Result<Discovered, Error> {
    let mut found = discover(&[path.to_str().unwrap().to_owned()], options)?;
    spool(&mut found, work, options, on_error, &JobControl::default())?;
    Ok(found)
}

fn all_texts(found: &Discovered) -> Vec<String> {
    let read = found.sources.iter().map(|source| read_all(source, &Fields::default(), &How::default()).unwrap());
    read.flat_map(|found| texts(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn reasons(found: &Discovered) -> Vec<(&str, u64)> {
    found.unread.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect()
}

fn all_rejects(found: &Discovered) -> Vec<Reject> {
    found.sources.iter().flat_map(|source| read_all(source, &Fields::default(), &skip()).unwrap().rejects).collect()
}

#[test]
fn the_files_of_an_archive_are_read_in_the_order_of_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let plain = tar(&MEMBERS);
    for (name, bytes) in [
        ("a.tar", plain.clone()),
        ("a.tar.gz", gzip(&plain)),
        ("a.tgz", gzip(&plain)),
        ("a.tar.zst", zstd(&plain)),
        ("a.zip", zip(&MEMBERS)),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let work = tempfile::tempdir().unwrap();
        let found = found(&path, work.path(), &FindOptions::default(), OnError::Stop).unwrap();
        let shown: Vec<_> = found.sources.iter().map(|source| source.root_relative.to_str().unwrap().to_owned()).collect();
        assert_eq!(shown, [format!("{name}/a/one.txt"), format!("{name}/b/two.jsonl")]);
        assert!(found.sources.iter().all(|source| source.given() == path && source.name.ends_with(source.root_relative.to_str().unwrap())));
        assert_eq!(all_texts(&found), ["one", "two", "three"], "{name}");
        assert_eq!(reasons(&found), [("hidden file", 2), ("unknown suffix .png", 1)]);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn patterns_choose_among_the_files_of_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.zip"), zip(&MEMBERS)).unwrap();
    fs::write(folder.path().join("b.jsonl"), "{\"text\":\"b\"}\n").unwrap();
    let options = FindOptions { include: vec!["*.txt".to_owned()], ..FindOptions::default() };
    let work = tempfile::tempdir().unwrap();
    assert_eq!(all_texts(&found(folder.path(), work.path(), &options, OnError::Stop).unwrap()), ["one"]);
    let options = FindOptions { exclude: vec!["*.zip".to_owned()], ..FindOptions::default() };
    assert_eq!(all_texts(&found(folder.path(), work.path(), &options, OnError::Stop).unwrap()), ["b"]);
    for (include, exclude, want) in [
        ("a.zip/**", "", vec!["one", "two", "three"]),
        ("*.zip", "a/*", vec!["two", "three"]),
        ("{a,b}/*.{txt,jsonl}", "a.zip/b/**", vec!["one"]),
        ("**", "a.zip", vec!["b"]),
        ("**", "a.zip/**", vec!["b"]),
    ] {
        let exclude = if exclude.is_empty() { vec![] } else { vec![exclude.to_owned()] };
        let options = FindOptions { include: vec![include.to_owned()], exclude, ..FindOptions::default() };
        let found = found(folder.path(), work.path(), &options, OnError::Stop).unwrap();
        assert_eq!((all_texts(&found), found.notes()), (want.into_iter().map(str::to_owned).collect(), vec![]), "{include}");
    }
    let options = FindOptions { exclude: vec!["*.csv".to_owned()], ..FindOptions::default() };
    assert_eq!(found(folder.path(), work.path(), &options, OnError::Stop).unwrap().notes(), ["no file matches `*.csv` (exclude)"]);
}

#[test]
fn a_pattern_of_files_and_one_of_their_archive_are_both_used() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.zip"), zip(&[("one.txt", "one"), ("two.txt", "two")])).unwrap();
    let work = tempfile::tempdir().unwrap();
    for include in [["*.txt", "a.zip"], ["a.zip", "*.txt"], ["*.txt", "*.zip"]] {
        let options = FindOptions { include: include.map(str::to_owned).to_vec(), ..FindOptions::default() };
        let found = found(folder.path(), work.path(), &options, OnError::Stop).unwrap();
        assert_eq!((all_texts(&found), found.notes()), (vec!["one".to_owned(), "two".to_owned()], vec![]), "{include:?}");
    }
}

#[test]
fn only_the_web_archives_of_a_wacz_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    fs::write(&path, zip(&[("archive/data.warc", "WARC/1.0"), ("pages/pages.jsonl", "{}"), ("datapackage.json", "{}")])).unwrap();
    let work = tempfile::tempdir().unwrap();
    let found = found(&path, work.path(), &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!(found.sources.len(), 1);
    assert!(found.sources[0].format.is_archive() && found.unread.count() == 2);
}

#[test]
fn a_cut_is_noticed_at_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let members = &MEMBERS[..2];
    for (name, bytes) in [("a.tar", tar(members)), ("a.zip", zip(members)), ("a.tar.gz", gzip(&tar(members)))] {
        let path = folder.path().join(name);
        // One block of zeros ends a tar, too.
        let whole = if name == "a.tar" { bytes.len() - 512 } else { bytes.len() };
        for length in 0..whole {
            fs::write(&path, &bytes[..length]).unwrap();
            let work = tempfile::tempdir().unwrap();
            match found(&path, work.path(), &FindOptions::default(), OnError::Stop) {
                Ok(found) => assert!(reasons(&found).iter().any(|(reason, _)| reason.contains("which is missing")), "{name} {length}"),
                Err(error) => {
                    assert!(error.to_string().contains(name), "{error}");
                    let skipped = found(&path, work.path(), &FindOptions::default(), OnError::Skip);
                    let is_named = skipped.is_ok_and(|found| all_rejects(&found).len() == 1);
                    assert!(is_named || (name, length) == ("a.tar", 0), "{name} {length}");
                }
            }
        }
    }
}

/// Checks that of an archive the files `two` and `three` are read and the first one is a reject, and that its reading stops at that
/// with an error that names the archive and the file.
fn check_one_reject(archive: (&str, &[u8]), words: &[&str]) {
    let (name, bytes) = archive;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let error = found(&path, &folder.path().join("a"), &FindOptions::default(), OnError::Stop).unwrap_err().to_string();
    let found = found(&path, &folder.path().join("b"), &FindOptions::default(), OnError::Skip).unwrap();
    assert_eq!(all_texts(&found), ["two", "three"], "{name}");
    let rejects = all_rejects(&found);
    assert_eq!(rejects.len(), 1, "{rejects:?}");
    assert_eq!((rejects[0].source.as_str(), rejects[0].unit.name()), (format!("{name}/1.jsonl").as_str(), "file"));
    for word in words {
        assert!(error.contains(word) && rejects[0].reason.contains(word), "{word}: {error}");
    }
    assert!(error.contains(name) && error.contains("1.jsonl") && error.contains("--on-error skip"), "{error}");
    let target = folder.path().join("kept");
    assert!(!keep(&found.sources[0], &[], &target, 1, &JobControl::default()).unwrap().written && !target.exists());
}

const THREE: [(&str, &str); 3] =
    [("1.jsonl", "{\"text\":\"one\"}\n"), ("2.jsonl", "{\"text\":\"two\"}\n"), ("3.jsonl", "{\"text\":\"three\"}\n")];

/// Changes the first file of a zip: the two bytes at an offset in its own head, and in that of the directory.
fn patched(in_head: usize, in_directory: usize, value: u16) -> Vec<u8> {
    let mut bytes = stored(&THREE);
    for (magic, at) in [(b"PK\x03\x04", in_head), (b"PK\x01\x02", in_directory)] {
        let start = bytes.windows(4).position(|four| four == magic).unwrap() + at;
        bytes[start..start + 2].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

fn stored(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in members {
        archive.start_file(*name, plain).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_file_of_a_zip_that_cannot_be_read_is_one_reject() {
    let mut damaged = stored(&THREE);
    let at = damaged.windows(5).position(|five| five == b"\"one\"").unwrap();
    damaged[at + 2] = b'N';
    check_one_reject(("a.zip", &damaged), &["damaged", "hecksum"]);
    check_one_reject(("a.zip", &patched(6, 8, 1)), &["1.jsonl is encrypted", "extract the archive"]);
    check_one_reject(("a.zip", &patched(8, 10, 14)), &["LZMA", "not read", "Deflate"]);
    check_one_reject(("a.zip", &patched(8, 10, 9)), &["compressed by Deflate64"]);
    check_one_reject(("a.zip", &patched(0, 42, 7)), &["damaged"]);
}

#[test]
fn an_archive_that_cannot_be_read_is_one_reject() {
    let folder = tempfile::tempdir().unwrap();
    let packed = gzip(&tar(&THREE));
    for (name, bytes, texts) in [
        ("a.tar.gz", packed[..packed.len() - 6].to_vec(), vec!["one", "two", "three"]),
        ("b.tar", b"garbage ".repeat(200), vec![]),
        ("c.zip", zip(&THREE)[..200].to_vec(), vec![]),
        ("d.wacz", b"no zip".to_vec(), vec![]),
        ("e.tar.zst", b"no zstd".to_vec(), vec![]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("the archive"), "{error}");
        let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Skip).unwrap();
        assert_eq!(all_texts(&found), texts);
        let rejects = all_rejects(&found);
        assert_eq!((rejects.len(), rejects[0].source.as_str(), rejects[0].unit.name()), (1, name, "file"));
        let states = (found.sources.len(), found.unread.count());
        assert_eq!(states, (texts.len() + 1, 0));
    }
}

#[test]
fn every_member_is_read_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |kind: tar::EntryType, name: &str, content: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o644);
        if kind.is_hard_link() || kind.is_symlink() {
            header.set_size(0);
            archive.append_link(&mut header, name, content).unwrap();
        } else {
            header.set_size(content.len() as u64);
            archive.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
    };
    add(tar::EntryType::Regular, "a.txt", "a");
    add(tar::EntryType::Link, "b.txt", "./a.txt");
    add(tar::EntryType::Link, "c.txt", "missing.txt");
    add(tar::EntryType::Symlink, "d.txt", "a.txt");
    add(tar::EntryType::Regular, "a.txt/e.txt", "e");
    add(tar::EntryType::Continuous, "f/g.txt", "g");
    add(tar::EntryType::Regular, "f", "no suffix");
    add(tar::EntryType::Fifo, "h.txt", "");
    add(tar::EntryType::Regular, &format!("{}.txt", "n".repeat(300)), "long");
    add(tar::EntryType::Regular, "b.txt", "later");
    let first = archive.into_inner().unwrap();
    fs::write(&path, [first, tar(&[("z.txt", "of a joined archive")]), b"garbage".to_vec()].concat()).unwrap();
    let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!(all_texts(&found), ["a", "later", "g", "of a joined archive"]);
    assert_eq!(
        reasons(&found),
        [
            ("bytes after the end of an archive", 1),
            ("file and folder of one name in an archive", 1),
            ("hard link to a file that is not read", 1),
            ("name that no folder can hold", 1),
            ("no regular file", 1),
            ("no suffix", 1),
            ("replaced by a later file of the archive", 1),
            ("symbolic link in an archive", 1),
        ]
    );
}

#[test]
fn a_hard_link_is_the_file_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let mut archive = tar::Builder::new(tar(&THREE[..1])[..1024].to_vec());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Link);
    header.set_size(0);
    archive.append_link(&mut header, "x/copy.jsonl", "1.jsonl").unwrap();
    fs::write(&path, archive.into_inner().unwrap()).unwrap();
    let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!(all_texts(&found), ["one", "one"]);
    assert_eq!((found.sources[1].name.as_str(), found.unread.count()), ("a.tar/x/copy.jsonl", 0));
}

#[test]
fn a_sparse_file_that_begins_with_a_list_of_its_parts_is_a_reject() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_pax_extensions([("GNU.sparse.major", &b"1"[..]), ("GNU.sparse.minor", b"0")]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(4);
    archive.append_data(&mut header, "sparse.txt", &b"1\n0\n"[..]).unwrap();
    header.set_entry_type(tar::EntryType::Link);
    header.set_size(0);
    archive.append_link(&mut header, "link.txt", "sparse.txt").unwrap();
    let begin = archive.into_inner().unwrap();
    fs::write(&path, [begin, tar(&[("z.txt", "z")])].concat()).unwrap();
    let error = found(&path, &folder.path().join("a"), &FindOptions::default(), OnError::Stop).unwrap_err().to_string();
    assert!(error.contains("a.tar: sparse.txt is a sparse file") && error.contains("--format=gnu"), "{error}");
    let found = found(&path, &folder.path().join("b"), &FindOptions::default(), OnError::Skip).unwrap();
    assert_eq!(all_texts(&found), ["z"]);
    let sources: Vec<_> = all_rejects(&found).into_iter().map(|reject| reject.source).collect();
    assert_eq!(sources, ["a.tar/link.txt", "a.tar/sparse.txt"]);
}

#[test]
fn the_first_of_two_files_of_one_name_in_a_zip_and_a_link_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in THREE {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.add_symlink("link.txt", "1.jsonl", zip::write::SimpleFileOptions::default()).unwrap();
    let mut bytes = archive.finish().unwrap().into_inner();
    for at in 0..bytes.len() - 7 {
        if &bytes[at..at + 7] == b"2.jsonl" {
            bytes[at] = b'1';
        }
    }
    fs::write(&path, [zip(&THREE[2..]), bytes].concat()).unwrap();
    let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!(all_texts(&found), ["two", "three"]);
    assert_eq!(
        reasons(&found),
        [("archive before another one in a file", 1), ("replaced by a later file of the archive", 1), ("symbolic link in an archive", 1)]
    );
}

#[test]
fn a_folder_that_a_zip_lists_twice_is_no_replaced_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["d/", "e/", "f/", "g/"] {
        archive.add_directory(name, zip::write::SimpleFileOptions::default()).unwrap();
    }
    archive.start_file("d/a.txt", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(b"a").unwrap();
    let mut bytes = archive.finish().unwrap().into_inner();
    for at in 0..bytes.len() - 2 {
        let name = &mut bytes[at..at + 2];
        match &*name {
            b"e/" => name.copy_from_slice(b"d/"),
            b"f/" | b"g/" => name.copy_from_slice(b"h\\"),
            _ => {}
        }
    }
    fs::write(&path, bytes).unwrap();
    let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!((all_texts(&found), reasons(&found)), (vec!["a".to_owned()], vec![]));
}

#[test]
fn an_archive_without_files_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join("all").join(name);
    fs::create_dir(folder.path().join("all")).unwrap();
    fs::write(at("empty.tar"), tar(&[])).unwrap();
    fs::write(at("pictures.zip"), zip(&[("a.png", "x"), ("b.png", "x"), ("c.zip", "x")])).unwrap();
    let of = |path: &Path| found(path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop);
    let error = of(&at("pictures.zip")).unwrap_err().to_string();
    assert!(error.contains("pictures.zip: the archive") && error.contains("1 archive in an archive, 2 unknown suffix .png"), "{error}");
    let error = of(&folder.path().join("all")).unwrap_err().to_string();
    assert!(error.contains("1 archive without files") && error.contains("2 unknown suffix .png"), "{error}");
    fs::write(at("a.txt"), "a").unwrap();
    let found = of(&folder.path().join("all")).unwrap();
    assert_eq!(all_texts(&found), ["a"]);
    assert_eq!(reasons(&found), [("archive in an archive", 1), ("archive without files", 1), ("unknown suffix .png", 2)]);
}

#[test]
fn folders_of_an_archive_state_fields() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site=fair").join("a.zip");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, zip(&[("id=7/a.jsonl", "{\"text\":\"one\"}\n")])).unwrap();
    let found = found(&path, &folder.path().join("work"), &FindOptions::default(), OnError::Stop).unwrap();
    let fields = Fields { url: None, time: None, ..all_fields() };
    let read = read_all(&found.sources[0], &fields, &How::default()).unwrap();
    assert_eq!((read.docs[0].id.as_deref(), read.docs[0].rank), (Some("7"), 1));
}

#[test]
fn paths_out_of_the_archive_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    fs::write(&path, zip(&[("../../out.txt", "out"), ("in.txt", "in")])).unwrap();
    let work = folder.path().join("work/deep");
    let found = found(&path, &work, &FindOptions::default(), OnError::Stop).unwrap();
    assert_eq!(all_texts(&found), ["in"]);
    assert_eq!(found.unread.reasons["path out of the archive"], 1);
    assert!(!folder.path().join("out.txt").exists() && !folder.path().join("work/out.txt").exists());
}
