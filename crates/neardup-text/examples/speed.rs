//! Prints how many megabytes a second each step reads, for several kinds of text and every instruction set.
//!
//! `speed` measures generated texts; `speed FILE...` measures the plain texts in these files, one document a line.

use std::hint::black_box;
use std::time::{Duration, Instant};

use neardup_text::simd::Level;
use neardup_text::{Text, Tokeniser, Unit, fingerprint, string_end_on};

/// Size of the generated texts, and of one document in them: about the corpora of the benchmark.
const TOTAL: usize = 8 << 20;
const DOCUMENT: usize = 2000;

fn main() -> std::io::Result<()> {
    println!("{:<26}{:<10}{:>9}{:>9}{:>9}{:>11}{:>9}{:>9}", "MB/s", "", "string", "tokens", "shingles", "bytes/token", "digest", "chars");
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        measure(file, &text.lines().map(str::to_owned).collect::<Vec<_>>(), false);
        measure(&format!("{file} \\u"), &text.lines().map(coded).collect::<Vec<_>>(), true);
    }
    if files.is_empty() {
        let (latin, hangul) = ("abcdefghiklmnoprstuvwy", "가나다라마바사아자차카타파하은는이를에서고지");
        let han = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家";
        let deva = "क ख ग च ज ट ड त थ द न प ब म य र ल व स ह कि की के का को नी में है त्र स्थ प्र";
        let english = documents(latin, 5, " ", "T");
        measure("english", &english, false);
        measure("english \\n", &english.iter().map(|d| d.replace(". ", ".\\n")).collect::<Vec<_>>(), true);
        measure("english, some \\u", &english.iter().map(|d| d.replace(". ", "\\u2019 ")).collect::<Vec<_>>(), true);
        let korean = documents(hangul, 3, " ", "");
        measure("korean", &korean, false);
        measure("korean \\u", &korean.iter().map(|d| coded(d)).collect::<Vec<_>>(), true);
        let chinese = documents(han, 8, "，", "");
        measure("chinese", &chinese, false);
        measure("chinese \\u", &chinese.iter().map(|d| coded(d)).collect::<Vec<_>>(), true);
        measure("hindi", &documents(&deva.replace(' ', ""), 5, " ", ""), false);
        measure("russian", &documents("абвгдежзиклмнопрстуя", 6, " ", "П"), false);
        measure("thai", &documents("กขคงจชดตทนบปพมยรลวสหอะาิีเแโไ่้", 9, " ", ""), false);
    }
    Ok(())
}

/// Documents of random words, `length` letters on average, with a full stop after every dozen.
fn documents(letters: &str, length: u64, space: &str, capital: &str) -> Vec<String> {
    let letters: Vec<char> = letters.chars().collect();
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut all = vec![];
    while all.len() * DOCUMENT < TOTAL {
        let mut text = String::new();
        while text.len() < DOCUMENT {
            if draw(12) == 0 {
                text.push_str(". ");
                text.push_str(capital);
            }
            for _ in 0..1 + draw(2 * length - 1) {
                text.push(letters[draw(letters.len() as u64) as usize]);
            }
            text.push_str(space);
        }
        all.push(text);
    }
    all
}

/// The text as Python writes it into JSON.
fn coded(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_ascii() => out.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}")),
        }
    }
    out
}

fn measure(name: &str, documents: &[String], json: bool) {
    let mut buffer = String::new();
    let places: Vec<(usize, usize)> = documents
        .iter()
        .map(|document| {
            let start = buffer.len();
            buffer.push_str(document);
            buffer.push('"');
            (start, buffer.len() - 1)
        })
        .collect();
    let bytes = buffer.as_bytes();
    let text = |&(start, end): &(usize, usize)| {
        if json { Text::Json(&bytes[start..end]) } else { Text::Plain(&bytes[start..end]) }
    };
    for level in Level::available() {
        let rate = |work: &mut dyn FnMut()| {
            let best = (0..7).map(|_| {
                let begin = Instant::now();
                work();
                begin.elapsed()
            });
            let best = best.min().unwrap_or(Duration::MAX);
            bytes.len() as f64 / best.as_secs_f64() / 1e6
        };
        let ends = rate(&mut || {
            places.iter().for_each(|&(start, _)| {
                black_box(string_end_on(level, bytes, start));
            })
        });
        let mut words = Tokeniser::with_level(Unit::Words, 1, level);
        let mut count = 0;
        let tokens = rate(&mut || count = places.iter().map(|p| words.tokens(text(p)).len()).sum());
        let mut shingles = vec![];
        let both = rate(&mut || {
            for place in &places {
                shingles.clear();
                fingerprint::shingles_on(level, words.tokens(text(place)), 5, &mut shingles);
                black_box(&shingles);
            }
        });
        let digests = rate(&mut || {
            places.iter().for_each(|p| {
                black_box(text(p).digest());
            })
        });
        let mut letters = Tokeniser::with_level(Unit::Chars, 1, level);
        let chars = rate(&mut || {
            places.iter().for_each(|p| {
                black_box(letters.tokens(text(p)));
            })
        });
        let size = bytes.len() as f64 / count as f64;
        println!("{name:<26}{:<10}{ends:>9.0}{tokens:>9.0}{both:>9.0}{size:>11.2}{digests:>9.0}{chars:>9.0}", level.name());
    }
}
