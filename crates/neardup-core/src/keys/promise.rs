//! Promises: the share of true pairs that the keys of a pass find, and the bands that keep a promise.

use crate::error::{Error, Result};
use crate::util::ratio::Ratio;
use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;

/// Maximum number of MinHash slots of bands that are chosen from a promise.
pub const MOST_SLOTS: u64 = 128;

/// The share of true pairs that must be found at the threshold.
///
/// Parsed from `exact`, or from a number above 0 and below 1. The default is 0.99.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecallPromise {
    /// Each pair at the threshold is found with this probability, and each pair above it with a greater one.
    Promise(Ratio),
    /// Every pair is found.
    Exact,
}

impl Default for RecallPromise {
    fn default() -> RecallPromise {
        RecallPromise::Promise(Ratio { numerator: 99, denominator: 100 })
    }
}

impl FromStr for RecallPromise {
    type Err = Error;

    fn from_str(text: &str) -> Result<RecallPromise> {
        let promise = || Ratio::parse(text).filter(between).map(RecallPromise::Promise);
        let recall = if text == "exact" { Some(RecallPromise::Exact) } else { promise() };
        recall.ok_or_else(|| Error::Number { written: text.to_owned(), allowed: RECALLS })
    }
}

const RECALLS: &str = "a recall: write a number above 0 and below 1, as 0.99, or `exact` for all pairs";

fn between(recall: &Ratio) -> bool {
    *recall > Ratio::ZERO && *recall < Ratio::ONE
}

impl fmt::Display for RecallPromise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecallPromise::Promise(ratio) => ratio.fmt(out),
            RecallPromise::Exact => out.write_str("exact"),
        }
    }
}

/// b bands of r rows each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandGrid {
    /// b, the number of keys.
    pub bands: u64,
    /// r, the MinHash slots in a key.
    pub rows: u64,
}

impl BandGrid {
    /// Returns b * r, the number of MinHash slots in use.
    pub fn slots(&self) -> u64 {
        self.bands.saturating_mul(self.rows)
    }

    /// Returns the grid with the most rows, and thus the fewest chance candidates, that keeps the promise: it finds a pair
    /// of resemblance `threshold` with probability `recall` or more, and takes at most `slots` MinHash slots, never more
    /// than 128.
    ///
    /// This is the largest r for which b = ceil(ln(1 - R) / ln(1 - tau^r)) has b * r <= slots. It is decided in whole
    /// numbers: b is the least for which (1 - tau^r)^b <= 1 - R, with both sides multiplied by their denominators.
    ///
    /// # Errors
    /// [`Error::Number`] for a threshold outside (0, 1] or a recall outside (0, 1); [`Error::Promise`] when no grid fits.
    ///
    /// Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4: P = 1 - (1 - s^r)^b.
    pub fn promised(threshold: &Ratio, recall: &Ratio, slots: u64) -> Result<BandGrid> {
        if *threshold == Ratio::ZERO || *threshold > Ratio::ONE {
            return Err(Error::Number {
                written: threshold.to_string(),
                allowed: "a threshold: write a number above 0, at most 1, as 0.8",
            });
        }
        if !between(recall) {
            return Err(Error::Number { written: recall.to_string(), allowed: RECALLS });
        }
        let (threshold, recall, slots) = (threshold.reduced(), recall.reduced(), slots.min(MOST_SLOTS));
        let keeps = |grid: &BandGrid| keeps(grid, &threshold, &recall);
        let tallest = (1..=slots).rev().find(|&rows| keeps(&BandGrid { bands: slots / rows, rows }));
        let least = tallest.and_then(|rows| (1..=slots / rows).map(|bands| BandGrid { bands, rows }).find(keeps));
        least.ok_or_else(|| Error::Promise {
            threshold: threshold.to_string(),
            recall: recall.to_string(),
            reason: format!(
                "no bands of at most {slots} MinHash slots keep this promise; ask for a higher threshold or a lower recall, or take `exact`, which finds all pairs"
            ),
        })
    }
}

impl fmt::Display for BandGrid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.bands, self.rows)
    }
}

/// Whether (1 - (p/q)^r)^b <= 1 - m/n, computed as (q^r - p^r)^b * n <= (n - m) * q^(r*b). At most 8,256 bits with 128
/// slots.
fn keeps(grid: &BandGrid, threshold: &Ratio, recall: &Ratio) -> bool {
    let (bands, rows) = (grid.bands as u32, grid.rows as u32);
    let whole = BigUint::from(threshold.denominator).pow(rows);
    let missed = (&whole - BigUint::from(threshold.numerator).pow(rows)).pow(bands);
    missed * recall.denominator <= whole.pow(bands) * (recall.denominator - recall.numerator)
}

