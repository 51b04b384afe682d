//! Fingerprints of every run of w tokens of a text, each computed from the previous one (Karp, Rabin 1987).
//!
//! A run is a polynomial over the field of 2^61 - 1 elements, evaluated at a fixed point; its tokens are the
//! coefficients. Two different runs of w tokens agree at no more than w - 1 of all points. So the probability that a
//! pair agrees by chance is below w / 2^61. With two lanes, which read a token's hash in two ways, it is below w^2 /
//! 2^122.

use crate::util::splitmix::SplitMix;

const PRIME: u64 = (1 << 61) - 1;
/// Seed of the stream from which the points of the lanes are drawn.
const SEED: u64 = 0x7061_7373_6167_6573;

/// The polynomials of runs with the same width, in one lane.
#[derive(Clone, Copy, Debug)]
pub struct GramLane {
    width: usize,
    point: u64,
    /// The point to the power of the width: the factor of the token that leaves the run.
    highest: u64,
    rotation: u32,
}

impl GramLane {
    /// Creates lane 0 or 1 for runs of `width` tokens, at least 1.
    pub fn new(number: u32, width: usize) -> Self {
        let mut stream = SplitMix::new(SEED);
        let point = (0..=number).map(|_| stream.draw()).last().unwrap_or(0) % PRIME;
        let highest = (0..width).fold(1, |power, _| times(power, point));
        GramLane { width, point, highest, rotation: 32 * number }
    }

    /// Returns the fingerprint of the first run of `tokens`.
    fn first(&self, tokens: &[u64]) -> u64 {
        tokens[..self.width].iter().fold(0, |value, &token| add(times(value, self.point), self.read(token)))
    }

    /// Returns the fingerprint of the next run, which the token `leaving` leaves and the token `entering` enters.
    fn next(&self, value: u64, leaving: u64, entering: u64) -> u64 {
        let change = add(self.read(entering), PRIME - times(self.read(leaving), self.highest));
        // The product depends on the previous run, so as little as possible is computed after it.
        reduce(product(value, self.point) + change)
    }

    fn read(&self, token: u64) -> u64 {
        reduce(token.rotate_left(self.rotation))
    }
}

/// Writes the fingerprints of all runs of `tokens` to `out`, in order, lane by lane. All lanes must have the same
/// width; there are none if there are fewer tokens. Lanes are computed together, because each one waits for its
/// previous result.
pub fn each<const LANES: usize>(lanes: &[GramLane; LANES], tokens: &[u64], out: &mut [Vec<u64>; LANES]) {
    out.iter_mut().for_each(Vec::clear);
    let width = lanes[0].width;
    if tokens.len() < width {
        return;
    }
    out.iter_mut().for_each(|out| out.reserve(tokens.len() - width + 1));
    let mut values = lanes.map(|lane| lane.first(tokens));
    out.iter_mut().zip(values).for_each(|(out, value)| out.push(value));
    for (&leaving, &entering) in tokens.iter().zip(&tokens[width..]) {
        for ((value, lane), out) in values.iter_mut().zip(lanes).zip(&mut *out) {
            *value = lane.next(*value, leaving, entering);
            out.push(*value);
        }
    }
}

/// Maps numbers of the field one to one to 64-bit numbers, in an order that behaves as random.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    value ^ (value >> 32)
}

/// Computes fingerprints of the N-grams of texts; each thread needs its own.
#[derive(Clone, Debug)]
pub struct Grams {
    lanes: [GramLane; 2],
    values: [Vec<u64>; 2],
}

impl Grams {
    /// Creates the fingerprints of N-grams of `tokens` tokens, at least 1.
    pub fn new(tokens: usize) -> Self {
        Grams { lanes: [0, 1].map(|number| GramLane::new(number, tokens)), values: Default::default() }
    }

    /// Returns a function from the first token of an N-gram of the text to its fingerprint. The first word serves as a hash.
    pub fn of(&mut self, tokens: &[u64]) -> impl Fn(usize) -> [u64; 2] {
        each(&self.lanes, tokens, &mut self.values);
        let [first, second] = &self.values;
        |begin| [mix(first[begin]), second[begin]]
    }
}

fn reduce(value: u64) -> u64 {
    let sum = (value & PRIME) + (value >> 61);
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn add(a: u64, b: u64) -> u64 {
    reduce(a + b)
}

fn times(a: u64, b: u64) -> u64 {
    reduce(product(a, b))
}

/// Returns a number below twice the prime that represents the product of two elements.
fn product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64 & PRIME) + (product >> 61) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(tokens: &[u64], point: u64, rotation: u32) -> u64 {
        let step =
            |value: u128, token: &u64| (value * u128::from(point) + u128::from(token.rotate_left(rotation) % PRIME)) % u128::from(PRIME);
        tokens.iter().fold(0, step) as u64
    }

    proptest! {
        #[test]
        fn every_run_is_its_polynomial(tokens in proptest::collection::vec(any::<u64>(), 0..60), width in 1usize..20, number in 0u32..2) {
            let lanes = [GramLane::new(number, width), GramLane::new(1 - number, width)];
            let mut found = [vec![1], vec![]];
            each(&lanes, &tokens, &mut found);
            for (lane, found) in lanes.iter().zip(found) {
                let expected: Vec<u64> = tokens.windows(width).map(|run| slow(run, lane.point, lane.rotation)).collect();
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn the_field_is_that_of_the_prime(a in any::<u64>(), b in any::<u64>()) {
            let (a, b) = (reduce(a), reduce(b));
            prop_assert!(a < PRIME && add(a, b) < PRIME && times(a, b) < PRIME);
            prop_assert_eq!(u128::from(times(a, b)), u128::from(a) * u128::from(b) % u128::from(PRIME));
            prop_assert_eq!(add(a, b), ((u128::from(a) + u128::from(b)) % u128::from(PRIME)) as u64);
        }
    }

    #[test]
    fn the_ends_of_the_field() {
        for value in [0, 1, PRIME - 1, PRIME, PRIME + 1, u64::MAX] {
            assert_eq!(reduce(value), value % PRIME, "{value}");
        }
        assert_eq!(times(PRIME - 1, PRIME - 1), 1);
    }
}
