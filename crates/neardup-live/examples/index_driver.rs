//! Drives an index from Rust for `bench/index.py`; `bench/index_driver.py` does the same from Python.
//!
//! Usage: `index_driver admit DIR DOCS.jsonl FROM TO BATCH THREADS plain|parts` and
//! `index_driver ask DIR QUESTIONS.jsonl ROUNDS`. Both print JSON. `admit` adds the documents of lines FROM to TO and prints the
//! seconds of all batches and of the slowest one. `ask` prints the nanoseconds of each query in each round, the number of
//! hits, and the memory of the process.

use neardup_core::compile::compile;
use neardup_live::decide::passes::IndexPasses;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::info::Info;
use neardup_live::snapshot::manifest::Settings;
use neardup_live::snapshot::query::{HitOrder, QueryText};
use serde::Deserialize;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const SCHEME: &str = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8";
const PARTS: &str = "words | shingles:5 | moduli:32 | each | containment>=0.5";

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["admit", dir, docs, from, to, batch, threads, parts] => {
            admit(Path::new(dir), docs, from.parse()?..to.parse()?, batch.parse()?, threads.parse()?, parts == "parts")
        }
        ["ask", dir, questions, rounds] => ask(Path::new(dir), questions, rounds.parse()?),
        _ => {
            Err("usage: index_driver admit DIR DOCS.jsonl FROM TO BATCH THREADS plain|parts | index_driver ask DIR QUESTIONS.jsonl ROUNDS"
                .into())
        }
    }
}

fn passes(parts: Option<&str>) -> neardup_live::Result<IndexPasses> {
    let parts = parts.map(str::parse).transpose()?;
    IndexPasses::new(&SCHEME.parse()?, parts.as_ref(), |scheme| Ok(compile(scheme)?))
}

fn open(dir: &Path) -> neardup_live::Result<Index> {
    Index::open(dir, |settings| passes(settings.parts_scheme.as_deref()))
}

fn create(dir: &Path, parts: Option<&str>) -> neardup_live::Result<Index> {
    let settings = Settings {
        scheme: SCHEME.to_owned(),
        parts_scheme: parts.map(str::to_owned),
        tokens_version: neardup_text::TOKENS_VERSION,
        unicode: neardup_text::UNICODE_VERSION.to_owned(),
        policy: Policy::First,
        ttl_seconds: None,
        most: None,
        extractor: None,
        shard: None,
    };
    Index::create(dir, settings, passes(parts)?)
}

fn lines<T: for<'a> Deserialize<'a>>(path: &str) -> Done<impl Iterator<Item = Done<T>>> {
    let lines = BufReader::new(File::open(path)?).lines();
    Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
}

#[derive(Deserialize)]
struct Line {
    id: String,
    url: String,
    text: String,
}

fn admit(dir: &Path, docs: &str, range: std::ops::Range<usize>, batch: usize, threads: usize, parts: bool) -> Done<()> {
    let index = if dir.exists() { open(dir)? } else { create(dir, parts.then_some(PARTS))? };
    let mut documents = lines::<Line>(docs)?.skip(range.start).take(range.len());
    let (mut seconds, longest) = (0.0, Mutex::new(Duration::ZERO));
    // Documents are read in pieces, outside of the timed part, so that they need not all fit in memory.
    loop {
        let mut batches = Vec::new();
        while batches.len() < (1 << 16) / batch {
            let lines: Vec<Line> = documents.by_ref().take(batch).collect::<Done<_>>()?;
            if lines.is_empty() {
                break;
            }
            let document = |line: Line| Document { id: Some(line.id), url: Some(line.url), time: None, text: line.text };
            batches.push(lines.into_iter().map(document).collect::<Vec<Document>>());
        }
        if batches.is_empty() {
            break;
        }
        let batches = Mutex::new(batches.into_iter());
        let next = || batches.lock().unwrap().next();
        let work = || {
            while let Some(batch) = next() {
                let start = Instant::now();
                index.add(batch, 0).unwrap();
                let mut longest = longest.lock().unwrap();
                *longest = start.elapsed().max(*longest);
            }
        };
        let start = Instant::now();
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        seconds += start.elapsed().as_secs_f64();
    }
    println!("{}", serde_json::json!({ "seconds": seconds, "longest": longest.into_inner()?.as_secs_f64() }));
    Ok(())
}

#[derive(Deserialize)]
struct Question {
    text: String,
    /// The id of its document, if the two resemble each other enough to be found.
    near: Option<String>,
}

fn ask(dir: &Path, questions: &str, rounds: usize) -> Done<()> {
    let index = open(dir)?;
    let questions: Vec<Question> = lines(questions)?.collect::<Done<_>>()?;
    let query = |question: &Question, limit: usize| {
        let options = QueryText { by: HitOrder::Scheme, threshold: None, limit };
        index.with_comparer(|comparer| index.contents().query(&question.text, options, comparer))
    };
    // The times of the first part are not returned: it warms up.
    let mut nanoseconds = Vec::new();
    for part in questions.chunks(questions.len().div_ceil(rounds + 1)) {
        let mut round = Vec::with_capacity(part.len());
        for question in part {
            let start = Instant::now();
            query(question, 10)?;
            round.push(start.elapsed().as_nanos() as u64);
        }
        nanoseconds.push(round);
    }
    nanoseconds.remove(0);
    let (mut near, mut found, mut hits) = (0, 0, 0);
    for question in &questions {
        let answer = query(question, 1_000)?;
        hits += answer.hits.len();
        if let Some(id) = &question.near {
            near += 1;
            found += u32::from(answer.hits.iter().any(|hit| &hit.id == id));
        }
    }
    let status = fs::read_to_string("/proc/self/status")?;
    let kilobytes = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix(" kB")?.trim().parse::<u64>().ok());
    let result = serde_json::json!({
        "nanoseconds": nanoseconds, "asked": questions.len(), "near": near, "found": found, "hits": hits, "info": Info::of(&index).unwrap(),
        "anonymous": kilobytes("RssAnon:"), "mapped": kilobytes("RssFile:"),
    });
    println!("{result}");
    Ok(())
}
