//! Intervals: the bounds of the recall, given the pairs that were seen.

use super::losses::PairLosses;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::checked_beta_reg;
use statrs::function::erf::erfc;
use statrs::function::gamma::{checked_gamma_lr, checked_gamma_ur};

/// Probability outside either end of a 95 % interval.
const TAIL: f64 = 0.025;
/// The normal quantile of 1 - TAIL.
const Z: f64 = 1.959_963_984_540_054;
/// Degrees of freedom from which on Student's t is treated as normal.
const MANY: f64 = 1e4;
/// Counts from here on are treated as continuous, because summing them one by one takes too long.
const LARGE: f64 = 1e8;

/// Returns the 95 % interval of the recall. `least` is the probability that a pair at the threshold is found.
///
/// The number of missed pairs is a count with known mean and variance. It is modelled as negative binomial, which is
/// Poisson if pairs are missed independently. Both ends are moved outward, because the variance is estimated from few
/// deviations (Student 1908). For the upper end of the count, one missed pair at the threshold is added, for which nothing
/// found is evidence.
pub fn recall(losses: &PairLosses, least: f64) -> (f64, f64) {
    let PairLosses { found, missed, apart, together, freedom, drawing, unit, .. } = *losses;
    let total = found + missed;
    let widened = StudentsT::new(0.0, 1.0, freedom.min(MANY)).map_or(Z, |t| t.inverse_cdf(1.0 - TAIL)) / Z;
    let (mean, variance) = (missed / unit, ((apart + together) * widened * widened + drawing) / (unit * unit));
    let unseen = (1.0 - least) / least;
    let fewest = unit * quantile(mean, variance, TAIL);
    let most = unit * quantile(mean + unseen, variance + unseen / least, 1.0 - TAIL);
    // The spread grows with the number of all pairs, which is as uncertain as that of the missed ones.
    let of = |count: f64| {
        let off = (count - missed) / total;
        if off >= 1.0 { f64::INFINITY } else { total / (1.0 - off) - found }
    };
    let most = if most > missed { unit * (of(most) / unit - 1e-9).ceil() } else { most };
    let fewest = (unit * (of(fewest) / unit + 1e-9).floor()).max(0.0);
    let high = found / (found + fewest);
    // If counts vary without bound, more than a share of 1 - TAIL of them is below their mean.
    ((found / (found + most)).min(high), high)
}

