//! Certificates: how many of the true pairs a run found, with an interval, from the pairs it verified.
//!
//! A pair of resemblance J is found by the keys with a known chance P(J) ([`Chance::at`]), so every found pair represents 1 / P
//! true ones (Horvitz, Thompson 1952): found / sum of 1 / P estimates the recall. Documents are drawn by a hash of their ids
//! ([`DocumentDraw`]), every pair of a drawn document that the run's keys propose is verified, and what was seen is summed up
//! ([`PairLosses`]) and compared with what chance may do ([`interval`]).
//!
//! The drawing works for all verbs in the same way, so `dedup` and `pairs` report the same figure. Weights keep large families
//! cheap. The estimate adds two jackknifes: one over bands, component by component, and one over the drawn documents. One
//! component alone would not do, because pairs that are alike in all components would show no variance. The chance of a pair
//! has its one definition in `keys::promise`.

mod document_draw;
mod interval;
mod losses;

pub use document_draw::{DocumentDraw, DrawnCandidate, SampledPair, SharedBands};
pub use losses::PairLosses;

use crate::keys::promise::{BandGrid, Chance, Promise};
use crate::scheme::{Pass, Scheme};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a certificate of a scheme rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Every pair is found, whatever the documents.
    Proven,
    /// Every pair is found by bands, of which it must share one.
    Bands {
        /// How many, and of how many slots.
        grid: BandGrid,
        /// The chance of a pair that just meets the measure: that of no other is less.
        least: f64,
    },
    /// Every pair is found that meets the measure, which judges by what of alike texts may differ; see [`Pass::judges_by`].
    Own(&'static str),
    /// There is none, and why.
    Nothing(&'static str),
}

impl Basis {
    /// That of a scheme, once no argument is `auto`, where no key is above its cap.
    pub fn of(scheme: &Scheme) -> Basis {
        match scheme.passes() {
            [pass] => Basis::of_pass(pass),
            passes if passes.iter().all(|pass| pass.promise_below_caps() == Promise::Exact) => {
                passes.iter().find_map(Pass::judges_by).map_or(Basis::Proven, Basis::Own)
            }
            _ => Basis::Nothing("a pair is found by one of several passes, and a later one sees only what those before it keep"),
        }
    }

    fn of_pass(pass: &Pass) -> Basis {
        match pass.promise_below_caps() {
            Promise::Exact => pass.judges_by().map_or(Basis::Proven, Basis::Own),
            Promise::Sharing => Basis::Nothing("pairs that share no feature are not proposed"),
            Promise::Estimated => Basis::Nothing("pairs are decided by the samples that propose them"),
            Promise::Nothing(reason) => Basis::Nothing(reason),
            Promise::Chance { .. } if pass.floor("resemblance").is_none() => {
                Basis::Nothing("pairs are decided by the signature that proposes them")
            }
            Promise::Chance { .. } if pass.keys().len() > 1 => {
                Basis::Nothing("several kinds of keys are cut from one signature, and their common chance is not known")
            }
            Promise::Chance { keys, threshold } => match keys {
                Chance::Bands { grid, least: 1 } => match keys.at(threshold.approximate()) {
                    1.0.. => Basis::Proven,
                    _ if grid.bands == 1 => Basis::Nothing("there is one band, and the spread of chance is estimated by comparing bands"),
                    least => Basis::Bands { grid, least },
                },
                Chance::Bands { .. } => Basis::Nothing("the keys are choices of several bands, which a certificate does not count"),
                Chance::Minima { .. } => Basis::Nothing("of minima only the least chance is known"),
            },
        }
    }
}

/// Which documents a document meets by a key above the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapMeetings {
    /// The first document that holds it.
    First,
    /// The first kept ones that hold it, as many as the cap.
    Kept,
    /// None.
    Nobody,
    /// Some of those that hold it, by one rule or another.
    Some,
}

impl fmt::Display for CapMeetings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            CapMeetings::First => "the first alone of those that hold it",
            CapMeetings::Kept => "the first kept ones alone of those that hold it, as many as the cap",
            CapMeetings::Nobody => "nobody",
            CapMeetings::Some => "not all of those that hold it",
        })
    }
}

/// Decimals that are reported; more would be noise.
const DIGITS: f64 = 1e6;

/// The estimated recall of a run. Its floats are for display: they decide nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The estimated share of the true pairs that were found; None where it is not known.
    pub recall: Option<f64>,
    /// The lower end of its 95 % interval, rounded down.
    pub low: Option<f64>,
    /// The upper end, rounded up.
    pub high: Option<f64>,
    /// Whether nothing is left to chance or to a cap: every pair is found.
    pub proven: bool,
    /// What the scheme judges by where every pair that meets it is found, and alike texts may differ in it.
    pub judges_by: Option<String>,
    /// Why there is no estimate.
    pub reason: Option<String>,
    /// What is counted.
    pub pairs: String,
    /// Documents that share a key with another.
    pub documents: u64,
    /// How many of them were drawn.
    pub drawn: u64,
    /// Verified pairs of drawn documents, each once.
    pub seen: u64,
    /// How many pairs were found: counted where all documents were drawn, else estimated.
    pub found: f64,
    /// How many were not, as estimated.
    pub missed: f64,
    /// Found pairs that share one band and no other.
    pub alone: f64,
    /// As many were to be expected by chance.
    pub alone_expected: f64,
    /// Keys above the cap: pairs that meet by such keys alone are not counted.
    pub capped: u64,
    /// All this in a sentence, without its full stop.
    pub says: String,
}

