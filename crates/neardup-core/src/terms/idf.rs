//! Inverse document frequency: how rare a term is in a corpus (Spärck Jones 1972).

/// Steps in one unit of the logarithm.
pub const STEPS: u32 = 1024;

/// Returns log2((N + 1) / (n + 1)) in steps of 1/1024, rounded down: N is `documents`, and n is `holding`, the number
/// of documents that contain the term.
///
/// The result is from 0 to 65,536 and never grows with n; `holding` above N counts as N. The computation uses integers
/// only, so the result is the same on every machine. It finds the bits of the logarithm by repeatedly squaring the rest
/// of the fraction, which has 62 binary places.
pub fn idf(documents: u64, holding: u64) -> u32 {
    let (all, some) = (u128::from(documents) + 1, u128::from(holding.min(documents)) + 1);
    let whole = (all / some).ilog2();
    // From 1 to less than 2.
    let mut rest = (all << PLACES) / (some << whole);
    let mut steps = whole;
    for _ in 0..STEPS.ilog2() {
        rest = (rest * rest) >> PLACES;
        let bit = (rest >> (PLACES + 1)) as u32;
        rest >>= bit;
        steps = steps << 1 | bit;
    }
    steps
}

const PLACES: u32 = 62;

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    /// The largest k with 2^k (n + 1)^1024 <= (N + 1)^1024.
    fn slow(documents: u64, holding: u64) -> u64 {
        let power = |number: u64| BigUint::from(u128::from(number) + 1).pow(STEPS);
        // The quotient of two numbers with a and b bits has a - b + 1 bits or a - b.
        let (all, some) = (power(documents), power(holding));
        let bits = all.bits() - some.bits();
        if some << bits <= all { bits } else { bits - 1 }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn equals_the_definition(documents in 0u64..1 << 40, part in 0u64..=1 << 20, few in any::<bool>()) {
            let holding = if few { part % 50 } else { ((u128::from(documents) * u128::from(part)) >> 20) as u64 }.min(documents);
            prop_assert_eq!(u64::from(idf(documents, holding)), slow(documents, holding));
        }

        #[test]
        fn never_grows_with_the_documents_that_have_it(documents in any::<u64>(), one in any::<u64>(), other in any::<u64>()) {
            let (one, other) = (one % documents.max(1), other % documents.max(1));
            prop_assert!(idf(documents, one.min(other)) >= idf(documents, one.max(other)));
        }
    }

    #[test]
    fn known_values() {
        // 1024 log2 of 1, 2, 8, 3/2 = 599.002 and 10 = 3401.6.
        let table = [((0, 0), 0), ((9, 9), 0), ((9, 4), 1024), ((7, 0), 3072), ((2, 1), 599), ((9, 0), 3401), ((4, 9), 0)];
        table.iter().for_each(|&((documents, holding), steps)| assert_eq!(idf(documents, holding), steps));
        assert_eq!(idf(u64::MAX, 0), 64 * STEPS);
        for holding in 0..2000 {
            let float = (2001.0 / (holding as f64 + 1.0)).log2() * f64::from(STEPS);
            assert!((float - f64::from(idf(2000, holding))).abs() <= 1.0);
        }
    }
}
