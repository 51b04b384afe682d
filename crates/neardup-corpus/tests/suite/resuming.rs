//! An interrupted read resumes: chunks that were processed are not processed again.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::common::{Doc, Found, Given, collect, gather};
use neardup_corpus::{Chunk, ChunkOutcome, ChunkWork, Error, Fields, JobControl, OnError, ReadOptions, TextPlace, read};

type Docs = Vec<(Doc, TextPlace)>;

/// Work that stores its outcomes by the number of the chunk, and stops after `most` chunks.
struct Remembering {
    before: BTreeMap<usize, ChunkOutcome<Docs>>,
    now: Mutex<BTreeMap<usize, ChunkOutcome<Docs>>>,
    most: usize,
}

impl ChunkWork<Docs, Error> for Remembering {
    fn work(&self, chunk: &Chunk<'_>) -> Result<Docs, Error> {
        assert!(!self.before.contains_key(&chunk.number), "chunk {} is processed twice", chunk.number);
        if self.now.lock().unwrap().len() < self.most { collect(chunk) } else { Err(Error::Cancelled) }
    }

    fn done(&self, number: usize) -> Option<ChunkOutcome<Docs>> {
        self.before.get(&number).cloned()
    }

    fn save(&self, outcome: &ChunkOutcome<Docs>) -> Result<(), Error> {
        self.now.lock().unwrap().insert(outcome.number, outcome.clone());
        Ok(())
    }
}

/// Reads the source repeatedly, at most `most` more chunks each time; returns the result of the last read, and the number of reads.
fn read_in_steps(given: &Given, threads: usize, most: usize) -> (Found, usize) {
    let spool = given.beside("spool");
    let mut before = BTreeMap::new();
    for readings in 1.. {
        let control = JobControl::default();
        let options = ReadOptions {
            threads,
            chunk_bytes: 300,
            on_error: OnError::Skip,
            resumes: !before.is_empty(),
            ..ReadOptions::new(&control, &spool)
        };
        let work = Remembering { before, now: Mutex::default(), most };
        let result = read(&given.source, &Fields::default(), &options, &work);
        before = work.before;
        before.append(&mut work.now.into_inner().unwrap());
        if let Ok(read) = result {
            return (gather(read), readings);
        }
    }
    unreachable!("a read completes")
}

#[test]
fn all_formats_resume() {
    let texts: Vec<String> = (0..200).map(|number| format!("text {number} {}", "and more ".repeat(number % 9))).collect();
    let jsonl: String = texts
        .iter()
        .enumerate()
        .map(|(at, text)| if at % 17 == 3 { "no record\n".into() } else { format!("{{\"text\":\"{text}\"}}\n") })
        .collect();
    let csv = format!("text\n{}", texts.iter().map(|text| format!("\"{text}\"\n")).collect::<String>());
    for (name, bytes) in [("a.jsonl", &jsonl), ("a.jsonl.gz", &jsonl), ("a.jsonl.zst", &jsonl), ("a.csv", &csv), ("a.csv.gz", &csv)] {
        let given = Given::new(name, bytes.as_bytes());
        let (whole, once) = read_in_steps(&given, 1, usize::MAX);
        assert_eq!(once, 1);
        for (threads, most) in [(1, 1), (1, 7), (3, 5), (4, 12)] {
            let (found, readings) = read_in_steps(&given, threads, most);
            assert!(readings > 2, "{name}: {readings}");
            assert_eq!((found.docs, found.rejects, found.rows), (whole.docs.clone(), whole.rejects.clone(), whole.rows), "{name}");
        }
    }
}
