//! Compares every level with a simple implementation, byte by byte.

use proptest::prelude::*;

use super::{Kernel, Lanes, Level};

/// All operations of lanes, on one block.
struct Everything([u8; 64]);

#[derive(Debug, PartialEq)]
struct Answers {
    copy: [u8; 64],
    eq: Vec<u64>,
    between: Vec<u64>,
    high: u64,
    lowered: [u8; 64],
    words: u64,
    positions: Vec<u16>,
    low_bits: Vec<u64>,
}

const BYTES: [u8; 6] = [b'"', b'\\', b'u', 0xE2, 0x80, 0];
const RANGES: [(u8, u8); 7] = [(0, 0x1F), (b'0', b'9'), (0xE5, 0xE9), (0x80, 0xBF), (0xB8, 0xBF), (0x80, 0x9D), (0xFF, 0xFF)];
const BASE: u16 = 1000;

impl Kernel for &Everything {
    type Output = Answers;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Answers {
        let block = lanes.load(&self.0);
        let (mut copy, mut lowered, mut positions) = ([0; 64], [0; 64], [0; 64]);
        lanes.store(block, &mut copy);
        let (folded, words) = lanes.fold_words(block);
        lanes.store(folded, &mut lowered);
        let high = lanes.high(block);
        let chosen = words | high;
        lanes.positions(chosen, BASE, &mut positions);
        let word = u64::from_le_bytes(self.0[..8].try_into().unwrap());
        Answers {
            copy,
            eq: BYTES.iter().map(|&byte| lanes.eq(block, byte)).collect(),
            between: RANGES.iter().map(|&(first, last)| lanes.between(block, first, last)).collect(),
            high,
            lowered,
            words,
            positions: positions[..chosen.count_ones() as usize].to_vec(),
            low_bits: (0..=20).map(|bytes| lanes.low_bits(word, 8 * bytes)).collect(),
        }
    }
}

/// Returns where the test holds.
fn mask(bytes: &[u8; 64], test: impl Fn(u8) -> bool) -> u64 {
    bytes.iter().enumerate().map(|(i, &byte)| u64::from(test(byte)) << i).sum()
}

fn obvious(bytes: [u8; 64]) -> Answers {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let first = u128::from(u64::from_le_bytes(bytes[..8].try_into().unwrap()));
    Answers {
        copy: bytes,
        eq: BYTES.iter().map(|&byte| mask(&bytes, |b| b == byte)).collect(),
        between: RANGES.iter().map(|&(from, to)| mask(&bytes, |b| (from..=to).contains(&b))).collect(),
        high: mask(&bytes, |b| !b.is_ascii()),
        lowered: bytes.map(|b| b.to_ascii_lowercase()),
        words: mask(&bytes, word),
        positions: (0..64).filter(|&i| word(bytes[i]) || !bytes[i].is_ascii()).map(|i| BASE + i as u16).collect(),
        low_bits: (0..=20).map(|bytes| (first & ((1 << (8 * bytes.min(8))) - 1)) as u64).collect(),
    }
}

fn check(bytes: [u8; 64]) {
    for level in Level::available() {
        assert_eq!(level.run(&Everything(bytes)), obvious(bytes), "{}", level.name());
    }
}

#[test]
fn every_byte_in_every_place() {
    for byte in 0..=255 {
        check([byte; 64]);
        check(std::array::from_fn(|i| byte.wrapping_add(i as u8)));
        for place in 0..64 {
            let mut bytes = [b' '; 64];
            bytes[place] = byte;
            check(bytes);
        }
    }
}

proptest! {
    #[test]
    fn any_block(bytes in prop::collection::vec(any::<u8>(), 64)) {
        check(bytes.try_into().unwrap());
    }
}
