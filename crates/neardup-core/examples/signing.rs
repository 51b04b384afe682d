//! How fast texts are signed on one core, and what each step costs.
//!
//! Usage: signing DOCS.jsonl [REPETITIONS]. Every line's `text` member is found beforehand; what is timed runs over the
//! JSON bytes of the texts: finding the closing quote, tokens, features, the signature and keys, bitmap and digests.

use neardup_core::compile::compile;
use neardup_core::segment::Draft;
use neardup_core::signer::Signer;
use neardup_text::{Text, Tokeniser, Unit, fingerprint, string_end};
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: signing DOCS.jsonl [REPETITIONS]")?;
    let repetitions: usize = arguments.next().map_or(Ok(5), |count| count.parse())?;
    let bytes = std::fs::read(path)?;
    let starts = starts(&bytes);
    let texts: Vec<Text<'_>> = starts.iter().filter_map(|&start| text(&bytes, start)).collect();
    let size: usize = texts.iter().map(|text| length(*text)).sum();
    println!("{} texts, {size} bytes of JSON strings", texts.len());
    let report = |name: &str, work: &mut dyn FnMut()| {
        let best = (0..repetitions).map(|_| timed(work)).fold(f64::INFINITY, f64::min);
        println!("{name:40} {:8.0} MB/s {:7.3} ns/byte", size as f64 / best / 1e6, best * 1e9 / size as f64);
    };
    report("find the closing quote", &mut || {
        starts.iter().for_each(|&start| {
            black_box(text(&bytes, start));
        });
    });
    report("digest of the bytes", &mut || {
        texts.iter().for_each(|text| {
            black_box(text.digest());
        });
    });
    let mut tokeniser = Tokeniser::new(Unit::Words, 0);
    report("tokens", &mut || {
        texts.iter().for_each(|text| {
            black_box(tokeniser.tokens(*text).len());
        });
    });
    let mut shingles = Vec::new();
    report("tokens, 5-shingles", &mut || {
        for text in &texts {
            shingles.clear();
            fingerprint::shingles(tokeniser.tokens(*text), 5, &mut shingles);
            black_box(&shingles);
        }
    });
    for line in
        ["words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8", "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8"]
    {
        let mut signer = Signer::new(&compile(&line.parse()?)?);
        let mut draft = Draft::default();
        report(line, &mut || {
            for &start in &starts {
                if let Some(text) = text(&bytes, start) {
                    signer.sign(text, &mut draft);
                }
                if draft.tokens.len() == 1000 {
                    draft.clear();
                }
            }
        });
    }
    Ok(())
}

fn timed(work: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Where the text of every line begins, after its opening quote.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let mark = b"\"text\": \"";
    let mut starts = Vec::new();
    let mut line = 0;
    while line < bytes.len() {
        let end = bytes[line..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| line + at);
        starts.extend(bytes[line..end].windows(mark.len()).position(|window| window == mark).map(|at| line + at + mark.len()));
        line = end + 1;
    }
    starts
}

fn text(bytes: &[u8], start: usize) -> Option<Text<'_>> {
    let string = string_end(bytes, start)?;
    let inside = &bytes[start..string.end];
    Some(if string.escaped { Text::Json(inside) } else { Text::Plain(inside) })
}

fn length(text: Text<'_>) -> usize {
    match text {
        Text::Plain(bytes) | Text::Json(bytes) => bytes.len(),
    }
}
