//! An index that many threads and processes use at once: exactly one of several racing copies is new, each answer belongs to
//! its request, and a reader always sees the state after some step.

use crate::children::{given, lines, say, start};
use crate::model::{Look, Model, Seen, look, open, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::Error;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// Number of texts that each writer adds.
const TEXTS: u64 = 120;

/// Returns a text that is near no other one.
fn text(number: u64) -> String {
    (0..6).map(|at| format!("t{number}w{at}")).collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "started by the test below"]
fn racing_writer() {
    let Some((folder, seed)) = given() else { return };
    let mut random = SplitMix::new(seed);
    let index = open(&folder).unwrap();
    let mut next = 0;
    while next < TEXTS {
        let end = (next + 1 + random.draw() % 3).min(TEXTS);
        let documents = (next..end).map(|number| Document { text: text(number), ..Document::default() }).collect();
        for (number, admission) in (next..end).zip(index.add(documents, 0).unwrap()) {
            let is_new = admission.verdict.dropped.is_none();
            say(format_args!("{number} {} {is_new}", admission.verdict.id));
        }
        if random.draw().is_multiple_of(40) {
            index.compact().unwrap();
        }
        next = end;
    }
}

/// Checks that an index contains exactly the documents of its first steps; returns the number of steps.
fn check_prefix(index: &Index) -> u64 {
    let (steps, found) = {
        // Both are read from one snapshot.
        let contents = index.contents();
        (contents.steps, contents.living_from(0).count() as u64)
    };
    assert_eq!(steps, found);
    let found: BTreeMap<u64, Seen> = look(index).into_values().map(|seen| (seen.serial, seen)).collect();
    assert!(found.keys().copied().eq(1..=steps), "{:?} of {steps}", found.keys());
    let mut first = BTreeMap::new();
    for (serial, Seen { document, original, .. }) in &found {
        let expected = first.entry(&document.text).or_insert(serial);
        assert_eq!(*original, format!("#{expected}"), "{} after {steps} steps", document.text);
    }
    steps
}

#[test]
#[ignore = "started by the test below"]
fn reader_beside_writers() {
    let Some((folder, _)) = given() else { return };
    let index = open(&folder).unwrap();
    let mut seen = BTreeSet::new();
    loop {
        index.refresh().unwrap();
        let steps = check_prefix(&index);
        assert!(seen.last().is_none_or(|&last| last <= steps), "it saw less than before");
        seen.insert(steps);
        // Another reader opens the index every eight states.
        if seen.len() % 8 == 0 {
            assert!(check_prefix(&open(&folder).unwrap()) >= steps);
        }
        if folder.with_file_name("enough").exists() {
            return say(seen.len());
        }
    }
}

fn race(dir: &Path, seed: u64) {
    let mut readers: Vec<_> = (0..2).map(|_| start("", "index_sharing::reader_beside_writers", dir, 0)).collect();
    let mut writers: Vec<_> = (0..4).map(|at| start("", "index_sharing::racing_writer", dir, seed * 10 + at)).collect();
    // One of them is killed before its end.
    std::thread::sleep(Duration::from_millis(20));
    writers[0].kill().unwrap();
    let mut acknowledged: BTreeMap<u64, Vec<(String, bool)>> = BTreeMap::new();
    for writer in &mut writers {
        for line in lines(writer) {
            let [number, id, is_new] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            acknowledged.entry(number.parse().unwrap()).or_default().push((id.to_owned(), is_new == "true"));
        }
    }
    assert!(writers.iter_mut().skip(1).all(|writer| writer.wait().unwrap().success()));
    writers[0].wait().unwrap();
    std::fs::write(dir.with_file_name("enough"), "").unwrap();
    for reader in &mut readers {
        let states: usize = lines(reader).last().unwrap().parse().unwrap();
        assert!(reader.wait().unwrap().success() && states > 5, "{states} states");
    }
    let index = open(dir).unwrap();
    index.verify().unwrap();
    check_prefix(&index);
    let found = look(&index);
    assert!(acknowledged.len() as u64 == TEXTS && acknowledged.values().all(|answers| answers.len() >= 3));
    for (number, answers) in acknowledged {
        let new: Vec<_> = answers.iter().filter(|(_, is_new)| *is_new).collect();
        // The killed writer may have been first without acknowledging it.
        assert!(new.len() == 1 || new.is_empty() && answers.len() == 3, "{number}: {answers:?}");
        for (id, is_new) in &answers {
            let Seen { document, original, .. } = &found[id];
            assert_eq!((&document.text, original == id), (&text(number), *is_new));
        }
    }
}

#[test]
fn one_of_several_racing_copies_is_new_and_readers_see_whole_states() {
    for seed in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("index");
        drop(Index::create(&dir, settings(Policy::First), passes()).unwrap());
        race(&dir, seed);
    }
}

