//! The angle between two documents, by the share of bits in which their fingerprints agree (Charikar 2002).
//!
//! Signs of random projections agree with probability 1 - t / pi at an angle t, so a equal bits of b represent the
//! cosine cos(pi (1 - a / b)). The a that reach a given cosine are computed once, in integers: cos(pi k / b) for k from
//! 1 to b - 1 are the zeros of the Chebyshev polynomial U of degree b - 1, and the values U_0(c), U_1(c), ... change
//! sign once for every zero of the last polynomial above c (Sturm 1829).

use crate::measures::{Bound, Operator};
use crate::util::ratio::Ratio;
use num_bigint::{BigInt, Sign};

/// Converts a bound on the cosine into the equivalent bound on the number of equal bits, of `bits`.
pub fn agreeing(bits: u64, cosine: &Bound) -> Bound {
    let whole = |operator, count| Bound { operator, number: Ratio { numerator: count, denominator: 1 } };
    let (least, more) = (least(bits, &cosine.number), least_above(bits, &cosine.number));
    match cosine.operator {
        Operator::AtLeast => whole(Operator::AtLeast, least),
        Operator::Below => whole(Operator::Below, least),
        Operator::AtMost => whole(Operator::Below, more),
        // If no number of bits represents exactly this cosine, the bound is more bits than there are.
        Operator::Equal => whole(Operator::Equal, if least < more { least } else { bits + 1 }),
    }
}

/// Returns the least number of equal bits, of `bits`, that represents `cosine` or more; the cosine is at most 1.
pub fn least(bits: u64, cosine: &Ratio) -> u64 {
    let (above, at) = zeros(bits, cosine);
    // A cosine of 1 corresponds to one more angle, at which all bits are equal. It is not one of the zeros.
    bits - above - u64::from(at)
}

/// Returns the least number of equal bits that represents more than `cosine`; `bits` + 1 if there is none.
fn least_above(bits: u64, cosine: &Ratio) -> u64 {
    if *cosine >= Ratio::ONE { bits + 1 } else { bits - zeros(bits, cosine).0 }
}

/// Returns the number of cos(pi k / bits), k from 1 to bits - 1, that are above `cosine`, and whether one is equal to it.
fn zeros(bits: u64, cosine: &Ratio) -> (u64, bool) {
    let Ratio { numerator, denominator } = cosine.reduced();
    let (p, q) = (BigInt::from(numerator), BigInt::from(denominator));
    // q^j U_j(p/q): U_0 = 1, U_1 = 2c, U_(j+1) = 2c U_j - U_(j-1).
    let (twice, square) = (&p * 2, &q * &q);
    let (mut before, mut value) = (BigInt::ZERO, BigInt::from(1));
    let (mut changes, mut sign) = (0, Sign::Plus);
    for _ in 1..bits {
        let next = &twice * &value - &square * &before;
        (before, value) = (value, next);
        if value.sign() != Sign::NoSign {
            changes += u64::from(value.sign() != sign);
            sign = value.sign();
        }
    }
    (changes, bits > 1 && value.sign() == Sign::NoSign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn ratio(numerator: u64, denominator: u64) -> Ratio {
        Ratio { numerator, denominator }
    }

    #[test]
    fn equals_the_cosine_in_floats() {
        for bits in [1, 2, 3, 7, 64, 65, 128, 384] {
            for thousandth in 1..1000 {
                let c = thousandth as f64 / 1000.0;
                // 1/2 is the only of these cosines whose angle is a rational multiple of pi; floats may be on either
                // side of it.
                let slow = (0..=bits).find(|&a| (PI * (1.0 - a as f64 / bits as f64)).cos() >= c - 1e-12).unwrap();
                assert_eq!(least(bits, &ratio(thousandth, 1000)), slow, "{bits} {c}");
            }
        }
    }

    #[test]
    fn what_is_met_exactly() {
        assert_eq!((least(384, &ratio(1, 2)), least_above(384, &ratio(1, 2))), (256, 257));
        assert_eq!((least(64, &ratio(1, 1)), least_above(64, &ratio(1, 1))), (64, 65));
        assert_eq!((least(64, &ratio(1, 2)), least_above(64, &ratio(1, 2))), (43, 43));
        assert_eq!(least(1024, &ratio(999_999_999_999_999_999, 1_000_000_000_000_000_000)), 1024);
    }

    #[test]
    fn bounds_on_bits_are_bounds_on_the_cosine() {
        for number in [ratio(1, 2), ratio(9, 10), ratio(1, 1)] {
            for operator in [Operator::AtLeast, Operator::Below, Operator::AtMost, Operator::Equal] {
                for bits in [64, 384] {
                    let bound = agreeing(bits, &Bound { operator, number });
                    for agree in 0..=bits {
                        let cosine = (PI * (1.0 - agree as f64 / bits as f64)).cos();
                        let c = number.approximate();
                        let meets = match operator {
                            Operator::AtLeast => cosine >= c - 1e-12,
                            Operator::Below => cosine < c - 1e-12,
                            Operator::AtMost => cosine <= c + 1e-12,
                            Operator::Equal => (cosine - c).abs() < 1e-12,
                        };
                        assert_eq!(bound.admits(agree, 1), meets, "{operator:?} {number} {agree} of {bits}");
                    }
                }
            }
        }
    }
}
