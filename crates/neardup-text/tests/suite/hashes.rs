//! The frozen hashes: golden values, an independent computation, and their distribution.

use neardup_text::fingerprint::{sequence, shingles, shingles_on, token};
use neardup_text::simd::Level;
use proptest::prelude::*;

/// Returns both halves of the 128-bit product, computed by long multiplication with 32-bit digits.
fn product(a: u64, b: u64) -> (u64, u64) {
    let (a0, a1, b0, b1) = (a & 0xFFFF_FFFF, a >> 32, b & 0xFFFF_FFFF, b >> 32);
    let middle = a1 * b0 + ((a0 * b0) >> 32);
    let low = a0 * b1 + (middle & 0xFFFF_FFFF);
    (a1 * b1 + (middle >> 32) + (low >> 32), (low << 32) | ((a0 * b0) & 0xFFFF_FFFF))
}

fn fold(a: u64, b: u64) -> u64 {
    let (high, low) = product(a, b);
    high ^ low
}

fn key(seed: u64, i: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(i + 1));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Returns the 64-bit word at `at`; missing bytes are 0.
fn word(bytes: &[u8], at: usize) -> u64 {
    (0..8).map(|i| u64::from(bytes.get(at + i).copied().unwrap_or(0)) << (8 * i)).sum()
}

fn slow_token(bytes: &[u8], seed: u64) -> u64 {
    let (mut h, mut at) = (0, 0);
    while bytes.len() - at > 16 {
        h = fold(word(bytes, at) ^ key(seed, 2) ^ h, word(bytes, at + 8) ^ key(seed, 3));
        at += 16;
    }
    fold(word(bytes, at) ^ key(seed, 0) ^ h, word(bytes, at + 8) ^ key(seed, 1) ^ bytes.len() as u64)
}

