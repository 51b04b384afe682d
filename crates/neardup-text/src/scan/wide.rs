//! Blocks with bytes that are not ASCII.

use crate::scan::letters::{Letters, letters};
use crate::scan::order::stays;
use crate::scan::sigma::lower_sigma;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::scan::window::Window;
use crate::simd::Lanes;

/// What a scan assumes about a text, and how it cuts the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether scripts without spaces are cut into pairs.
    pub(crate) pairs: bool,
    /// Flags of [`ScanEntry`] that must be checked: properties of characters to which normalisation may not have been applied.
    pub(crate) odd: u8,
}

impl Rules {
    /// Flags for a text that is not normalised.
    pub(crate) const RAW: u8 = ScanEntry::ODD_CASE | ScanEntry::ODD_FORM | ScanEntry::MARK;
    /// Flags for a text in NFC.
    pub(crate) const COMPOSED: u8 = ScanEntry::ODD_CASE;
    /// Flags for a text in NFC and lower case.
    pub(crate) const LOWERED: u8 = 0;
}

/// Letters of a block that are cut into pairs, by their number of bytes.
#[derive(Clone, Copy, Default)]
struct LetterPairs {
    three: u64,
    four: u64,
}

/// Finds the tokens of the block at `at`. `x`, `words` and `high` are its registers, its ASCII word bytes and its other bytes.
/// `next` and `third` are the blocks one and two bytes later. Returns `false` if the text must be normalised.
#[inline(always)]
pub(crate) fn wide<L: Lanes>(
    lanes: L,
    source: &[u8],
    at: usize,
    (next, third): (&[u8; 64], &[u8; 64]),
    (x, words, high): (L::Block, u64, u64),
    rules: Rules,
    window: &mut Window,
) -> bool {
    let y = lanes.load(next);
    let leads = high & !lanes.between(x, 0x80, 0xBF);
    let Letters { two, three, pairs, separators } = letters(lanes, leads, x, y, third);
    let rest = leads & !(two | three | pairs | separators);

    let (three, pairs) = if rules.pairs { (three, pairs) } else { (three | pairs, 0) };
    let mut found = BlockLetters {
        words: words | window.carry.bytes | two | two << 1 | three | three << 1 | three << 2,
        beyond: (two >> 63) | (three >> 62 & 1) | ((three >> 63) * 3),
        pairs: LetterPairs { three: pairs, four: 0 },
    };
    let (patch, length) = std::mem::take(&mut window.carry.patch);
    if length > 0 {
        window.low[window.filled..window.filled + length].copy_from_slice(&patch[..length]);
    }
    if rest != 0 {
        match others(source, at, rest, rules, window, found) {
            Some(more) => found = more,
            None => return false,
        }
    }
    let BlockLetters { words, beyond, pairs } = found;
    window.carry.bytes = beyond;

    let before = words << 1 | window.carry.word;
    window.carry.word = words >> 63;
    let (starts, ends) = cut(pairs, window);
    window.mark(lanes, (words & !before) | starts, (before & !words) | ends);
    true
}

/// Letters that were found in a block.
#[derive(Clone, Copy)]
struct BlockLetters {
    /// Bytes of ordinary words in this block.
    words: u64,
    /// Bytes of these words in the next block.
    beyond: u64,
    pairs: LetterPairs,
}

/// Adds the letters whose first bytes are `rest`, one by one, by the table. Returns `None` if one of them is odd.
fn others(source: &[u8], at: usize, mut rest: u64, rules: Rules, window: &mut Window, found: BlockLetters) -> Option<BlockLetters> {
    let BlockLetters { mut words, mut beyond, pairs: LetterPairs { mut three, mut four } } = found;
    let mut pages = Pages::default();
    while rest != 0 {
        let i = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let (code, length) = code_at(source, at + i);
        let &ScanEntry { mut lower, flags, .. } = pages.entry(code);
        if flags & rules.odd != 0 {
            lower = settle(&source[..at + i], &source[at + i..], code, flags & rules.odd, lower)?;
        }
        if flags & ScanEntry::WORD == 0 {
            continue;
        }
        let lead = 1_u64 << i;
        if flags & ScanEntry::PAIR != 0 && rules.pairs {
            let letters = if length == 3 { &mut three } else { &mut four };
            *letters |= lead;
            continue;
        }
        // If bits are shifted out, the subtraction borrows and sets all bits from the lead on.
        words |= (lead << length).wrapping_sub(lead);
        if i + length > 64 {
            beyond |= (1 << (i + length - 64)) - 1;
        }
        if flags & ScanEntry::CAPITAL != 0 && rules.odd != Rules::LOWERED {
            put(window, i, &lower[..length]);
        }
    }
    Some(BlockLetters { words, beyond, pairs: LetterPairs { three, four } })
}

/// Returns the lower case of an odd letter if normalisation would not move or replace it. `flags` are the flags in question.
#[cold]
#[inline(never)]
pub(crate) fn settle(before: &[u8], from: &[u8], code: u32, flags: u8, lower: [u8; 4]) -> Option<[u8; 4]> {
    if flags == ScanEntry::ODD_CASE && code == 0x3A3 {
        return lower_sigma(before, &from[2..]);
    }
    (flags == ScanEntry::MARK && stays(before, char::from_u32(code)?)).then_some(lower)
}

/// Writes a letter in lower case at byte `i` of the current block.
#[cold]
#[inline(never)]
fn put(window: &mut Window, i: usize, lower: &[u8]) {
    window.low[window.filled + i..][..lower.len()].copy_from_slice(lower);
    // The next block will overwrite the bytes past the end of this block.
    let beyond = (i + lower.len()).saturating_sub(64);
    window.carry.patch.0[..beyond].copy_from_slice(&lower[lower.len() - beyond..]);
    window.carry.patch.1 = beyond;
}

/// Returns the starts and ends of the tokens of pair letters.
///
/// The first letter of a run always starts a token, and every other letter starts one if a letter follows it. Every letter except
/// the first ends a token, and the first does if it is alone. So starts and ends pair up in order. Only the next block shows
/// whether another letter follows the last one of a block, so the start of that letter waits.
#[inline(always)]
fn cut(pairs: LetterPairs, window: &mut Window) -> (u64, u64) {
    let carry = &mut window.carry;
    let letters = pairs.three | pairs.four;
    if letters | carry.ends == 0 {
        return (0, 0);
    }
    let LetterPairs { three, four } = pairs;
    let from_before = carry.ends;
    let ends = from_before | three << 3 | four << 4;
    carry.ends = three >> 61 | four >> 60;
    let firsts = letters & !ends;
    let (first_three, first_four) = (firsts & three, firsts & four);
    let first_ends = carry.firsts | first_three << 3 | first_four << 4;
    carry.firsts = first_three >> 61 | first_four >> 60;
    let joined = letters & ends;
    let followed = (joined >> 3 & three) | (joined >> 4 & four);

    let waiting = carry.waiting.take();
    if carry.ends & !carry.firsts != 0 {
        carry.waiting = Some(window.filled as u16 + 63 - letters.leading_zeros() as u16);
    }
    if let Some(place) = waiting
        && letters & from_before != 0
    {
        window.start(place);
    }
    (firsts | followed, ends & !(first_ends & letters))
}
