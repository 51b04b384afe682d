//! `levenshtein:UNIT,INSERT,DELETE,REPLACE`.

use crate::measures::TextMeasure;
use crate::measures::levenshtein::Costs;
use crate::scheme::entries::units::{UNIT, unit_of};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT, cost("INSERT"), cost("DELETE"), cost("REPLACE")],
    defaults: &[Argument::Name("chars"), Argument::Count(1), Argument::Count(1), Argument::Count(1)],
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Differences),
        of_texts: |args| match args {
            &[_, Argument::Count(insert), Argument::Count(delete), Argument::Count(replace)] => {
                let [insert, delete, replace] = [insert, delete, replace].map(|cost| cost as u32);
                Some(TextMeasure::Levenshtein(unit_of(args)?, Costs { insert, delete, replace }))
            }
            _ => None,
        },
        ..MeasureFacts::NONE
    },
    meaning: "the least cost of insertions, deletions and replacements that turn one token sequence into the other",
    paper: "Levenshtein 1966; Hyyro 2001",
    ..Entry::new("levenshtein")
};

const fn cost(letter: &'static str) -> ArgumentForm {
    ArgumentForm::Count { letter, least: 0, most: 1 << 20, auto: false }
}
