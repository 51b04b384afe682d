use crate::compression::Compression;
use crate::format::Format;
use crate::formats::LAYOUTS;
use crate::formats::layout::Layout;

/// A format, for the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFormat {
    /// Suffixes of its files, in lower case and without the dot.
    pub suffixes: Vec<&'static str>,
    /// Suffixes of the compressions that its files may have, with the dot.
    pub compressions: Vec<String>,
    /// Unit in which the places of a file are counted: line, row, record or file.
    pub unit: &'static str,
    /// Whether a file can be written again with other texts.
    pub is_rewritten: bool,
}

/// Lists all formats, in the order in which messages name them.
pub fn list_formats() -> Vec<ListedFormat> {
    let listed = |layout: &&dyn Layout| {
        let facts = layout.facts();
        ListedFormat {
            suffixes: facts.suffixes.to_vec(),
            compressions: Compression::suffixes(|compression| facts.packing.reads(compression)),
            unit: Format(facts).unit().name(),
            is_rewritten: layout.is_rewritten(),
        }
    };
    LAYOUTS.iter().map(listed).collect()
}
