//! Prints the speed of reading a JSON lines file into records and writing it back: `walk FILE.jsonl [THREADS]`.
//!
//! `read` reads the bytes, checks their UTF-8 and walks every line. The steps other than walking are measured separately,
//! by the cost of doing them once more. `keep` writes the file without every tenth record. Times are the best of five.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use neardup_corpus::{Chunk, Error, Fields, FindOptions, JobControl, Read, ReadOptions, Source, SourceSpan, discover, keep, read};
use neardup_text::{Text, string_end};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("walk FILE.jsonl [THREADS]")?;
    let threads: usize = arguments.next().map_or(Ok(1), |threads| threads.parse())?;
    let source = discover(&[path], &FindOptions::default())?.sources.remove(0);
    let folder = std::env::temp_dir().join(format!("walk-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let target = folder.join("kept");
    let spans = |chunk: &Chunk<'_>| chunk.records.iter().map(|record| record.span).collect::<Vec<SourceSpan>>();
    let each = |chunk: &Chunk<'_>, run: &dyn Fn(&[u8])| chunk.records.iter().for_each(|record| run(bytes(record.text)));
    let mut best = [f64::MAX; 5];
    let mut records = 0;
    for _ in 0..5 {
        let [reading, plain, ends, utf8, kept] = &mut best;
        timed(reading, || read_bytes(&source.path))?;
        let all = timed(plain, || run(&source, &folder, threads, &|chunk| spans(chunk)))?;
        timed(ends, || run(&source, &folder, threads, &|chunk| each(chunk, &|text| use_result(string_end(text, 0)))))?;
        timed(utf8, || run(&source, &folder, threads, &|chunk| each(chunk, &|text| use_result(simdutf8::basic::from_utf8(text)))))?;
        records = all.records;
        let dropped: Vec<SourceSpan> = all.chunks.concat().into_iter().step_by(10).collect();
        // The file is new each time, as in a run; the first time there is none to remove.
        let _ = std::fs::remove_file(&target);
        timed(kept, || keep(&source, &dropped, &target, threads, &JobControl::default()))?;
    }
    std::fs::remove_dir_all(&folder)?;
    let [reading, plain, ends, utf8, kept] = best;
    println!("{records} records, {:.1} MB, {threads} threads", source.bytes as f64 / 1e6);
    let show = |what: &str, seconds: f64| {
        let bytes = source.bytes as f64;
        println!("{what:32}{:8.1} ms {:8.0} MB/s {:7.3} ns/byte", seconds * 1e3, bytes / seconds / 1e6, seconds / bytes * 1e9);
    };
    show("read", plain);
    show("  of it reading bytes, one thread", reading);
    show("  of it string_end of texts", ends - plain);
    show("  of it UTF-8 of texts", utf8 - plain);
    show("keep", kept);
    Ok(())
}

/// Keeps the compiler from removing an unused result.
fn use_result<R>(result: R) {
    std::hint::black_box(result);
}

fn bytes(text: Text<'_>) -> &[u8] {
    match text {
        Text::Plain(bytes) | Text::Json(bytes) => bytes,
    }
}

fn run<T: Send>(source: &Source, folder: &Path, threads: usize, work: &(dyn Fn(&Chunk<'_>) -> T + Sync)) -> Result<Read<T>, Error> {
    let control = JobControl::default();
    let spool = folder.join("spool");
    let options = ReadOptions { threads, ..ReadOptions::new(&control, &spool) };
    let fields = Fields { id: Some("id".to_owned()), ..Fields::default() };
    read(source, &fields, &options, &|chunk: &Chunk<'_>| Ok(work(chunk)))
}

fn read_bytes(path: &Path) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let mut room = vec![0; 2 << 20];
    while file.read(&mut room)? > 0 {}
    Ok(())
}

fn timed<R>(best: &mut f64, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = run();
    *best = best.min(start.elapsed().as_secs_f64());
    result
}
