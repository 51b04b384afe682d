//! Source files of programs, one document each.

use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, Format, FormatFacts, Packing};
use crate::formats::layout::{Layout, Reader};
use crate::formats::plain::WholeFile;
use crate::formats::whole_files;
use crate::keep::{KeptFile, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::unit::PlaceUnit;

static SOURCE_CODE: FormatFacts = FormatFacts {
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

/// Whether files of a format are source files, which are read only where they are wanted.
pub(crate) fn is_source_code(format: Format) -> bool {
    format == Format(&SOURCE_CODE)
}

pub(crate) struct SourceCode;

impl Layout for SourceCode {
    fn facts(&self) -> &'static FormatFacts {
        &SOURCE_CODE
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        whole_files::keep(source, dropped, target, threads, control)
    }

    fn text_slot(&self, _: &Source, _: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        Ok(Some(Box::new(WholeFile)))
    }

    fn is_rewritten(&self) -> bool {
        true
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for SourceCode {
    fn read(&self, sources: &[Source], _: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        whole_files::read(sources, options, work)
    }
}
