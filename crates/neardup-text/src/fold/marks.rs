//! Marks: accents, points and vowel signs above and below letters.

use icu_properties::CodePointMapData;
use icu_properties::props::Script;

use super::{Fold, Folding};
use crate::unicode::{is_combining, is_letter};

pub(super) const FOLD: Fold = Fold {
    name: "marks",
    meaning: "leaves out combining characters after letters of Latin, Greek, Cyrillic, Hebrew and Arabic; й stays",
    ascii: "",
    apply: |context, c| {
        let Some(base) = context.base.filter(|_| !c.is_ascii() && is_combining(c)) else { return Folding::Same };
        let scripts = [Script::Latin, Script::Greek, Script::Cyrillic, Script::Hebrew, Script::Arabic];
        let is_pointed = is_letter(base) && scripts.contains(&CodePointMapData::<Script>::new().get(base));
        // The breve makes another letter of и, as no other mark does.
        let is_short_i = matches!(base, 'и' | 'И') && c == '\u{306}';
        if is_pointed && !is_short_i { Folding::Text("") } else { Folding::Same }
    },
};
