//! Whole signing by schemes that were asked for.

use crate::texts::Texts;
use crate::{rates, text};
use neardup_core::compile::compile_with;
use neardup_core::counting::{Counter, Counting, Tally};
use neardup_core::scheme::Scheme;
use neardup_core::segment::Draft;
use neardup_core::signer::Signer;
use neardup_core::{Error, Result};
use neardup_text::simd::Level;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Prints how fast each scheme signs each kind of text; a lexicon that it needs is counted first.
pub fn measure(all: &[Texts], lines: &[String], rounds: usize) -> Result<()> {
    println!("{:<26}{:>13}  scheme", "MB/s, best/median", "signing");
    for line in lines {
        let scheme: Scheme = line.parse()?;
        for texts in all {
            let mut signer = Signer::new(&compile_with(&scheme, &|path| count(&scheme, texts, path))?);
            let mut seconds: Vec<f64> = (0..rounds).map(|_| sign(&mut signer, texts)).collect();
            println!("{:<26}{:>13}  {scheme}", texts.name, rates(texts, &mut seconds));
        }
    }
    Ok(())
}

fn sign(signer: &mut Signer, texts: &Texts) -> f64 {
    let (mut draft, start) = (Draft::default(), Instant::now());
    for &at in &texts.starts {
        signer.sign(text(Level::best(), &texts.bytes, at), &mut draft);
        if draft.tokens.len() == 1000 {
            draft.clear();
        }
    }
    start.elapsed().as_secs_f64()
}

fn count(scheme: &Scheme, texts: &Texts, path: &Path) -> Result<Arc<neardup_core::lexicon::Lexicon>> {
    let (counting, tally) = (Counting::of(&scheme.passes()[0])?, Tally::new());
    let (mut counter, start) = (Counter::new(&counting), Instant::now());
    texts.starts.iter().for_each(|&at| counter.count(text(Level::best(), &texts.bytes, at), &tally));
    counter.flush(&tally);
    println!("{:<26}{:>13}  counting", texts.name, rates(texts, &mut [start.elapsed().as_secs_f64()]));
    let refuse = |reason| Error::File { what: "lexicon", path: path.to_owned(), reason };
    tally.finish(&counting).map(Arc::new).map_err(refuse)
}
