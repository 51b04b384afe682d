/// How the fields of a text table are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Byte between two fields.
    pub delimiter: u8,
    /// Whether a field may be in double quotes, by RFC 4180, and then contain any character. Otherwise a quote is an ordinary
    /// character.
    pub quoted: bool,
}

impl Dialect {
    /// CSV, by RFC 4180.
    pub const CSV: Dialect = Dialect { delimiter: b',', quoted: true };
    /// TSV. A quote is an ordinary character, since most programs write no quoted fields.
    pub const TSV: Dialect = Dialect { delimiter: b'\t', quoted: false };

    pub(crate) fn reader(self) -> csv_core::Reader {
        csv_core::ReaderBuilder::new().delimiter(self.delimiter).quoting(self.quoted).build()
    }
}
