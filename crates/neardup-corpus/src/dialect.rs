/// How the fields of a table of text are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The byte between two fields.
    pub delimiter: u8,
    /// Whether a field may be in double quotes, by RFC 4180, and then hold anything; else a quote is a character as any.
    pub quoted: bool,
}

impl Dialect {
    /// CSV, by RFC 4180.
    pub const CSV: Dialect = Dialect { delimiter: b',', quoted: true };
    /// TSV: a quote is a character as any, since most programs write none.
    pub const TSV: Dialect = Dialect { delimiter: b'\t', quoted: false };

    pub(crate) fn reader(self) -> csv_core::Reader {
        csv_core::ReaderBuilder::new().delimiter(self.delimiter).quoting(self.quoted).build()
    }
}
