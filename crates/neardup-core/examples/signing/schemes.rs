//! Times whole signing by given schemes.

use crate::texts::Texts;
use crate::{rates, text};
use neardup_core::compile::compile_with;
use neardup_core::scheme::Scheme;
use neardup_core::signing::counting::{CountTotals, Counter, Counting};
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::{Error, Result};
use neardup_text::simd::Level;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Prints the rates at which each scheme signs each kind of text, and counts the lexicon if it needs one.
pub fn measure(all: &[Texts], lines: &[String], rounds: usize) -> Result<()> {
    let schemes = lines.iter().map(|line| line.parse()).collect::<Result<Vec<Scheme>>>()?;
    let mut rows = Vec::new();
    for scheme in &schemes {
        for texts in all {
            let counted = Cell::new(None);
            let pass = compile_with(scheme, &|path| {
                let counting = Counting::of(&scheme.passes()[0])?;
                let lexicon = lexicon(&counting, texts, path);
                counted.set(Some(counting));
                lexicon
            })?;
            let row = |step| Row { texts, scheme, step, seconds: Vec::new() };
            rows.extend(counted.into_inner().map(|counting| row(Step::Count(counting))));
            rows.push(row(Step::Sign(Box::new(Signer::new(&pass)))));
        }
    }
    for _ in 0..rounds {
        rows.iter_mut().for_each(Row::measure);
    }
    println!("{:<26}{:<10}{:>13}  scheme", "MB/s, best/median", "", "");
    rows.iter_mut().for_each(Row::print);
    Ok(())
}

/// A step of a scheme over texts, before documents are compared.
enum Step {
    Count(Counting),
    Sign(Box<Signer>),
}

/// One step of a scheme over one kind of text, with its seconds in each round.
struct Row<'a> {
    texts: &'a Texts,
    scheme: &'a Scheme,
    step: Step,
    seconds: Vec<f64>,
}

impl Row<'_> {
    fn measure(&mut self) {
        let start = Instant::now();
        match &mut self.step {
            Step::Count(counting) => drop(count(counting, self.texts)),
            Step::Sign(signer) => sign(signer, self.texts),
        }
        self.seconds.push(start.elapsed().as_secs_f64());
    }

    fn print(&mut self) {
        let step = if matches!(self.step, Step::Count(_)) { "counting" } else { "signing" };
        println!("{:<26}{step:<10}{:>13}  {}", self.texts.name, rates(self.texts, &mut self.seconds), self.scheme);
    }
}

fn sign(signer: &mut Signer, texts: &Texts) {
    let mut draft = ChunkBuilder::default();
    for &at in &texts.starts {
        signer.sign(text(Level::best(), &texts.bytes, at), &mut draft);
        if draft.tokens.len() == 1000 {
            draft.clear();
        }
    }
}

fn count(counting: &Counting, texts: &Texts) -> CountTotals {
    let (tally, mut counter) = (CountTotals::new(), Counter::new(counting));
    texts.starts.iter().for_each(|&at| counter.count(text(Level::best(), &texts.bytes, at), &tally));
    counter.flush(&tally);
    tally
}

fn lexicon(counting: &Counting, texts: &Texts, path: &Path) -> Result<Arc<Lexicon>> {
    let refuse = |reason| Error::File { what: "lexicon", path: path.to_owned(), reason };
    count(counting, texts).finish(counting).map(Arc::new).map_err(refuse)
}
