//! Archives of files are read as folders.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::common::{How, gzip, read_all, skip, texts, zstd};
use neardup_corpus::{Discovered, Error, Fields, FindOptions, JobControl, OnError, discover, spool};

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
        assert_eq!(
            found.unread.reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect::<Vec<_>>(),
            [("hidden file", 2), ("unknown suffix .png", 1)]
        );
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
    for (name, bytes, ends) in
        [("a.tar", tar(members), vec![0, 1024, 2048, 2560]), ("a.zip", zip(members), vec![]), ("a.tar.gz", gzip(&tar(members)), vec![])]
    {
        let path = folder.path().join(name);
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let work = tempfile::tempdir().unwrap();
            let stopped = found(&path, work.path(), &FindOptions::default(), OnError::Stop);
            // Without its end, a tar ends between two files.
            let is_between = ends.contains(&length) || name == "a.tar" && length > 2560;
            match stopped {
                Ok(_) => assert!(is_between, "{name} {length}"),
                Err(error) => {
                    assert!(error.to_string().contains(name), "{error}");
                    let skipped = found(&path, work.path(), &FindOptions::default(), OnError::Skip);
                    let is_named = skipped.is_ok_and(|found| {
                        let broken = found.sources.iter().filter(|source| source.broken.is_some()).count();
                        found.unread.count() + broken as u64 == 1
                            && found
                                .sources
                                .iter()
                                .filter(|source| source.broken.is_some())
                                .all(|source| !read_all(source, &Fields::default(), &skip()).unwrap().rejects.is_empty())
                    });
                    assert!(is_named || is_between, "{name} {length}");
                }
            }
        }
    }
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