impl Certificate {
    /// One without an estimate; `pairs` says what would be counted.
    pub fn without(reason: &str, pairs: String) -> Certificate {
        Certificate { reason: Some(reason.to_owned()), pairs, ..Certificate::default() }
    }

    /// One of keys that miss nothing, of which this many are above the cap and do not propose all their pairs.
    pub fn bounded(keys: usize, meets: CapMeetings, pairs: String) -> Certificate {
        let are = if keys == 1 { "key is" } else { "keys are" };
        let reason = format!(
            "{} {are} above the cap, and by such a key a document meets {meets}; every pair that meets by another key is found",
            grouped(keys as f64)
        );
        Certificate::without(&reason, pairs)
    }

    /// The same with a sentence on the number of keys above the cap; of `starred` others that very many documents hold
    /// pairs with the first of them alone are listed.
    pub fn told(self, capped: usize, starred: usize) -> Certificate {
        let mut certificate = Certificate { capped: capped as u64, ..self };
        certificate.says = certificate.to_string();
        if starred > 0 && certificate.recall.is_some() {
            let families = if starred == 1 { "family" } else { "families" };
            certificate.says += &format!("; of {} large {families} pairs with the first alone are listed", grouped(starred as f64));
        }
        certificate
    }

    /// That every pair is found, where no key is above the cap.
    pub fn proven(pairs: String) -> Certificate {
        Certificate { recall: Some(1.0), low: Some(1.0), high: Some(1.0), proven: true, pairs, ..Certificate::default() }
    }

    /// That every pair is found which meets the measure, where that judges by what of alike texts may differ.
    pub fn of_own_test(judges_by: &str, pairs: String) -> Certificate {
        let reason =
            format!("the scheme judges by {judges_by}: all {pairs} are found, and how many alike texts do not meet that is not measured");
        Certificate { judges_by: Some(judges_by.to_owned()), ..Certificate::without(&reason, pairs) }
    }

    /// What `sightings` say of keys that find a pair by `grid`, one at the threshold with the chance `least`.
    pub fn estimate(
        mut sightings: Vec<SampledPair>,
        drawing: &DocumentDraw,
        drawn: u64,
        grid: BandGrid,
        least: f64,
        pairs: String,
    ) -> Certificate {
        sightings.sort_unstable();
        let losses = PairLosses::of(&sightings, grid, drawing);
        let all = |drawn: f64| (drawn / drawing.share() * DIGITS).round() / DIGITS;
        let known = Certificate {
            pairs,
            documents: drawing.candidates,
            drawn,
            seen: losses.pairs,
            found: all(losses.found),
            missed: all(losses.missed),
            alone: all(losses.alone),
            alone_expected: all(losses.alone_expected),
            ..Certificate::default()
        };
        if losses.pairs == 0 {
            let among = if drawing.share() < 1.0 { " among the drawn documents" } else { "" };
            let reason = format!("no pair of different texts was found{among}, and only found pairs allow an estimate");
            return Certificate { reason: Some(reason), ..known };
        }
        let (low, high) = interval::recall(&losses, least);
        let recall = losses.found / (losses.found + losses.missed);
        Certificate {
            recall: Some((recall * DIGITS).round() / DIGITS),
            low: Some((low.min(recall) * DIGITS).floor() / DIGITS),
            high: Some((high.max(recall) * DIGITS).ceil() / DIGITS),
            ..known
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.recall, self.low, self.high) {
            _ if self.proven => write!(out, "1, proven: all {} are found", self.pairs)?,
            (Some(recall), Some(low), Some(high)) => {
                // The ends are rounded outward again, so that what is read holds what was meant.
                let (low, high) = ((low * 1e4).floor() / 1e4, (high * 1e4).ceil() / 1e4);
                let missed = if self.missed < 10.0 { format!("{:.1}", self.missed) } else { grouped(self.missed) };
                let all = grouped(self.found + self.missed);
                write!(out, "{recall:.4}, 95 % interval {low:.4} to {high:.4}: about {missed} of {all} {} missed", self.pairs)?;
            }
            _ => write!(out, "not known: {}", self.reason.as_deref().unwrap_or_default())?,
        }
        if self.capped > 0 && self.recall.is_some() {
            out.write_str("; pairs that meet by capped keys alone are not counted")?;
        }
        Ok(())
    }
}

/// A number without decimals, its digits in threes.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let threes: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|three| std::str::from_utf8(three).ok()).collect();
    threes.join(",")
}