/// Adds documents with ids of its own, and makes requests that must fail; checks that each answer belongs to its request.
fn write(index: &Index, writer: u64, originals: &mut BTreeMap<String, String>) {
    let mut random = SplitMix::new(writer);
    for round in 0..60 {
        let id = |at: u64| format!("d{writer}-{round}-{at}");
        // Many writers have the same text.
        let document = |at| Document { id: Some(id(at)), text: text(random.draw() % 40), ..Document::default() };
        let documents: Vec<Document> = (0..1 + round % 3).map(document).collect();
        let texts: Vec<String> = documents.iter().map(|document| document.text.clone()).collect();
        let admissions = index.add(documents, 0).unwrap();
        assert!(admissions.iter().zip(0..).all(|(admission, at)| admission.verdict.id == id(at)) && admissions.len() == texts.len());
        for admission in admissions {
            let original = admission.verdict.dropped.map_or_else(|| admission.verdict.id.clone(), |evidence| evidence.original);
            originals.insert(admission.verdict.id, original);
        }
        let twice = Document { id: Some(id(0)), text: "of other words".to_owned(), ..Document::default() };
        let refused = index.add(vec![Document::default(), twice], 0).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("id `{}` is in the index already", id(0))), "{refused}");
        let missing = format!("m{writer}-{round}");
        assert_eq!(index.remove(vec![missing.clone()]).unwrap_err().to_string(), format!("id `{missing}` is not in the index"));
        if round % 20 == writer {
            index.compact().unwrap();
        }
    }
}

#[test]
fn each_thread_gets_the_answer_to_its_request() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::First), passes()).unwrap().with_flush_at(50);
    let is_done = AtomicBool::new(false);
    let reported: BTreeMap<String, String> = std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_done.load(SeqCst) {
                    look(&index);
                    index.refresh().unwrap();
                }
            });
        }
        let writers: Vec<_> = (0..6)
            .map(|writer| {
                let index = &index;
                scope.spawn(move || {
                    let mut originals = BTreeMap::new();
                    write(index, writer, &mut originals);
                    originals
                })
            })
            .collect();
        let written: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        is_done.store(true, SeqCst);
        written.into_iter().flat_map(|originals| originals.unwrap()).collect()
    });
    let found: Look = look(&index);
    let originals = found.iter().map(|(id, seen)| (id.clone(), seen.original.clone())).collect::<BTreeMap<_, _>>();
    // With the policy `first`, no verdict changes as long as nothing is removed.
    assert_eq!(originals, reported);
    assert_eq!(found, Model::of(settings(Policy::First), &found).look());
    assert_eq!(look(&open(&dir).unwrap()), found);
    index.verify().unwrap();
}

#[test]
fn a_reader_does_not_wait_for_a_writer_in_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::First), passes()).unwrap();
    let other = File::options().write(true).open(dir.join("lock")).unwrap();
    other.lock().unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| index.add(vec![Document { text: text(0), ..Document::default() }], 0));
        for _ in 0..50 {
            index.refresh().unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!writer.is_finished());
        // The lock is released only now: a reader that waited for the writer would wait forever.
        other.unlock().unwrap();
        writer.join().unwrap().unwrap();
    });
    assert_eq!(look(&index).len(), 1);
}

#[test]
fn one_of_several_racing_creators_makes_the_index() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("index");
        let make = |at: u64| {
            let index = Index::create(&dir, settings(Policy::First), passes())?;
            index.add(vec![Document { text: text(at), ..Document::default() }], 0).map(drop)
        };
        let made: Vec<Result<(), Error>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|at| scope.spawn(move || make(at))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
        for error in made.iter().flat_map(|made| made.as_ref().err()) {
            assert!(error.to_string().contains("there is an index already"), "{error}");
        }
        assert_eq!(look(&open(&dir).unwrap()).len(), 1, "the document of the first one is in the index");
    }
}