/// Returns the smallest count that a share of `p` of all counts with this mean and variance do not exceed. Infinite if no
/// number is large enough.
fn quantile(mean: f64, variance: f64, p: f64) -> f64 {
    if mean <= f64::MIN_POSITIVE {
        return 0.0;
    }
    if !mean.is_finite() || !variance.is_finite() {
        return if p < 0.5 { 0.0 } else { f64::INFINITY };
    }
    // Except for rounding, the variance of missed pairs is at least that of independent ones.
    let beyond = variance / mean - 1.0;
    let alone = beyond < 1e-6;
    let shape = if alone { f64::INFINITY } else { mean / beyond };
    let share = |count: f64| match (mean < LARGE, shape < LARGE) {
        (true, _) if alone => checked_gamma_ur(count + 1.0, mean).ok(),
        (true, _) => checked_beta_reg(shape, count + 1.0, 1.0 / (1.0 + beyond)).ok(),
        // Large counts are practically continuous: the gamma distribution of this mean and variance.
        (false, true) => checked_gamma_lr(shape, count / beyond).ok(),
        (false, false) => Some(0.5 * erfc((mean - count) / (2.0 * variance).sqrt())),
    };
    // The functions refuse arguments that belong to a count far from the mean.
    let reaches = |count: f64| share(count).map_or(count > mean, |share: f64| share >= p);
    let (mut under, mut high) = (-1.0, mean.ceil());
    while !reaches(high) {
        if high > f64::MAX / 4.0 {
            return f64::INFINITY;
        }
        (under, high) = (high, 2.0 * high);
    }
    loop {
        let middle = (under + (high - under) / 2.0).floor();
        // Above 2^53, not every count is a floating-point number.
        if middle <= under || middle >= high {
            return high;
        }
        if reaches(middle) { high = middle } else { under = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the quantile by summing the counts one by one.
    fn slow(mean: f64, variance: f64, p: f64) -> f64 {
        let beyond = variance / mean - 1.0;
        let (mut count, mut term, mut sum) = (0.0, if beyond < 1e-6 { (-mean).exp() } else { (1.0 + beyond).powf(-mean / beyond) }, 0.0);
        loop {
            sum += term;
            if sum >= p {
                return count;
            }
            term *= if beyond < 1e-6 { mean } else { (mean / beyond + count) * beyond / (1.0 + beyond) } / (count + 1.0);
            count += 1.0;
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sums() {
        for mean in [0.001, 0.02, 0.3, 1.0, 7.5, 60.0, 400.0] {
            for ratio in [1.0, 1.0001, 1.5, 4.0, 30.0] {
                for p in [0.025, 0.5, 0.975] {
                    assert_eq!(quantile(mean, mean * ratio, p), slow(mean, mean * ratio, p), "{mean} {ratio} {p}");
                }
            }
        }
        assert_eq!(quantile(0.0, 0.0, 0.975), 0.0);
        let large = quantile(1e7, 1e9, 0.975);
        assert!((large - 1e7 - Z * 1e9f64.sqrt()).abs() < 200.0, "{large}");
    }

    #[test]
    fn no_mean_is_too_large() {
        for exponent in [1, 6, 9, 15, 20, 40, 100, 150, 300] {
            let mean = 10f64.powi(exponent);
            for variance in [mean, mean * 1.5, mean * 1e6, mean * mean, mean * mean * 1e3] {
                let (low, high) = (quantile(mean, variance, TAIL), quantile(mean, variance, 1.0 - TAIL));
                assert!(0.0 <= low && low <= high && !high.is_nan(), "{mean} {variance}: {low} {high}");
                // By Chebyshev, one fortieth of all is at most 6.4 deviations above the mean.
                assert!(!variance.is_finite() || high <= (mean + 6.4 * variance.sqrt()) * 1.001 + 1.0, "{mean} {variance}: {high}");
            }
        }
        assert_eq!(quantile(1e9, f64::INFINITY, 0.975), f64::INFINITY);
    }

    #[test]
    fn the_formulas_for_few_and_for_many_agree() {
        for ratio in [1.0, 1.5, 1e3, 1e6] {
            for p in [TAIL, 0.5, 1.0 - TAIL] {
                let (few, many) = (quantile(0.99 * LARGE, 0.99 * LARGE * ratio, p), quantile(1.01 * LARGE, 1.01 * LARGE * ratio, p));
                assert!((many / few - 1.01 / 0.99).abs() < 0.01, "{ratio} {p}: {few} {many}");
            }
        }
    }

    #[test]
    fn keys_that_hardly_find_anything_give_an_interval() {
        for least in [1e-5, 1e-9, 1e-32, 1e-200, f64::MIN_POSITIVE, 0.0] {
            for losses in [losses(1.0, 0.0, 0.0, 3.0), losses(5.0, 1e12, 1e30, 9.0), losses(1.0, 1e200, f64::INFINITY, 1.0)] {
                let (low, high) = recall(&losses, least);
                assert!(0.0 <= low && low <= high && high <= 1.0, "{least}: {low} {high}");
            }
        }
    }

    fn losses(found: f64, missed: f64, apart: f64, freedom: f64) -> PairLosses {
        PairLosses { pairs: found as u64, found, missed, apart, freedom, unit: 1.0, ..PairLosses::default() }
    }

    #[test]
    fn an_interval_holds_the_estimate_and_stays_within_all() {
        for (found, missed, apart) in [(1.0, 0.01, 0.01), (5.0, 3.0, 9.0), (100.0, 0.5, 0.5), (1e6, 1e4, 1e6), (3.0, 40.0, 900.0)] {
            for least in [0.5, 0.99, 0.999_999] {
                let (low, high) = recall(&losses(found, missed, apart, 15.0), least);
                let estimate = found / (found + missed);
                assert!(0.0 <= low && low <= estimate.max(high) && high <= 1.0, "{low} {estimate} {high}");
            }
        }
    }

    #[test]
    fn what_is_known_less_surely_is_wider() {
        let width = |losses: PairLosses| {
            let (low, high) = recall(&losses, 0.99);
            high - low
        };
        let base = losses(1000.0, 50.0, 60.0, 1000.0);
        assert!(width(PairLosses { freedom: 3.0, ..base }) > width(base));
        assert!(width(PairLosses { together: 100.0, ..base }) > width(base));
        assert!(width(PairLosses { drawing: 100.0, ..base }) > width(base));
        // Large counts: the interval of a normal deviation.
        let (low, high) = recall(&losses(1e6, 1e4, 4e6, 1e9), 0.99);
        let spread = Z * 2000.0 / 1.01e6;
        assert!((high - low - 2.0 * spread / 1.01).abs() < 0.02 * spread, "{low} {high}");
    }

    #[test]
    fn few_pairs_say_little() {
        // Found with a probability of one half: for one found pair, as many as a few may be missed.
        let (low, high) = recall(&losses(1.0, 1.0, 2.0, 9.0), 0.5);
        assert!(low < 0.25 && high == 1.0, "{low} {high}");
        // All pairs are nearly identical, so they do not show what is missed at the threshold.
        let (low, _) = recall(&losses(2.0, 0.0, 0.0, 9.0), 0.5);
        assert!(low < 0.5, "{low}");
    }
}
