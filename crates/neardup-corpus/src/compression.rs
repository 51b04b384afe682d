/// Compression of the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// No compression.
    None,
    /// gzip with one or more members (`.gz`).
    Gzip,
    /// Zstandard with one or more frames (`.zst`).
    Zstd,
}

impl Compression {
    /// Returns the compression of a file by its name in lower case, and the name without the suffix of that compression.
    pub(crate) fn of(name: &str) -> (&str, Compression) {
        match name.rsplit_once('.') {
            Some((stem, "gz")) => (stem, Compression::Gzip),
            Some((stem, "zst")) => (stem, Compression::Zstd),
            _ => (name, Compression::None),
        }
    }
}