/// Keys that find a pair with a probability that grows with its resemblance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Bands of MinHash slots.
    Bands {
        /// Number of bands, and of slots per band.
        grid: BandGrid,
        /// Number of bands that a pair must share.
        least: u64,
    },
    /// A sample of smallest features. A pair must share one of them.
    Minima {
        /// s, the number of features in a sample.
        size: u64,
    },
}

impl Chance {
    /// Returns the share of pairs of resemblance `s` that have the required keys in common; for minima, a lower bound. `s`
    /// is clamped to 0..=1. For display only.
    ///
    /// Bands: the tail of a binomial distribution. With p = s^r, it is the sum of C(b, i) p^i (1-p)^(b-i) over i >=
    /// `least`. For one band that is 1 - (1 - s^r)^b (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4;
    /// Fetterly, Manasse, Najork 2003: 2 of 6 bands of 14 rows). Minima: each of the s minima of the union is shared with
    /// probability r, so at least one is shared with probability 1 - (1 - r)^s.
    pub fn at(&self, s: f64) -> f64 {
        match *self {
            Chance::Bands { grid, least } => tail(least, grid.bands, s.clamp(0.0, 1.0).powf(grid.rows as f64)),
            Chance::Minima { size } => tail(1, size, s.clamp(0.0, 1.0)),
        }
    }

    /// Returns (s, [`Chance::at`] s) for `points` values of s from 0 to 1, at least two.
    pub fn curve(&self, points: usize) -> Vec<(f64, f64)> {
        let last = points.max(2) - 1;
        (0..=last).map(|point| point as f64 / last as f64).map(|s| (s, self.at(s))).collect()
    }
}

/// Returns the probability that `least` or more of `n` trials succeed, each with probability `p`.
fn tail(least: u64, n: u64, p: f64) -> f64 {
    if p >= 1.0 {
        return if least <= n { 1.0 } else { 0.0 };
    }
    let mut term = (1.0 - p).powf(n as f64);
    let mut below = 0.0;
    for i in 0..least.min(n + 1) {
        below += term;
        term *= (n - i.min(n)) as f64 / (i + 1) as f64 * (p / (1.0 - p));
    }
    (1.0 - below).clamp(0.0, 1.0)
}

/// The promise of a pass about the pairs that its measure would accept.
#[derive(Clone, Debug, PartialEq)]
pub enum Promise {
    /// All pairs are found.
    Exact,
    /// All pairs that share a feature are found. The measure accepts others, too.
    Sharing,
    /// Pairs at the threshold are found with the probability of the keys, and pairs above it with a greater one.
    Chance {
        /// Keys that find the most pairs.
        keys: Chance,
        /// Lowest resemblance of an accepted pair.
        threshold: Ratio,
    },
    /// All pairs whose samples meet an estimate are found.
    Estimated,
    /// Nothing is promised, for this reason.
    Nothing(&'static str),
}

impl Promise {
    /// Returns the promise of a run as text. `is_capped` is whether keys of the run are capped.
    pub fn of_run(&self, is_capped: bool) -> String {
        let but = if is_capped && !matches!(self, Promise::Nothing(_)) { ", except for pairs that only capped keys propose" } else { "" };
        format!("{self}{but}")
    }

