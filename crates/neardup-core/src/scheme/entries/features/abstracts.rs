//! `abstract:N`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "N", least: 1, most: 1_000_000, auto: false }],
    lossy: true,
    meaning: "the first N tokens as one feature; of bytes 512, as Tianwang has it",
    paper: "Tianwang, Peking University",
    ..Entry::new("abstract")
};
