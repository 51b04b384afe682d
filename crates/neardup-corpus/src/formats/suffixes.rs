//! The formats by the suffixes of their file names.

use std::path::Path;

use crate::compression::Compression;
use crate::containers;
use crate::format::{Format, Packing};
use crate::formats::LAYOUTS;
use crate::formats::json::JSONL;
use crate::formats::json::values::JSON;
use crate::formats::layout::Layout;
use crate::formats::source_code::is_source_code;
use crate::unit::PlaceUnit;

/// Returns the format and compression of a file by its name, or `None` if the suffix is unknown.
pub(crate) fn kind(path: &Path) -> Option<(Format, Compression)> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (stem, compression) = Compression::of(&name);
    let suffix = stem.rsplit_once('.')?.1;
    let facts = LAYOUTS.iter().map(|layout| layout.facts()).find(|facts| facts.suffixes.contains(&suffix))?;
    facts.packing.reads(compression).then_some((Format(facts), compression))
}

/// Returns how messages name a record of the source with this name, such as `docs.jsonl, line 7`. Sources of an unknown format are
/// counted in lines.
pub fn place_of(source: &str, row: u64) -> String {
    kind(Path::new(source)).map_or(PlaceUnit::Line, |(format, _)| format.unit()).place(source, row)
}

/// Returns the format of the standard input.
pub(crate) fn lines() -> Format {
    Format(&JSONL)
}

/// Returns the format of JSON of which the content shows the shape.
pub(crate) fn values() -> Format {
    Format(&JSON)
}

/// Returns all suffixes, for messages.
pub(crate) fn known() -> String {
    let of = |packing: Packing| suffixes(|layout| layout.facts().packing == packing);
    let packed = Compression::suffixes(|_| true).join(" ");
    let as_members = Compression::suffixes(Compression::has_members_as_records).join(" ");
    format!(
        "{} (each also with {packed}), {} (also with {as_members}), {}, {}, and, with --scheme code or by name, source files",
        of(Packing::Whole),
        of(Packing::Members),
        of(Packing::Never),
        containers::SUFFIXES
    )
}

/// Returns the suffixes of the files that [`crate::rewrite`] writes, for messages.
pub fn rewritten() -> String {
    suffixes(|layout| layout.is_rewritten())
}

/// Returns the suffixes of the files that [`crate::extend`] writes, for messages.
pub fn extended() -> String {
    suffixes(|layout| layout.is_extended())
}

fn suffixes(of: impl Fn(&dyn Layout) -> bool) -> String {
    let layouts = LAYOUTS.iter().filter(|layout| of(**layout) && !is_source_code(Format(layout.facts())));
    layouts.flat_map(|layout| layout.facts().suffixes).map(|suffix| format!(".{suffix}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_suffix_belongs_to_one_format() {
        let mut seen = HashSet::new();
        for suffix in LAYOUTS.iter().flat_map(|layout| layout.facts().suffixes) {
            assert!(seen.insert(suffix), "{suffix}");
            assert!(known().contains(suffix) || is_source_code(Format(LAYOUTS[LAYOUTS.len() - 1].facts())));
            assert!(kind(Path::new(&format!("A.{}", suffix.to_uppercase()))).unwrap().0.0.suffixes.contains(suffix));
        }
    }

    #[test]
    fn a_name_says_the_kind() {
        let of = |name: &str| kind(Path::new(name)).map(|(format, compression)| (format.name(), compression.name()));
        assert_eq!(of("a.ndjson"), Some(("jsonl", "")));
        assert_eq!(of("a.b.TSV.gz"), Some(("tsv", "gzip")));
        assert_eq!(of("a.warc.zst"), Some(("warc", "zstd")));
        for name in ["a", "a.gz", "jsonl", "a.xls", "a.parquet.gz", "a.jsonl.rar", "a.warc.xz", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