    /// Returns a value by which promises are compared; larger is better. It is a probability, or outside 0..=1 for a
    /// promise without one.
    pub(crate) fn worth(&self) -> f64 {
        match self {
            Promise::Exact => 4.0,
            Promise::Sharing => 3.0,
            Promise::Estimated => 2.0,
            Promise::Chance { keys, threshold } => keys.at(threshold.approximate()),
            Promise::Nothing(_) => -1.0,
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Exact => out.write_str("every pair that meets the measure is found"),
            Promise::Sharing => out.write_str(
                "every pair that shares a feature and meets the measure is found; the measure accepts pairs that share none, too, but these are not proposed",
            ),
            Promise::Chance { keys, threshold } => {
                // Below resemblance 1 nothing is certain, and a promise must not be overstated.
                let most = if *threshold < Ratio::ONE { 0.9999 } else { 1.0 };
                let probability = ((keys.at(threshold.approximate()) * 1e4).floor() / 1e4).min(most);
                match keys {
                    Chance::Bands { grid, least } => {
                        let shared = if *least == 1 { String::new() } else { format!(" ({least} of them shared)") };
                        write!(
                            out,
                            "bands {grid}{shared} find a pair of resemblance {threshold} with probability {probability}, and more similar ones with a higher probability"
                        )
                    }
                    Chance::Minima { size } => write!(
                        out,
                        "a pair of resemblance {threshold} shares one of {size} minima and is found with probability {probability} or more, and more similar ones with a higher probability"
                    ),
                }
            }
            Promise::Estimated => out.write_str(
                "every pair whose samples meet the estimate is found, because it shares a sampled value; near the threshold, chance decides whether the samples of a similar pair meet the estimate",
            ),
            Promise::Nothing(reason) => write!(out, "no recall is promised: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Ratio {
        text.parse().unwrap()
    }

    fn grid(threshold: &str, recall: &str) -> Result<BandGrid> {
        BandGrid::promised(&ratio(threshold), &ratio(recall), MOST_SLOTS)
    }

    #[test]
    fn bands_of_the_contract() {
        let table = [("0.9", "11x10"), ("0.8", "16x6"), ("0.7", "17x4"), ("0.5", "35x3"), ("1", "1x128")];
        for (threshold, bands) in table {
            assert_eq!(grid(threshold, "0.99").unwrap().to_string(), bands, "{threshold}");
        }
    }

    #[test]
    fn equals_the_formula_in_floats() {
        for percent in 4..100u64 {
            for recall in ["0.5", "0.9", "0.95", "0.99", "0.999"] {
                let exact = grid(&format!("{percent}/100"), recall).ok();
                let (tau, miss) = (percent as f64 / 100.0, 1.0 - ratio(recall).approximate());
                let bands = |rows: u64| (miss.ln() / (-tau.powf(rows as f64)).ln_1p()).ceil().min(1e9) as u64;
                let slow = (1..=128).rev().find(|&rows| bands(rows) * rows <= 128).map(|rows| BandGrid { bands: bands(rows), rows });
                assert_eq!(exact, slow, "{percent} {recall}");
            }
        }
    }

    #[test]
    fn a_promise_met_exactly_is_kept() {
        // (1 - 1/2)^1 = 1 - 1/2: one band of one row, for which a float may be on either side.
        assert_eq!(BandGrid::promised(&ratio("0.5"), &ratio("0.5"), 1).unwrap(), BandGrid { bands: 1, rows: 1 });
        assert_eq!(BandGrid::promised(&ratio("0.5"), &ratio("0.9375"), 4).unwrap(), BandGrid { bands: 4, rows: 1 });
        assert!(BandGrid::promised(&ratio("0.5"), &ratio("0.937500000000000001"), 4).is_err());
        assert!(BandGrid::promised(&ratio("999999999999999999/1000000000000000000"), &ratio("0.999999999999999999"), 128).is_ok());
    }

    #[test]
    fn refuses_what_cannot_be_promised() {
        let refused = |threshold, recall| grid(threshold, recall).unwrap_err().to_string();
        assert!(refused("0.02", "0.99").contains("`exact`"));
        assert!(refused("0", "0.99").contains("above 0"));
        assert!(refused("0.8", "1").contains("`exact`"));
        assert!(refused("0.8", "0").contains("above 0"));
        assert!(BandGrid::promised(&ratio("0.8"), &ratio("0.9"), 0).is_err());
    }

    #[test]
    fn recalls_read_and_print() {
        for (written, printed) in [("0.99", "0.99"), (".9", "0.9"), ("exact", "exact"), ("99/100", "0.99")] {
            assert_eq!(written.parse::<RecallPromise>().unwrap().to_string(), printed);
        }
        for written in ["1", "0", "1.2", "", "Exact", "99%", "-1"] {
            assert!(written.parse::<RecallPromise>().unwrap_err().to_string().contains("`exact` for all pairs"), "{written}");
        }
        assert_eq!(RecallPromise::default(), "0.99".parse().unwrap());
    }

    #[test]
    fn chances() {
        let near = |left: f64, right: f64, by: f64| assert!((left - right).abs() < by, "{left} {right}");
        let bands = |least, bands, rows| Chance::Bands { grid: BandGrid { bands, rows }, least };
        near(bands(1, 16, 6).at(0.8), 1.0 - (1.0 - 0.8f64.powi(6)).powi(16), 1e-12);
        near(bands(1, 9, 13).at(0.8), 0.396, 0.005);
        // 2 of 6 bands of 14: the papers say "above .97" and "below .77".
        for (s, p) in [(0.77, 0.009), (0.8, 0.026), (0.85, 0.12), (0.9, 0.415), (0.93, 0.70), (0.95, 0.88), (0.97, 0.979), (0.98, 0.996)] {
            near(bands(2, 6, 14).at(s), p, 0.006);
        }
        for keys in [bands(1, 16, 6), bands(2, 6, 14), Chance::Minima { size: 20 }] {
            for (s, p) in [(0.0, 0.0), (1.0, 1.0), (1.5, 1.0), (-1.0, 0.0)] {
                near(keys.at(s), p, 1e-12);
            }
        }
        near(bands(7, 6, 14).at(1.0), 0.0, 1e-12);
        near(bands(7, 6, 14).at(0.5), 0.0, 1e-12);
        near(Chance::Minima { size: 3 }.at(0.5), 0.875, 1e-12);
        assert_eq!(bands(1, 1, 1).curve(3), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)]);
    }
}
