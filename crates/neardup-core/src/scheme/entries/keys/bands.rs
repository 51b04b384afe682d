//! `bands:BxR`.

use crate::error::Result;
use crate::keys::promise::{BandGrid, RecallPromise};
use crate::keys::{Bands, Keys, choices};
use crate::scheme::entry::{ArgumentForm, Entry, KeyTarget, MOST_SLOTS};
use crate::scheme::facts::KeyFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

/// The most keys of a document.
const MOST_CHOICES: u64 = 1 << 16;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Grid],
    options: &["match", "cap", "over"],
    check,
    key_facts: KeyFacts {
        choose,
        make: |stage, _, _| {
            let &[Argument::Grid(grid)] = stage.args() else { return None };
            let least = stage.options().matches() as usize;
            Some(Keys::Bands(Bands { bands: grid.bands as usize, rows: grid.rows as usize, least }))
        },
        ..KeyFacts::NONE
    },
    meaning: "B keys of R slots each; two documents of resemblance s share one with probability 1-(1-s^R)^B",
    paper: "Broder 2000; Leskovec, Rajaraman, Ullman, Mining of Massive Datasets 3.4",
    ..Entry::new("bands")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let &[Argument::Grid(grid)] = stage.args() else {
        return Ok(());
    };
    let slots = grid.slots();
    if let &[Argument::Count(k)] = pass.signature().args()
        && slots > k
    {
        return Err(format!("{grid} bands take {slots} slots, minhash:{k} has {k}: fewer bands or rows, or minhash:{slots}"));
    }
    // With `auto`, the signature grows with the bands, up to the most slots of minhash.
    if slots > MOST_SLOTS {
        return Err(format!("{grid} bands take {slots} slots, minhash has at most {MOST_SLOTS}"));
    }
    let matches = stage.options().matches();
    if matches > grid.bands {
        return Err(format!("match={matches} can never be met by {} bands", grid.bands));
    }
    if choices(grid.bands, matches).is_none_or(|choices| choices > MOST_CHOICES) {
        return Err(format!("every choice of {matches} of {} bands is a key, and a document has at most {MOST_CHOICES}", grid.bands));
    }
    Ok(())
}

fn choose(wanted: &KeyTarget) -> Result<Argument> {
    let threshold = wanted.threshold()?;
    match wanted.recall {
        RecallPromise::Exact => {
            Err(wanted.refuse("bands find pairs by chance, never surely all: write `whole | prefix:auto`, or the bands as BxR"))
        }
        RecallPromise::Promise(_) if wanted.keys.options().matches() > 1 => {
            Err(wanted.refuse("auto is for match=1: write the bands as BxR"))
        }
        RecallPromise::Promise(recall) => BandGrid::promised(&threshold, recall, wanted.slots).map(Argument::Grid),
    }
}
