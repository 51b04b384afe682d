//! `equal`.

use crate::scheme::entry::Entry;

pub(crate) const ENTRY: Entry =
    Entry { meaning: "shares at least `match` keys of one kind; not verified unless a plain measure is added", ..Entry::new("equal") };
