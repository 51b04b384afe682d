//! Polynomials over GF(2): bit i of a word is the coefficient of x^i, and addition is exclusive or.

use crate::util::splitmix::SplitMix;

/// Returns the degree of `p`, which must not be 0.
pub fn degree(p: u64) -> u32 {
    p.ilog2()
}

/// Returns `a * b` mod `p`. The degrees of `a` and `b` must be less than that of `p`, which is at most 63.
pub fn times(mut a: u64, mut b: u64, p: u64) -> u64 {
    let top = 1 << degree(p);
    let mut product = 0;
    while b > 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a & top != 0 {
            a ^= p;
        }
        b >>= 1;
    }
    product
}

/// Returns `a` mod `p`.
pub fn remainder(mut a: u64, p: u64) -> u64 {
    while a != 0 && degree(a) >= degree(p) {
        a ^= p << (degree(a) - degree(p));
    }
    a
}

/// Whether 1 is the only common divisor.
pub fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, remainder(a, b));
    }
    a == 1
}

/// Whether `p`, of degree n from 1 to 63, is irreducible: x^(2^n) = x mod p, and x^(2^(n/q)) - x has no common factor
/// with p for any prime q that divides n (Rabin: Probabilistic algorithms in finite fields, 1981).
pub fn is_irreducible(p: u64) -> bool {
    let n = degree(p);
    let x = remainder(2, p);
    // x squared `count` times is x^(2^count).
    let squared = |count: u32| (0..count).fold(x, |power, _| times(power, power, p));
    squared(n) == x && (2..=n).filter(|&q| is_prime(q) && n.is_multiple_of(q)).all(|q| coprime(p, squared(n / q) ^ x))
}

fn is_prime(number: u32) -> bool {
    (2..number).all(|divisor| !number.is_multiple_of(divisor))
}

/// Draws an irreducible polynomial of degree `n`, each equally likely: the first one in the stream.
pub fn draw(n: u32, stream: &mut SplitMix) -> u64 {
    loop {
        let p = 1 << n | stream.draw() & ((1 << n) - 1);
        if is_irreducible(p) {
            return p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `p` has a divisor of degree at least 1 and at most half its own degree.
    fn divides(p: u64) -> bool {
        (2u64..1 << (degree(p) / 2 + 1)).any(|d| remainder(p, d) == 0)
    }

    #[test]
    fn rabins_test_against_trial_division() {
        for p in 2..1 << 13 {
            assert_eq!(is_irreducible(p), !divides(p), "{p:b}");
        }
        // Numbers of irreducible polynomials of each degree, by Gauss's formula.
        let count = |n: u32| (1u64 << n..2 << n).filter(|&p| is_irreducible(p)).count();
        assert_eq!([1, 2, 3, 4, 8, 10, 12].map(count), [2, 1, 2, 3, 30, 99, 335]);
    }

    #[test]
    fn drawn_ones_have_no_divisor() {
        for seed in 0..3 {
            let p = draw(40, &mut SplitMix::new(seed));
            assert!(degree(p) == 40 && !divides(p), "{p:x}");
        }
    }

    #[test]
    fn products_and_remainders_agree() {
        let p = draw(40, &mut SplitMix::new(0));
        let mut stream = SplitMix::new(1);
        for _ in 0..200 {
            // If both degrees are at most 31, the whole product fits in a word.
            let (a, b) = (stream.draw() >> 32, stream.draw() >> 32);
            let whole = (0..32).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ a << bit);
            assert_eq!(times(a, b, p), remainder(whole, p));
        }
        assert!(coprime(0b110, 0b111) && !coprime(0b110, 0b101) && !coprime(0b110, 0));
    }
}
