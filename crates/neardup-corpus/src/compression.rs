/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one member or many (`.gz`).
    Gzip,
    /// Zstandard, of one frame or many (`.zst`).
    Zstd,
}

impl Compression {
    /// That of a file by its name in lower case, and the name without the end that says so.
    pub(crate) fn of(name: &str) -> (&str, Compression) {
        match name.rsplit_once('.') {
            Some((stem, "gz")) => (stem, Compression::Gzip),
            Some((stem, "zst")) => (stem, Compression::Zstd),
            _ => (name, Compression::None),
        }
    }
}
