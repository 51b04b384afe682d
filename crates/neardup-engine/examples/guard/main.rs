//! Runs one case of fixed work, whose instructions `bench/guard.py` counts: `guard CASE` in an empty folder.
//! Without CASE it prints the names of all cases.
//!
//! callgrind counts inside [`measured`] and inside threads that are started there, so making inputs does not count. The
//! output is the instruction set and a digest of the result: a different digest means different work.

mod arranging;
mod index;
mod reading;
mod signing;
mod texts;

use neardup_text::simd::Level;
use std::error::Error;
use std::hint::black_box;

/// The default scheme: a resemblance of 0.8 with a recall of 0.99.
const SCHEME: &str = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8";

type Done<T> = Result<T, Box<dyn Error>>;
/// Makes its input, does its work in [`measured`], and returns a digest of the result.
type Case = fn() -> Done<u64>;

const CASES: [(&str, Case); 9] = [
    ("sign-english", || signing::sign(&texts::ENGLISH)),
    ("sign-korean", || signing::sign(&texts::KOREAN)),
    ("sign-chinese", || signing::sign(&texts::CHINESE)),
    ("arrange", arranging::arrange),
    ("lead", arranging::lead),
    ("read-jsonl", reading::jsonl),
    ("read-parquet", reading::parquet),
    ("query", index::query),
    ("admit", index::admit),
];

fn main() -> Done<()> {
    let Some(name) = std::env::args().nth(1) else {
        CASES.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    };
    let (_, case) = CASES.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("no case `{name}`"))?;
    // The pool consists of this thread: no work moves to a thread that callgrind does not count.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    println!("{} {:016x}", Level::best().name(), case()?);
    Ok(())
}

/// Runs the counted work. callgrind finds this function by its name.
#[inline(never)]
fn measured<T>(work: &mut dyn FnMut() -> Done<T>) -> Done<T> {
    let result = work();
    // This prevents a tail call, which callgrind would take for the end of this function.
    black_box(&result);
    result
}

/// A digest of numbers that depends on their order.
#[derive(Default)]
struct Digest(u64);

impl Digest {
    fn add(&mut self, number: impl Into<u128>) {
        let number = number.into();
        for half in [number as u64, (number >> 64) as u64] {
            self.0 = (self.0.rotate_left(23) ^ half).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        bytes.iter().for_each(|&byte| self.add(byte));
    }
}
