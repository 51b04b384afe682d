//! Marks: accents, points and vowel signs above and below letters.

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};

use super::{Fold, Folding};

pub(super) const FOLD: Fold = Fold {
    name: "marks",
    meaning: "leaves out combining characters after letters of Latin, Greek, Cyrillic, Hebrew and Arabic; й stays",
    ascii: "",
    apply: |context, c| {
        if c.is_ascii() {
            return Folding::Same;
        }
        let category = |c| CodePointMapData::<GeneralCategory>::new().get(c);
        let Some(base) = context.base.filter(|_| GeneralCategoryGroup::Mark.contains(category(c))) else { return Folding::Same };
        let scripts = [Script::Latin, Script::Greek, Script::Cyrillic, Script::Hebrew, Script::Arabic];
        let is_letter =
            GeneralCategoryGroup::Letter.contains(category(base)) && scripts.contains(&CodePointMapData::<Script>::new().get(base));
        // The breve makes another letter of и, as no other mark does.
        let is_short_i = matches!(base, 'и' | 'И') && c == '\u{306}';
        if is_letter && !is_short_i { Folding::Text("") } else { Folding::Same }
    },
};
