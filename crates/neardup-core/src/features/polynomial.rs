//! Polynomials over GF(2): bit i of a word is the coefficient of x^i, and adding is exclusive or.

use crate::util::splitmix::SplitMix;

/// The degree of `p`, which is not 0.
pub fn degree(p: u64) -> u32 {
    p.ilog2()
}

/// `a * b` mod `p`, for `a` and `b` of a smaller degree than `p`, which has 63 at most.
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

/// `a` mod `p`.
pub fn remainder(mut a: u64, p: u64) -> u64 {
    while a != 0 && degree(a) >= degree(p) {
        a ^= p << (degree(a) - degree(p));
    }
    a
}

/// Whether nothing but 1 divides both.
pub fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, remainder(a, b));
    }
    a == 1
}

/// Whether `p`, of degree n = 1 to 63, is no product of others: x^(2^n) = x mod p, and x^(2^(n/q)) - x has no common
/// factor with p for any prime q that divides n (Rabin: Probabilistic algorithms in finite fields, 1981).
pub fn is_irreducible(p: u64) -> bool {
    let n = degree(p);
    let x = remainder(2, p);
    // Squared k times, x is x^(2^k).
    let squared = |count: u32| (0..count).fold(x, |power, _| times(power, power, p));
    squared(n) == x && (2..=n).filter(|&q| is_prime(q) && n.is_multiple_of(q)).all(|q| coprime(p, squared(n / q) ^ x))
}

fn is_prime(number: u32) -> bool {
    (2..number).all(|divisor| !number.is_multiple_of(divisor))
}

/// An irreducible polynomial of degree `n`, each equally likely: the first that the stream gives.
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

    /// Whether a polynomial of at least degree 1 and at most half of that of `p` divides it.
    fn divides(p: u64) -> bool {
        (2u64..1 << (degree(p) / 2 + 1)).any(|d| remainder(p, d) == 0)
    }

    #[test]
    fn rabins_test_against_trial_division() {
        for p in 2..1 << 13 {
            assert_eq!(is_irreducible(p), !divides(p), "{p:b}");
        }
        // How many there are of each degree, by Gauss's formula.
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
            // Of degree 31 and less the whole product fits in a word.
            let (a, b) = (stream.draw() >> 32, stream.draw() >> 32);
            let whole = (0..32).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ a << bit);
            assert_eq!(times(a, b, p), remainder(whole, p));
        }
        assert!(coprime(0b110, 0b111) && !coprime(0b110, 0b101) && !coprime(0b110, 0));
    }
}
