use crate::records::place::Span;

/// A record that is written with another text, or, without one, not at all.
pub type Edit = (Span, Option<String>);
