//! Blocks that are not all ASCII.

use crate::scan::letters::{Letters, letters};
use crate::scan::order::stays;
use crate::scan::sigma::lower_sigma;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::scan::window::Window;
use crate::simd::Lanes;

/// What a scan takes for granted, and what it makes of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether scripts without spaces are cut into pairs.
    pub(crate) pairs: bool,
    /// Flags of [`ScanEntry`] that must be looked at: those of what normalisation may not have been done for.
    pub(crate) odd: u8,
}

impl Rules {
    /// Of a text as it comes.
    pub(crate) const RAW: u8 = ScanEntry::ODD_CASE | ScanEntry::ODD_FORM | ScanEntry::MARK;
    /// Of a text in NFC.
    pub(crate) const COMPOSED: u8 = ScanEntry::ODD_CASE;
    /// Of a text in NFC and lower case.
    pub(crate) const LOWERED: u8 = 0;
}

/// The letters of a block that are cut into pairs, by the bytes they take.
#[derive(Clone, Copy, Default)]
struct LetterPairs {
    three: u64,
    four: u64,
}

/// Finds the tokens of the block at `at`: its registers, ASCII word bytes and other bytes are `x`, `words` and
/// `high`, and `next` and `third` are the blocks one and two bytes on. `false` if the text must be normalised.
#[inline(always)]
pub(crate) fn wide<L: Lanes>(
    lanes: L,
    source: &[u8],
    at: usize,
    (next, third): (&[u8; 64], &[u8; 64]),
    (x, words, high): (L::Block, u64, u64),
    rules: Rules,
    room: &mut Window,
) -> bool {
    let y = lanes.load(next);
    let leads = high & !lanes.between(x, 0x80, 0xBF);
    let Letters { two, three, pairs, separators } = letters(lanes, leads, x, y, third);
    let rest = leads & !(two | three | pairs | separators);

    let (three, pairs) = if rules.pairs { (three, pairs) } else { (three | pairs, 0) };
    let mut found = BlockLetters {
        words: words | room.carry.bytes | two | two << 1 | three | three << 1 | three << 2,
        beyond: (two >> 63) | (three >> 62 & 1) | ((three >> 63) * 3),
        pairs: LetterPairs { three: pairs, four: 0 },
    };
    let (patch, length) = std::mem::take(&mut room.carry.patch);
    if length > 0 {
        room.low[room.filled..room.filled + length].copy_from_slice(&patch[..length]);
    }
    if rest != 0 {
        match others(source, at, rest, rules, room, found) {
            Some(more) => found = more,
            None => return false,
        }
    }
    let BlockLetters { words, beyond, pairs } = found;
    room.carry.bytes = beyond;

    let before = words << 1 | room.carry.word;
    room.carry.word = words >> 63;
    let (starts, ends) = cut(pairs, room);
    room.mark(lanes, (words & !before) | starts, (before & !words) | ends);
    true
}

/// What is known of a block's letters.
#[derive(Clone, Copy)]
struct BlockLetters {
    /// Bytes of ordinary words.
    words: u64,
    /// The same in the next block.
    beyond: u64,
    pairs: LetterPairs,
}

/// Adds the letters whose first bytes are `rest`, one by one, by the table; `None` if one of them is odd.
fn others(source: &[u8], at: usize, mut rest: u64, rules: Rules, room: &mut Window, found: BlockLetters) -> Option<BlockLetters> {
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
        // What is shifted out borrows: then all bits from the lead on are set.
        words |= (lead << length).wrapping_sub(lead);
        if i + length > 64 {
            beyond |= (1 << (i + length - 64)) - 1;
        }
        if flags & ScanEntry::CAPITAL != 0 && rules.odd != Rules::LOWERED {
            put(room, i, &lower[..length]);
        }
    }
    Some(BlockLetters { words, beyond, pairs: LetterPairs { three, four } })
}

/// The lower case of a letter that is not plain, if normalisation would leave it where it is; `flags` are those in
/// question.
#[cold]
#[inline(never)]
pub(crate) fn settle(before: &[u8], from: &[u8], code: u32, flags: u8, lower: [u8; 4]) -> Option<[u8; 4]> {
    if flags == ScanEntry::ODD_CASE && code == 0x3A3 {
        return lower_sigma(before, &from[2..]);
    }
    (flags == ScanEntry::MARK && stays(before, char::from_u32(code)?)).then_some(lower)
}

/// Writes a letter in lower case at byte `i` of the present block.
#[cold]
#[inline(never)]
fn put(room: &mut Window, i: usize, lower: &[u8]) {
    room.low[room.filled + i..][..lower.len()].copy_from_slice(lower);
    // The next block will write over what reaches beyond this one.
    let beyond = (i + lower.len()).saturating_sub(64);
    room.carry.patch.0[..beyond].copy_from_slice(&lower[lower.len() - beyond..]);
    room.carry.patch.1 = beyond;
}

/// Starts and ends of the tokens of pair letters.
///
/// The first letter of a run always starts a token, every other one if a letter follows it; every letter but the
/// first ends a token, and the first does if it is alone. So starts and ends pair up in order. Whether the last
/// letter of a block is followed by another, the next block knows: until then its start waits.
#[inline(always)]
fn cut(pairs: LetterPairs, room: &mut Window) -> (u64, u64) {
    let carry = &mut room.carry;
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
        carry.waiting = Some(room.filled as u16 + 63 - letters.leading_zeros() as u16);
    }
    if let Some(place) = waiting
        && letters & from_before != 0
    {
        room.start(place);
    }
    (firsts | followed, ends & !(first_ends & letters))
}
