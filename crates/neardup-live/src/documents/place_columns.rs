//! The sections in which places of texts are stored.

use crate::Result;
use crate::storage::sections::{Sections, Writer};
use std::ops::Range;

/// Names of the sections.
pub const STARTS: &str = "texts.starts";
pub const ENDS: &str = "texts.ends";

/// Reads the places of texts that [`write`] stored, by document.
pub fn read(sections: &Sections) -> Result<Vec<Range<u64>>> {
    let (starts, ends) = (sections.get::<u64>(STARTS)?, sections.get::<u64>(ENDS)?);
    Ok(starts.iter().zip(ends).map(|(&start, &end)| start..end).collect())
}

/// Returns the names of all sections of places.
pub fn sections() -> impl Iterator<Item = String> {
    [STARTS, ENDS].into_iter().map(str::to_owned)
}

/// Writes the places of texts.
pub fn write(writer: &mut Writer, places: &[Range<u64>]) -> Result<()> {
    writer.section(STARTS, &places.iter().map(|place| place.start).collect::<Vec<u64>>())?;
    writer.section(ENDS, &places.iter().map(|place| place.end).collect::<Vec<u64>>())
}
