//! Versions of the file format of an index.

use std::ops::RangeInclusive;

/// The format in which the files of an index are written. It grows when any of them changes.
pub const FORMAT: u32 = 2;
/// The formats that can be read. Format 1 has no records beside its texts, no roll and no copy of its manifest.
pub const FORMATS: RangeInclusive<u32> = 1..=FORMAT;
