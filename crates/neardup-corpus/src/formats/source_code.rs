//! Source files of programs, one document each.

use crate::format::{FileContent, Format, FormatFacts, Packing};
use crate::formats::plain::PlainFormat;
use crate::unit::PlaceUnit;

static FACTS: FormatFacts = FormatFacts {
    suffixes: &[
        "py", "pyi", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "ino", "cu", "cs", "java", "kt", "kts", "scala", "groovy", "gradle",
        "clj", "cljs", "go", "rs", "swift", "m", "mm", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "php", "rb",
        "pl", "pm", "lua", "r", "jl", "f", "f90", "f95", "for", "pas", "ada", "adb", "ads", "d", "nim", "zig", "v", "sv", "vhd", "vhdl",
        "hs", "lhs", "ml", "mli", "fs", "fsx", "ex", "exs", "erl", "hrl", "elm", "lisp", "lsp", "el", "scm", "rkt", "sh", "bash", "zsh",
        "fish", "ps1", "bat", "cmd", "awk", "sed", "tcl", "vb", "vbs", "bas", "cob", "cbl", "asm", "s", "sql", "proto", "thrift",
        "graphql", "cmake", "mk", "dart", "sol", "css", "scss", "sass", "less", "xml", "xsl", "xslt", "xsd", "svg", "yaml", "yml", "toml",
        "ini", "cfg", "conf", "tf", "hcl", "tex", "sty", "bib", "ipynb",
    ],
    unit: PlaceUnit::File,
    content: FileContent::Text,
    packing: Packing::Whole,
    has_texts_in_place: true,
};

pub(crate) static SOURCE_CODE: PlainFormat = PlainFormat(&FACTS);

/// Whether files of a format are source files, which are read only where they are wanted.
pub(crate) fn is_source_code(format: Format) -> bool {
    format == Format(&FACTS)
}
