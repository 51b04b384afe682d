//! The chance that banding proposes a pair.

use serde::{Deserialize, Serialize};

/// What a run promises to find of the pairs it is asked for, and by which keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recall {
    /// MinHash in `bands` bands of `rows` rows; `promise` is the chance to find a pair exactly at the threshold.
    Bands {
        /// b, at least 1.
        bands: u32,
        /// r, at least 1.
        rows: u32,
        /// Between 0 and 1, rounded down if at all.
        promise: f64,
    },
    /// A prefix join: every pair at or above the threshold.
    Exact,
    /// Nothing.
    Nothing {
        /// Why, as half a sentence.
        reason: String,
    },
}

/// The chance that two documents of resemblance `s` share at least one of `b` bands of `r` rows.
///
/// `s` is brought into 0..=1. P(s) = 1 - (1 - s^r)^b: Indyk and Motwani 1998; the banding is that of Leskovec,
/// Rajaraman and Ullman, Mining of Massive Datasets, section 3.4.
///
/// ```
/// let p = neardup_report::scurve(16, 6, 0.8);
/// assert!((p - 0.9923).abs() < 0.0001);
/// ```
pub fn scurve(b: u32, r: u32, s: f64) -> f64 {
    let band = s.clamp(0.0, 1.0).powf(f64::from(r));
    // ln_1p and exp_m1 keep small chances, which 1 - (1 - x)^b rounds to 0.
    -(f64::from(b) * (-band).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_known_points() {
        assert_eq!(scurve(16, 6, 0.0), 0.0);
        assert_eq!(scurve(16, 6, 1.0), 1.0);
        assert_eq!(scurve(16, 6, 2.0), 1.0);
        for (b, r, tau) in [(11, 10, 0.9), (16, 6, 0.8), (17, 4, 0.7), (35, 3, 0.5)] {
            assert!(scurve(b, r, tau) > 0.989, "{b}x{r} at {tau}");
        }
        assert!((scurve(20, 5, 0.5) - (1.0 - (1.0f64 - 0.5f64.powi(5)).powi(20))).abs() < 1e-12);
    }
}
