//! Lower case of whole pieces, in NFC. Masks convert ASCII and the large scripts, the table converts all other characters.

use crate::scan::letters::{Letters, letters};
use crate::scan::table::{Pages, code_at};
use crate::scan::wide::{Rules, settle};
use crate::simd::{Kernel, Lanes, Level, bytes_at};

/// Appends `piece` in NFC and lower case to `out`. Returns `false` in case of doubt: then the exact rules must be used, and the
/// appended bytes are unspecified.
pub(crate) fn lower_into(level: Level, piece: &str, out: &mut Vec<u8>) -> bool {
    let (source, start) = (piece.as_bytes(), out.len());
    out.extend_from_slice(source);
    let low = &mut out[start..];
    low.make_ascii_lowercase();
    level.run(Lower { source, low })
}

/// Converts the letters that are not ASCII.
struct Lower<'a> {
    source: &'a [u8],
    /// Copy of `source` with A-Z in lower case.
    low: &'a mut [u8],
}

impl Kernel for Lower<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { source, low } = self;
        let mut pages = Pages::default();
        for at in (0..source.len()).step_by(64) {
            let mut padded = [0; 66];
            let block = bytes_at(source, at, &mut padded);
            let [this @ .., _, _] = block;
            let x = lanes.load(this);
            let mut rest = lanes.high(x);
            if rest != 0 {
                rest &= changing(lanes, x, rest, block);
            }
            while rest != 0 {
                let place = at + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let (code, length) = code_at(source, place);
                let entry = pages.entry(code);
                let odd = entry.flags & Rules::RAW;
                let lower = if odd == 0 { Some(entry.lower) } else { settle(&source[..place], &source[place..], code, odd, entry.lower) };
                let Some(lower) = lower else { return false };
                low[place..][..length].copy_from_slice(&lower[..length]);
            }
        }
        true
    }
}

/// Returns where a character begins that lower case or NFC may change. `x` is the block, and `high` are its bytes that are not
/// ASCII.
#[inline(always)]
fn changing<L: Lanes>(lanes: L, x: L::Block, high: u64, [_, rest @ ..]: &[u8; 66]) -> u64 {
    let [next @ .., _] = rest;
    let [_, third @ ..] = rest;
    let leads = high & !lanes.between(x, 0x80, 0xBF);
    let Letters { two, three, pairs, separators } = letters(lanes, leads, x, lanes.load(next), third);
    // NFC replaces U+2000 and U+2001.
    let spaces = lanes.eq(x, 0xE2) & lanes.between(lanes.load(third), 0x80, 0x81);
    leads & !(two | three | pairs | separators & !spaces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::normalise;
    use proptest::prelude::*;

    fn check(piece: &str) -> bool {
        let mut out = b"before".to_vec();
        let sure = lower_into(Level::best(), piece, &mut out);
        assert!(!sure || out[6..] == *normalise(piece).as_bytes(), "{piece:?}");
        for level in Level::available() {
            let mut other = b"before".to_vec();
            assert_eq!(lower_into(level, piece, &mut other), sure, "{piece:?} on {}", level.name());
            assert!(!sure || other == out, "{piece:?} on {}", level.name());
        }
        sure
    }

    /// Whether a character is certain alone and between letters. All are, except marks and those that change their length or form.
    fn is_sure(c: &char) -> bool {
        check(&c.to_string()) && check(&format!("A{c}B")) && check(&format!("가{c} Σ"))
    }

    #[test]
    fn characters_alone_and_between_letters() {
        let planes = ('\0'..='\u{1FFFF}').chain('\u{2F000}'..='\u{2FFFF}').chain('\u{E0000}'..='\u{E0FFF}');
        assert!(planes.filter(is_sure).count() > 125_000);
    }

    #[test]
    #[ignore = "every character; most are of planes that have none or ideographs alone"]
    fn every_character_alone_and_between_letters() {
        assert!(('\0'..=char::MAX).filter(is_sure).count() > 1_100_000);
    }

    proptest! {
        #[test]
        fn as_the_exact_rules_or_in_doubt(piece in "[a-zA-Z ΑΣαςσÉİ가-힣한ᄀ-ᇂ字々ガが\u{300}-\u{330}\u{93C}न\u{3099}ｶ.'\\\\u]{0,30}|.{0,30}") {
            check(&piece);
        }
    }
}
