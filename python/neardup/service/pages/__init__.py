"""Pages for people: one file for each kind of page, with a template each."""