fn slow_shingle(tokens: &[u64]) -> u64 {
    let mut h = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(tokens.len() as u64);
    for (i, token) in tokens.iter().enumerate() {
        h = h.wrapping_add(token.wrapping_mul(key(0, i as u64) | 1));
    }
    for _ in 0..2 {
        h = (h ^ h >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
    h ^ h >> 32
}

const TOKENS: [(&str, u64, u64); 7] = [
    ("", 0x7D53_7433_2B0E_E65B, 0x320F_FED6_2CFC_C73C),
    ("a", 0x3E17_2D5C_3B9D_CF83, 0x81D9_1CC1_1044_C679),
    ("word", 0x0E97_7AFE_B784_084B, 0x2F54_30BA_F533_A909),
    ("한글", 0x62E9_7359_6FA5_FAA1, 0x8A83_084A_5A5F_28B0),
    ("sixteen bytes ok", 0x4C99_9899_EA66_98E8, 0xFB00_B214_22B1_DB08),
    ("seventeen bytes !", 0x6A2A_5061_5356_B391, 0xC7F2_88FF_4212_9B7D),
    ("a token that is much longer than any of the usual words are", 0xC5BE_7886_E618_E3C1, 0x0E43_6D53_9B4A_E08E),
];

#[test]
fn golden_tokens() {
    for (text, zero, forty_two) in TOKENS {
        for (seed, golden) in [(0, zero), (42, forty_two)] {
            assert_eq!(token(text.as_bytes(), seed), golden, "{text:?}");
            assert_eq!(slow_token(text.as_bytes(), seed), golden, "{text:?}");
        }
    }
}

/// Returns the hashes of the tokens a, b, c, ...
fn letters(count: u8) -> Vec<u64> {
    (b'a'..b'a' + count).map(|letter| token(&[letter], 0)).collect()
}

#[test]
fn golden_shingles() {
    let golden =
        [(1, 1, 0xCDEF_44FF_C90B_F10D), (3, 5, 0xFD09_6B08_2510_294D), (5, 5, 0xE5CA_531F_A9FB_DADB), (20, 17, 0x1354_F727_AEBB_36E1)];
    for (count, w, first) in golden {
        let mut out = vec![];
        shingles(&letters(count), w, &mut out);
        assert_eq!(out[0], first, "{count} tokens, w = {w}");
    }
}

#[test]
fn golden_sequences() {
    let golden = [
        (0, 0xE866_B1AC_C40D_54C0_5B76_3200_8574_9628),
        (1, 0xBE6F_D523_4E0C_AAB6_0697_B031_B4E1_0AB1),
        (7, 0xB7C5_0A07_AFC9_BF78_0325_7BE8_ADA0_251D),
        (8, 0xD9DB_E8E4_A9BE_1307_1D8C_CC6D_B8A7_4516),
        (9, 0x8765_BF97_60B2_5EE7_1C65_D574_A83D_AE7F),
        (20, 0xDBC5_951E_F532_B0B0_5851_2733_BEAE_088D_u128),
    ];
    for (count, digest) in golden {
        assert_eq!(sequence(&letters(count), 0), digest, "{count} tokens");
    }
}

#[test]
fn sequences_differ_by_order_length_and_seed() {
    let tokens = letters(9);
    let mut seen = std::collections::HashSet::new();
    for count in 0..=9 {
        assert!(seen.insert(sequence(&tokens[..count], 0)));
        assert!(seen.insert(sequence(&tokens[..count], 1)));
        assert!(seen.insert(sequence(&[&tokens[..count], &[0]].concat(), 0)));
    }
    for (i, j) in (0..9).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let mut swapped = tokens.clone();
        swapped.swap(i, j);
        assert!(seen.insert(sequence(&swapped, 0)));
    }
}

#[test]
fn a_text_shorter_than_a_shingle_has_one_shingle_of_its_own_length() {
    let mut seen = std::collections::HashSet::new();
    let same = [7; 9];
    for count in 1..=9 {
        let mut out = vec![];
        shingles(&same[..count], 9, &mut out);
        assert_eq!(out.len(), 1);
        assert!(seen.insert(out[0]), "{count} equal tokens");
    }
    let mut none = vec![];
    shingles(&[], 5, &mut none);
    assert!(none.is_empty());
}

proptest! {
    #[test]
    fn tokens_equal_the_slow_computation(bytes in prop::collection::vec(any::<u8>(), 0..80), seed in any::<u64>()) {
        prop_assert_eq!(token(&bytes, seed), slow_token(&bytes, seed));
    }

    #[test]
    fn shingles_equal_the_slow_computation(tokens in prop::collection::vec(any::<u64>(), 0..150), w in 0..40_usize) {
        let width = w.clamp(1, tokens.len().max(1));
        let expected: Vec<u64> = tokens.windows(width).map(slow_shingle).collect();
        for level in Level::available() {
            let mut out = vec![9];
            shingles_on(level, &tokens, w, &mut out);
            prop_assert_eq!(&out[1..], &expected[..], "{}", level.name());
        }
    }
}

/// Counts equal neighbours among the sorted values.
fn collisions(mut values: Vec<u64>) -> usize {
    values.sort_unstable();
    values.windows(2).filter(|two| two[0] == two[1]).count()
}

#[test]
fn parts_of_tokens_and_shingles_are_uniformly_distributed() {
    // All pairs of 700 Han characters: 490,000 tokens of six bytes, which differ as little as tokens can.
    let han: Vec<char> = ('\u{4E00}'..).take(700).collect();
    let tokens: Vec<u64> = han.iter().flat_map(|a| han.iter().map(move |b| token(format!("{a}{b}").as_bytes(), 0))).collect();
    let mut ones = vec![];
    shingles(&tokens, 1, &mut ones);
    let mut fives = vec![];
    shingles(&tokens, 5, &mut fives);
    // Of n values of b bits, n(n-1)/2^(b+1) collide by chance: 28 of 32 bits, none of 44. The top bits of tokens that
    // differ little are less uniform, so tokens are checked with more bits.
    for shift in [0, 10, 20] {
        let found = collisions(tokens.iter().map(|h| h >> shift & ((1 << 44) - 1)).collect());
        assert!(found < 3, "tokens, bits from {shift}: {found}");
    }
    for (name, hashes) in [("1-shingles", &ones), ("5-shingles", &fives)] {
        for shift in [0, 16, 32] {
            let found = collisions(hashes.iter().map(|h| h >> shift & 0xFFFF_FFFF).collect());
            assert!((8..60).contains(&found), "{name}, bits from {shift}: {found}");
        }
    }
    for (name, hashes) in [("tokens", &tokens), ("1-shingles", &ones), ("5-shingles", &fives)] {
        for bit in 0..64 {
            let set = hashes.iter().filter(|h| *h >> bit & 1 == 1).count();
            let share = set * 1000 / hashes.len();
            assert!((490..510).contains(&share), "{name}, bit {bit}: {share}");
        }
    }
}
