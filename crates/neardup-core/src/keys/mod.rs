//! Keys: documents meet when they share enough of them.

mod bands;
mod prefix;

use crate::signatures::Values;

pub use bands::Bands;
pub use prefix::Prefix;

/// The keys a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Keys {
    /// One key per band of a MinHash signature.
    Bands(Bands),
    /// The smallest features of a whole set.
    Prefix(Prefix),
}

impl Keys {
    /// How many tables the keys fall into; a key meets only keys of its own table.
    pub fn tables(&self) -> usize {
        match self {
            Keys::Bands(bands) => bands.bands,
            Keys::Prefix(_) => 1,
        }
    }

    /// Whether every document has exactly one key in each table.
    pub fn fixed(&self) -> bool {
        matches!(self, Keys::Bands(_))
    }

    /// Appends the keys of one signature to `out`: one per table in order, or any number for the only table.
    pub fn keys(&self, values: &Values, out: &mut Vec<u32>) {
        match self {
            Keys::Bands(bands) => bands.keys(&values.narrow, out),
            Keys::Prefix(prefix) => prefix.keys(&values.wide, out),
        }
    }
}
