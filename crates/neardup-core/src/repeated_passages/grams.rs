//! Fingerprints of every run of w tokens of a text, each made from the one before (Karp, Rabin 1987).
//!
//! A run is a polynomial over the field of 2^61 - 1 elements, its tokens the coefficients, at a fixed point. Two different
//! runs of w tokens agree at w - 1 of all points at most, so one pair of them does by chance with odds below w / 2^61; in
//! two lanes, that read a token's hash in two ways, with odds below w^2 / 2^122.

use crate::util::splitmix::SplitMix;

const PRIME: u64 = (1 << 61) - 1;
/// The stream from which the points of the lanes are drawn.
const SEED: u64 = 0x7061_7373_6167_6573;

/// The polynomials of runs of one width, in one lane.
#[derive(Clone, Copy, Debug)]
pub struct GramLane {
    width: usize,
    point: u64,
    /// The point to the power of the width: what the token that goes has been multiplied by.
    highest: u64,
    turn: u32,
}

impl GramLane {
    /// Lane 0 or 1 for runs of `width` tokens, at least 1.
    pub fn new(number: u32, width: usize) -> Self {
        let mut stream = SplitMix::new(SEED);
        let point = (0..=number).map(|_| stream.draw()).last().unwrap_or(0) % PRIME;
        let highest = (0..width).fold(1, |power, _| times(power, point));
        GramLane { width, point, highest, turn: 32 * number }
    }

    /// The fingerprint of the first run of `tokens`.
    fn first(&self, tokens: &[u64]) -> u64 {
        tokens[..self.width].iter().fold(0, |value, &token| add(times(value, self.point), self.read(token)))
    }

    /// That of the next run, by the token before it and its last.
    fn next(&self, value: u64, goes: u64, comes: u64) -> u64 {
        let change = add(self.read(comes), PRIME - times(self.read(goes), self.highest));
        // What is multiplied waits for the run before: no more than that is done behind it.
        reduce(product(value, self.point) + change)
    }

    fn read(&self, token: u64) -> u64 {
        reduce(token.rotate_left(self.turn))
    }
}

/// Puts the fingerprints of all runs of `tokens` into `out`, in order, lane by lane; none when there are fewer than the width,
/// which all lanes share. Lanes go abreast, since each waits for itself.
pub fn each<const LANES: usize>(lanes: &[GramLane; LANES], tokens: &[u64], out: &mut [Vec<u64>; LANES]) {
    out.iter_mut().for_each(Vec::clear);
    let width = lanes[0].width;
    if tokens.len() < width {
        return;
    }
    out.iter_mut().for_each(|out| out.reserve(tokens.len() - width + 1));
    let mut values = lanes.map(|lane| lane.first(tokens));
    out.iter_mut().zip(values).for_each(|(out, value)| out.push(value));
    for (&goes, &comes) in tokens.iter().zip(&tokens[width..]) {
        for ((value, lane), out) in values.iter_mut().zip(lanes).zip(&mut *out) {
            *value = lane.next(*value, goes, comes);
            out.push(*value);
        }
    }
}

/// One to one: numbers of the field, in an order of no meaning, over all of the 64 bits.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let value = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    value ^ (value >> 32)
}

/// Fingerprints of the N-grams of texts; one a thread.
#[derive(Clone, Debug)]
pub struct Grams {
    lanes: [GramLane; 2],
    values: [Vec<u64>; 2],
}

impl Grams {
    /// Those of N-grams of `tokens` tokens, at least 1.
    pub fn new(tokens: usize) -> Self {
        Grams { lanes: [0, 1].map(|number| GramLane::new(number, tokens)), values: Default::default() }
    }

    /// The fingerprints of all N-grams of a text, by the token each begins at: the first word serves as a hash.
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

/// The product of two elements, below twice the prime.
fn product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64 & PRIME) + (product >> 61) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(tokens: &[u64], point: u64, turn: u32) -> u64 {
        let step = |value: u128, token: &u64| (value * u128::from(point) + u128::from(token.rotate_left(turn) % PRIME)) % u128::from(PRIME);
        tokens.iter().fold(0, step) as u64
    }

    proptest! {
        #[test]
        fn every_run_is_its_polynomial(tokens in proptest::collection::vec(any::<u64>(), 0..60), width in 1usize..20, number in 0u32..2) {
            let lanes = [GramLane::new(number, width), GramLane::new(1 - number, width)];
            let mut found = [vec![1], vec![]];
            each(&lanes, &tokens, &mut found);
            for (lane, found) in lanes.iter().zip(found) {
                let expected: Vec<u64> = tokens.windows(width).map(|run| slow(run, lane.point, lane.turn)).collect();
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
