//! The formats by the suffixes of their file names.

use std::path::Path;

use crate::compression::Compression;
use crate::format::Format;
use crate::formats::LAYOUTS;
use crate::formats::json::JSONL;
use crate::formats::layout::Layout;
use crate::unit::PlaceUnit;

/// Returns the format and compression of a file by its name, or `None` if the suffix is unknown.
pub(crate) fn kind(path: &Path) -> Option<(Format, Compression)> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let (stem, compression) = Compression::of(&name);
    let suffix = stem.rsplit_once('.')?.1;
    let facts = LAYOUTS.iter().map(|layout| layout.facts()).find(|facts| facts.suffixes.contains(&suffix))?;
    (compression == Compression::None || facts.is_packable).then_some((Format(facts), compression))
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

/// Returns all suffixes, for messages.
pub(crate) fn known() -> String {
    let of = |is_packable: bool| suffixes(|layout| layout.facts().is_packable == is_packable);
    format!("{} (each also with .gz or .zst) and {}", of(true), of(false))
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
    let layouts = LAYOUTS.iter().filter(|layout| of(**layout));
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
            assert!(known().contains(suffix));
            assert!(kind(Path::new(&format!("A.{}", suffix.to_uppercase()))).unwrap().0.0.suffixes.contains(suffix));
        }
    }

    #[test]
    fn a_name_says_the_kind() {
        let of = |name: &str| kind(Path::new(name)).map(|(format, compression)| (format.name(), compression));
        assert_eq!(of("a.ndjson"), Some(("jsonl", Compression::None)));
        assert_eq!(of("a.b.TSV.gz"), Some(("tsv", Compression::Gzip)));
        assert_eq!(of("a.warc.zst"), Some(("warc", Compression::Zstd)));
        for name in ["a", "a.gz", "jsonl", "a.xls", "a.parquet.gz", "a.jsonl.bz2", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
