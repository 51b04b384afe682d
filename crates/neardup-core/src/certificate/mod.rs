//! Certificates: an estimate of the share of true pairs that a run found, with an interval, from the pairs that it
//! verified.
//!
//! A pair of resemblance J is found by the keys with a known probability P(J) ([`Chance::at`]), so every found pair
//! represents 1 / P true ones (Horvitz, Thompson 1952): found / sum of 1 / P estimates the recall. Documents are drawn by a
//! hash of their ids ([`DocumentDraw`]). Every pair of a drawn document that the run's keys propose is verified. The
//! sightings are summed ([`PairLosses`]), and the interval follows from the variance of the sums ([`interval`]).
//!
//! The drawing works in the same way for all verbs, so `dedup` and `pairs` report the same figure. Weights keep large
//! families cheap. The estimate adds two jackknifes: one over bands, component by component, and one over the drawn
//! documents. To leave out one component at a time instead of one band would not do: if pairs are alike in all components,
//! or there is one large family, that would show no variance. The probability of a pair is defined once, in
//! `keys::promise`.

mod document_draw;
mod interval;
mod losses;

pub use document_draw::{DocumentDraw, DrawnCandidate, SampledPair, SharedBands};
pub use losses::PairLosses;

use crate::keys::promise::{BandGrid, Chance, Promise};
use crate::scheme::{Pass, Scheme};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The basis of a scheme's certificate.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Every pair is found, whatever the documents.
    Proven,
    /// Pairs are found by bands. A pair must share one of them.
    Bands {
        /// Number of bands, and of slots per band.
        grid: BandGrid,
        /// Probability of a pair that just meets the measure. No other pair has a lower one.
        least: f64,
    },
    /// Every pair that meets the measure is found, but the measure uses something in which similar texts may differ; see
    /// [`Pass::judges_by`].
    Own(&'static str),
    /// There is no certificate, for this reason.
    Nothing(&'static str),
}

impl Basis {
    /// Returns the basis of a scheme without `auto` arguments, if no key is above its cap.
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
                Chance::Minima { .. } => Basis::Nothing("for minima only a lower bound of the probability is known"),
            },
        }
    }
}

/// The documents with which a document is compared for a capped key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapMeetings {
    /// The first document that contains it.
    First,
    /// The first kept documents that contain it, at most as many as the cap.
    Kept,
    /// No document.
    Nobody,
    /// Some of the documents that contain it, by one rule or another.
    Some,
}

impl fmt::Display for CapMeetings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            CapMeetings::First => "are compared with the first of them only",
            CapMeetings::Kept => "are compared with the first kept ones only, at most as many as the cap",
            CapMeetings::Nobody => "are not compared for it",
            CapMeetings::Some => "are not all compared",
        })
    }
}

/// Factor for rounding to the reported decimals. More of them would be noise.
const DIGITS: f64 = 1e6;

/// The estimated recall of a run. Its floats are for display only; no decision uses them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Estimated share of the true pairs that were found. `None` if it is not known.
    pub recall: Option<f64>,
    /// Lower end of its 95 % interval, rounded down.
    pub low: Option<f64>,
    /// Upper end of the interval, rounded up.
    pub high: Option<f64>,
    /// Whether every pair is found, so that nothing depends on chance or on a cap.
    pub proven: bool,
    /// What the scheme judges by, if every pair that meets it is found and similar texts may differ in it.
    pub judges_by: Option<String>,
    /// Reason why there is no estimate.
    pub reason: Option<String>,
    /// Description of the pairs that are counted.
    pub pairs: String,
    /// Number of documents that share a key with another.
    pub documents: u64,
    /// Number of these documents that were drawn.
    pub drawn: u64,
    /// Number of verified pairs of drawn documents, each counted once.
    pub seen: u64,
    /// Number of pairs that were found: counted if all documents were drawn, otherwise estimated.
    pub found: f64,
    /// Estimated number of pairs that were missed.
    pub missed: f64,
    /// Number of found pairs that share exactly one band.
    pub alone: f64,
    /// Expected value of `alone`.
    pub alone_expected: f64,
    /// Number of capped keys. Pairs that meet by such keys alone are not counted.
    pub capped: u64,
    /// All of this in a sentence, without its full stop.
    pub says: String,
}

impl Certificate {
    /// Creates a certificate without an estimate. `pairs` describes the pairs that would be counted.
    pub fn without(reason: &str, pairs: String) -> Certificate {
        Certificate { reason: Some(reason.to_owned()), pairs, ..Certificate::default() }
    }

    /// Creates the certificate of exact keys, of which `keys` are capped and do not propose all their pairs.
    pub fn bounded(keys: usize, meets: CapMeetings, pairs: String) -> Certificate {
        let are = if keys == 1 { "key is" } else { "keys are" };
        let reason = format!(
            "{} {are} above the cap, and documents that share such a key {meets}; every pair that meets by another key is found",
            grouped(keys as f64)
        );
        Certificate::without(&reason, pairs)
    }

    /// Returns the same certificate with its sentence, which mentions capped keys. `starred` is the number of other keys of
    /// very many documents, for which only pairs with the first document are listed.
    pub fn with_capped(self, capped: usize, starred: usize) -> Certificate {
        let mut certificate = Certificate { capped: capped as u64, ..self };
        certificate.says = certificate.to_string();
        if starred > 0 && certificate.recall.is_some() {
            let families = if starred == 1 { "family" } else { "families" };
            certificate.says += &format!("; of {} large {families} only pairs with the first document are listed", grouped(starred as f64));
        }
        certificate
    }

    /// Creates the certificate that every pair is found, if no key is capped.
    pub fn proven(pairs: String) -> Certificate {
        Certificate { recall: Some(1.0), low: Some(1.0), high: Some(1.0), proven: true, pairs, ..Certificate::default() }
    }

    /// Creates the certificate that every pair that meets the measure is found, although the measure uses something in
    /// which similar texts may differ.
    pub fn of_own_test(judges_by: &str, pairs: String) -> Certificate {
        let reason =
            format!("the scheme judges by {judges_by}: all {pairs} are found; how many similar texts fail this test is not measured");
        Certificate { judges_by: Some(judges_by.to_owned()), ..Certificate::without(&reason, pairs) }
    }

    /// Estimates the recall from `sightings`, for keys that find a pair by `grid`. `least` is the probability of a pair at
    /// the threshold.
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
                // The ends are rounded outward again, so that the printed interval contains the exact one.
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

/// Formats a number without decimals, its digits in groups of three.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let threes: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|three| std::str::from_utf8(three).ok()).collect();
    threes.join(",")
}
