//! Prints how fast a JSON lines file is read into records and written back: `walk FILE.jsonl [THREADS]`.
//!
//! The figures are of reading, checking UTF-8 and walking every line; then of writing the file without every tenth
//! record. Each is the best of five.

use std::path::Path;
use std::time::Instant;

use neardup_corpus::{Chunk, Control, Error, Fields, ReadOptions, Span, discover, keep, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("walk FILE.jsonl [THREADS]")?;
    let threads: usize = arguments.next().map_or(Ok(2), |threads| threads.parse())?;
    let source = discover(&[path])?.remove(0);
    let fields = Fields { id: Some("id".to_owned()), ..Fields::default() };
    let folder = std::env::temp_dir().join(format!("walk-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (spool, target) = (folder.join("spool"), folder.join("kept"));
    let spans = |chunk: &Chunk<'_>| Ok::<_, Error>(chunk.records.iter().map(|record| record.span).collect::<Vec<Span>>());
    let mut best = [f64::MAX; 2];
    let mut records = 0;
    for _ in 0..5 {
        let control = Control::default();
        let options = ReadOptions { threads, ..ReadOptions::new(&control, &spool) };
        let start = Instant::now();
        let all = read(&source, &fields, &options, &spans)?;
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        records = all.records;
        let dropped: Vec<Span> = all.chunks.concat().into_iter().step_by(10).collect();
        // A fresh file each time, as in a run.
        remove(&target);
        let start = Instant::now();
        keep(&source, &dropped, &target, threads, &control)?;
        best[1] = best[1].min(start.elapsed().as_secs_f64());
    }
    std::fs::remove_dir_all(&folder)?;
    let rate = |seconds: f64| source.bytes as f64 / seconds / 1e6;
    println!("{records} records, {:.1} MB, {threads} threads", source.bytes as f64 / 1e6);
    println!("read {:7.1} ms {:8.0} MB/s", best[0] * 1e3, rate(best[0]));
    println!("keep {:7.1} ms {:8.0} MB/s", best[1] * 1e3, rate(best[1]));
    Ok(())
}

fn remove(path: &Path) {
    // It is not there the first time.
    let _ = std::fs::remove_file(path);
}
