//! Times the signing of texts on one core, and each of its steps, on every instruction set of this machine.
//!
//! Usage: `signing [TEXTS ...] [ROUNDS] [SCHEME ...]`. TEXTS are files, whose lines have a `text` member, or names of
//! languages (`English`, `Korean`, `Chinese`, ...), for which random words are generated; by default all languages. If scheme
//! lines are given, whole signing by each of them is timed instead of steps. Numbers are MB of JSON text a second, the best of
//! all rounds and the median. Every round measures everything once - each text, step and instruction set, or each scheme and
//! text - so that a busy machine slows down all of them equally.

mod schemes;
mod steps;
mod texts;

use neardup_text::simd::Level;
use neardup_text::{Text, string_end_on};
use std::time::Instant;
use steps::{STEPS, Steps};
use texts::Texts;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (rounds, others): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.parse::<usize>().is_ok());
    let (lines, names): (Vec<_>, Vec<_>) = others.into_iter().partition(|argument| argument.contains(" | "));
    let rounds = rounds.first().map_or(Ok(15), |rounds| rounds.parse::<usize>())?.max(1);
    let all = if names.is_empty() {
        texts::generated()
    } else {
        names.iter().map(|name| texts::find(name).map_err(|reason| format!("{name}: {reason}"))).collect::<Result<_, _>>()?
    };
    if !lines.is_empty() {
        return Ok(schemes::measure(&all, &lines, rounds)?);
    }
    let mut rows: Vec<Row<'_>> = all.iter().flat_map(|texts| Level::available().into_iter().map(|level| Row::new(texts, level))).collect();
    for _ in 0..rounds {
        rows.iter_mut().for_each(Row::measure);
    }
    print!("{:<26}{:<10}", "MB/s, best/median", "");
    STEPS.iter().for_each(|(name, _)| print!("{name:>14}"));
    println!("\n{}", rows.iter_mut().map(Row::line).collect::<Vec<_>>().join("\n"));
    Ok(())
}

/// One kind of text on one instruction set, with the seconds of each step in each round.
struct Row<'a> {
    texts: &'a Texts,
    level: Level,
    steps: Steps<'a>,
    seconds: [Vec<f64>; STEPS.len()],
}

impl<'a> Row<'a> {
    fn new(texts: &'a Texts, level: Level) -> Self {
        Row { texts, level, steps: Steps::new(texts, level), seconds: Default::default() }
    }

    fn measure(&mut self) {
        for ((_, step), seconds) in STEPS.iter().zip(&mut self.seconds) {
            let start = Instant::now();
            step(&mut self.steps);
            seconds.push(start.elapsed().as_secs_f64());
        }
    }

    fn line(&mut self) -> String {
        let columns: String = self.seconds.iter_mut().map(|seconds| format!("{:>13}", rates(self.texts, seconds))).collect();
        format!("{:<26}{:<10}{columns}", self.texts.name, self.level.name())
    }
}

/// Returns MB a second: the best and the median of all rounds.
fn rates(texts: &Texts, seconds: &mut [f64]) -> String {
    let rate = |seconds: f64| texts.size() as f64 / seconds / 1e6;
    seconds.sort_by(f64::total_cmp);
    format!("{:.0}/{:.0}", rate(seconds[0]), rate(seconds[seconds.len() / 2]))
}

/// Returns the text whose opening quote is right before `start`.
fn text(level: Level, bytes: &[u8], start: usize) -> Text<'_> {
    let string = string_end_on(level, bytes, start).expect("a JSON string");
    let inside = &bytes[start..string.end];
    if string.escaped { Text::Json(inside) } else { Text::Plain(inside) }
}
