//! Blocks with bytes that are not ASCII.

use crate::normal::Form;
use crate::scan::letters::{Letters, letters};
use crate::scan::settle::settles;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::scan::window::{BlockCarry, Window};
use crate::simd::Lanes;

/// What a scan assumes about a text, and how it cuts the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether scripts without spaces are cut into pairs.
    pub(crate) pairs: bool,
    /// Whether the text is in its normal form already.
    pub(crate) normal: bool,
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
    let Letters { two, mut three, pairs, separators, signs } = letters(lanes, leads, x, y, third);
    let mut rest = leads & !(two | three | pairs | separators | signs);
    if signs != 0 {
        let alone = alone(signs, words | two << 1 | three << 2 | pairs << 2, window.carry);
        three |= signs & !alone;
        rest |= alone;
    }

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

/// Returns the vowel signs that may begin a word: those after a character that is not in the masks, or after another such sign.
/// `ends` are the last bytes of the letters in the masks.
#[inline(always)]
fn alone(signs: u64, ends: u64, carry: BlockCarry) -> u64 {
    let after = ends << 1 | carry.bytes << 1 | carry.ends | carry.word;
    let mut alone = signs & !(after | signs << 3);
    loop {
        let more = alone | signs & alone << 3;
        if more == alone {
            return alone;
        }
        alone = more;
    }
}

/// Adds the letters whose first bytes are `rest`, one by one, by the table. Returns `None` if the text must be normalised.
fn others(source: &[u8], at: usize, mut rest: u64, rules: Rules, window: &mut Window, found: BlockLetters) -> Option<BlockLetters> {
    let BlockLetters { mut words, mut beyond, pairs: LetterPairs { mut three, mut four } } = found;
    let carry = window.carry;
    let mut pages = Pages::of(Form::Words);
    while rest != 0 {
        let i = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let (code, length) = code_at(source, at + i);
        let entry = pages.entry(code);
        let flags = entry.flags;
        if !rules.normal && flags & (ScanEntry::ODD | ScanEntry::JOINS) != 0 {
            let settled = flags & ScanEntry::ODD == 0 && settles(&source[..at + i], code, entry, &mut pages);
            settled.then_some(())?;
        }
        if flags & ScanEntry::WORD == 0 {
            continue;
        }
        let lead = 1_u64 << i;
        if flags & ScanEntry::MARK != 0 {
            // A mark begins no word. So it is left out unless the character before it belongs to one.
            let after = words << 1 | carry.word | three << 3 | four << 4 | carry.ends;
            if after & lead == 0 {
                continue;
            }
        }
        if flags & ScanEntry::CHANGED != 0 && !rules.normal {
            put(window, i, entry.normal().unwrap_or_default());
        }
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
    }
    Some(BlockLetters { words, beyond, pairs: LetterPairs { three, four } })
}

/// Writes the normal form of a letter at byte `i` of the current block.
#[cold]
#[inline(never)]
fn put(window: &mut Window, i: usize, normal: &[u8]) {
    window.low[window.filled + i..][..normal.len()].copy_from_slice(normal);
    // The next block will overwrite the bytes past the end of this block.
    let beyond = (i + normal.len()).saturating_sub(64);
    window.carry.patch.0[..beyond].copy_from_slice(&normal[normal.len() - beyond..]);
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
