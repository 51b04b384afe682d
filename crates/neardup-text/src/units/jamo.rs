//! Hangul syllables and the conjoining jamo of which they consist (The Unicode Standard, section 3.12).

const SYLLABLES: u32 = 0xAC00;
const LEADS: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
/// One below the first tail, since a syllable may have no tail.
const TAILS: u32 = 0x11A7;
const VOWEL_COUNT: u32 = 21;
const TAIL_COUNT: u32 = 28;
const SYLLABLE_COUNT: u32 = 19 * VOWEL_COUNT * TAIL_COUNT;

/// Whether a code point is a Hangul syllable.
#[inline]
pub(crate) fn is_syllable(code: u32) -> bool {
    code.wrapping_sub(SYLLABLES) < SYLLABLE_COUNT
}

/// Returns the lead, the vowel and, if there is one, the tail of a Hangul syllable. Returns `None` for another code point.
#[inline]
pub(crate) fn split(code: u32) -> Option<impl Iterator<Item = char>> {
    let syllable = is_syllable(code).then(|| code - SYLLABLES)?;
    let tail = syllable % TAIL_COUNT;
    let vowel = syllable / TAIL_COUNT % VOWEL_COUNT;
    let lead = syllable / TAIL_COUNT / VOWEL_COUNT;
    let jamo = [Some(LEADS + lead), Some(VOWELS + vowel), (tail > 0).then_some(TAILS + tail)];
    Some(jamo.into_iter().flatten().filter_map(char::from_u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_normalizer::DecomposingNormalizerBorrowed;

    #[test]
    fn every_syllable_and_nothing_else_is_split_as_nfd_does() {
        let nfd = DecomposingNormalizerBorrowed::new_nfd();
        let mut count = 0;
        for c in '\0'..=char::MAX {
            let Some(jamo) = split(c.into()) else { continue };
            assert_eq!(jamo.collect::<String>(), nfd.normalize(c.encode_utf8(&mut [0; 4])), "{c:?}");
            count += 1;
        }
        assert_eq!(count, 11_172);
        assert!(split('가'.into()).is_some() && split('힣'.into()).is_some());
    }
}
