//! The default scheme, and the values of `auto`.

use super::Scheme;
use super::entry::KeyTarget;
use super::options::SchemeOptions;
use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::error::{Error, Result};
use crate::keys::promise::{MOST_SLOTS, RecallPromise};
use crate::util::ratio::Ratio;

impl Scheme {
    /// Returns the default scheme: word 5-shingles, keys that keep `recall` at `threshold`, verified by exact resemblance.
    ///
    /// The bands of [`crate::keys::promise::BandGrid::promised`] keep a promise; prefix keys find all pairs. Every
    /// `auto` is filled in: `words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8` for 0.8 and 0.99. At the threshold 1,
    /// signs are tokens too.
    ///
    /// # Errors
    /// [`Error::Number`] for a threshold outside (0, 1] or a recall outside (0, 1); [`Error::Promise`] if no bands keep
    /// the promise.
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
        // At 1 only equal texts are found, and texts that differ in a sign are not equal.
        let signs = if *threshold == Ratio::ONE { " signs=keep" } else { "" };
        let scheme: Scheme = format!("words{signs} | shingles:5 | {way} | resemblance>={threshold}").parse()?;
        scheme.resolve(recall)
    }

    /// Returns the same scheme with every `auto` filled in from the resemblance threshold of the measure and `recall`.
    ///
    /// `bands:auto` becomes the grid of [`crate::keys::promise::BandGrid::promised`] within the slots of the signature,
    /// and `minhash:auto` the slots of the bands. `prefix:auto` becomes the threshold, and the plan of `blocks` that of
    /// [`crate::keys::BlockCost::choose`] for 10,000,000 documents. If all pairs are required, `minhash:auto |
    /// bands:auto` becomes `whole | prefix:auto`. A scheme without `auto` does not change.
    ///
    /// # Errors
    /// [`Error::Promise`] if there is no resemblance threshold, if the keys cannot keep the promise, or if bands would
    /// have to find all pairs.
    pub fn resolve(&self, recall: &RecallPromise) -> Result<Scheme> {
        let all = |pass: &Pass| if *recall == RecallPromise::Exact { finding_all(pass) } else { None };
        let passes = self.passes.iter().map(|pass| resolve(all(pass).as_ref().unwrap_or(pass), recall)).collect::<Result<_>>()?;
        // Parsed again, so that the filled-in values pass the same checks as written ones.
        Scheme { passes }.to_string().parse()
    }
}

/// Returns the pass with keys that find all pairs instead of bands. `None` if its signature and keys are not just
/// `minhash:auto` and `bands:auto`, or if the measure does not allow such keys.
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
