//! The units into which a text is cut.

use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::stage::Argument;
use neardup_text::Unit;

const fn unit(unit: Unit, meaning: &'static str, paper: &'static str) -> Entry {
    let options: &[&str] = match unit {
        Unit::Code => &["comments"],
        _ if unit.is_of_words() => &["fold", "signs"],
        _ if unit.takes_folds() => &["fold"],
        _ => &[],
    };
    Entry { options, meaning, paper, ..Entry::new(unit.name()) }
}

/// The unit of a measure of sequences.
pub(super) const UNIT: ArgumentForm = ArgumentForm::Choice {
    letter: "UNIT",
    names: &["words", "eojeol", "segmented", "chars", "jamo", "bytes", "lines", "sentences", "paragraphs", "code"],
};

/// The unit that the first argument of such a measure names.
pub(super) fn unit_of(args: &[Argument]) -> Option<Unit> {
    match args.first() {
        Some(Argument::Name(name)) => name.parse().ok(),
        _ => None,
    }
}

const CHUNKS: &str = "Brin, Davis, Garcia-Molina 1995";

pub(super) const ENTRIES: [Entry; 11] = [
    unit(
        Unit::Words,
        "runs of letters, digits, marks and _ of the normal form; Han, Kana, Thai, Lao, Khmer and Myanmar in pairs of characters",
        "",
    ),
    unit(Unit::Eojeol, "the same words without the pair rule, so that Korean stays as it is spaced", ""),
    unit(
        Unit::Segmented,
        "the same words, Chinese, Japanese, Thai, Lao, Khmer and Burmese cut by ICU4X's dictionaries instead of in pairs",
        "",
    ),
    unit(Unit::Chars, "the characters of the normalised text, without white space", ""),
    unit(Unit::Jamo, "the same, every Hangul syllable split into its conjoining jamo", "Unicode Standard 3.12"),
    unit(Unit::Bytes, "the bytes of the field as they are", ""),
    unit(Unit::Lines, "lines, ended by \\n; blank ones dropped", CHUNKS),
    unit(Unit::Sentences, "sentences; blank ones dropped", "Unicode Standard Annex 29"),
    unit(Unit::Paragraphs, "pieces between blank lines", CHUNKS),
    unit(Unit::Code, "identifiers, numbers and operators of source code, in the case in which they are written", ""),
    unit(Unit::Given, "values made elsewhere: the integers and strings of the text field, one or a list", ""),
];
