//! Choosing: the default scheme, and what `auto` represents.

use super::Scheme;
use super::entry::KeyTarget;
use super::options::SchemeOptions;
use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::error::{Error, Result};
use crate::keys::promise::{MOST_SLOTS, RecallPromise};
use crate::util::ratio::Ratio;

impl Scheme {
    /// The default scheme: word 5-shingles, keys that keep `recall` at `threshold`, verified by exact resemblance.
    ///
    /// A promise is kept by the bands of [`crate::keys::promise::BandGrid::promised`]; all pairs are found by prefix keys. Every choice is
    /// filled in: `words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8` for 0.8 and 0.99.
    ///
    /// # Errors
    /// [`Error::Number`] for a threshold outside (0, 1] or a recall outside (0, 1); [`Error::Promise`] when no bands
    /// keep the promise.
    pub fn plan(threshold: &Ratio, recall: &RecallPromise) -> Result<Scheme> {
        if *threshold == Ratio::ZERO || *threshold > Ratio::ONE {
            return Err(Error::Number {
                written: threshold.to_string(),
                allowed: "a threshold: write a number above 0, at most 1, as 0.8",
            });
        }
        let way = match recall {
            RecallPromise::Promise(_) => "minhash:auto | bands:auto",
            RecallPromise::Exact => "whole | prefix:auto",
        };
        let scheme: Scheme = format!("words | shingles:5 | {way} | resemblance>={threshold}").parse()?;
        scheme.resolve(recall)
    }

    /// The same scheme with every `auto` filled in from the measure's resemblance threshold and `recall`.
    ///
    /// `bands:auto` becomes the grid of [`crate::keys::promise::BandGrid::promised`] within the signature's slots, `minhash:auto` the slots
    /// that the bands take, `prefix:auto` the threshold, and the plan of `blocks` that of [`crate::keys::BlockCost::choose`] for
    /// 10,000,000 documents. Where all pairs are wanted, `minhash:auto | bands:auto` becomes `whole | prefix:auto`. A scheme
    /// without `auto` comes back as it is.
    ///
    /// # Errors
    /// [`Error::Promise`] when there is no resemblance threshold to choose by, when the keys cannot keep the promise,
    /// or when bands are asked to find all pairs.
    pub fn resolve(&self, recall: &RecallPromise) -> Result<Scheme> {
        let all = |pass: &Pass| if *recall == RecallPromise::Exact { finding_all(pass) } else { None };
        let passes = self.passes.iter().map(|pass| resolve(all(pass).as_ref().unwrap_or(pass), recall)).collect::<Result<_>>()?;
        // Read again, so that what was filled in is checked like what is written.
        Scheme { passes }.to_string().parse()
    }
}

/// The pass with keys that find all pairs in the place of bands, where nothing but `auto` is said of these, and the measure can be
/// asked so.
fn finding_all(pass: &Pass) -> Option<Pass> {
    let is_open = |stage: &Stage, name: &str| stage.name() == name && stage.is_auto() && stage.options() == &SchemeOptions::default();
    match (&pass.signatures[..], &pass.keys[..]) {
        ([signature], [keys]) if is_open(signature, "minhash") && is_open(keys, "bands") => {
            let line = format!("{} | {} | whole | prefix:auto | {}", pass.tokens, pass.features, pass.condition());
            line.parse::<Scheme>().ok()?.resolve(&RecallPromise::Exact).ok()?.passes.pop()
        }
        _ => None,
    }
}

fn resolve(pass: &Pass, recall: &RecallPromise) -> Result<Pass> {
    let mut resolved = pass.clone();
    let slots = match pass.signature().args() {
        &[Argument::Count(slots)] => slots,
        _ => MOST_SLOTS,
    };
    for (keys, written) in resolved.keys.iter_mut().zip(&pass.keys).filter(|(_, written)| written.is_auto()) {
        let argument = (written.entry.key_facts.choose)(&KeyTarget { pass, recall, slots, keys: written })?;
        keys.args.iter_mut().filter(|auto| **auto == Argument::Auto).for_each(|auto| *auto = argument);
    }
    if pass.signature().is_auto() {
        let grids =
            resolved.keys.iter().filter_map(|keys| if let [Argument::Grid(grid)] = keys.args() { Some(grid.slots()) } else { None });
        let slots = grids.max().map_or(Argument::Auto, Argument::Count);
        resolved.signatures[0].args = vec![slots];
    }
    Ok(resolved)
}
