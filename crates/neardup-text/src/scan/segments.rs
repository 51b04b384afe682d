//! Segments: the pieces of a text that the normal form changes each on its own.

use std::ops::Range;

use crate::normal::Form;
use crate::scan::table::Pages;

/// Calls `emit` with the byte ranges of the segments of a text, in order. A segment is a character and all that may join it.
pub(crate) fn each_segment(form: Form, text: &str, mut emit: impl FnMut(Range<usize>)) {
    let (mut open, mut pages) = (0, Pages::of(form));
    for (at, c) in text.char_indices().skip(1) {
        if !pages.entry(c.into()).joins() {
            emit(open..at);
            open = at;
        }
    }
    if open < text.len() {
        emit(open..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::exact::normalise;
    use proptest::prelude::*;

    fn letter() -> impl Strategy<Value = char> {
        let hard = "aeT Σςßﬁ²①Ⓐ™´№ـ\u{AD}\u{200C}\u{FE0F}\u{301}\u{323}\u{345}\u{308}\u{FE76}\u{64E}\u{651}\u{E4D}\u{E48}\u{E32}\u{E33}\u{1100}\u{1161}\u{11A8}가カﾞ\u{3099}\u{93C}न\u{FF9E}\u{1FB4}\u{390}";
        prop_oneof![4 => prop::sample::select(hard.chars().collect::<Vec<_>>()), 1 => any::<char>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn segments_are_normalised_each_on_its_own(text in prop::collection::vec(letter(), 0..12).prop_map(String::from_iter)) {
            for form in Form::ALL {
                let mut joined = String::new();
                each_segment(form, &text, |range| joined += &normalise(form, &text[range]));
                prop_assert_eq!(joined, normalise(form, &text));
            }
        }
    }
}
