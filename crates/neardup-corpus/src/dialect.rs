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

/// How CSV and TSV are read, where it differs from what is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Byte between two fields.
    pub delimiter: Option<u8>,
    /// Whether fields may be in double quotes.
    pub quoted: Option<bool>,
}

impl CsvOptions {
    /// Returns the options of a line such as `delimiter=; quotes=no`. The delimiter is a character of ASCII, `tab` or `\t`.
    ///
    /// # Errors
    /// The message names the wrong part and what is allowed.
    pub fn parse(line: &str) -> Result<CsvOptions, String> {
        let refuse = |part: &str| {
            format!(
                "csv is {line:?}: {part:?} is not allowed; allowed are delimiter=CHARACTER (of ASCII, or tab) and quotes=yes|no, each \
                 once, with a space between them"
            )
        };
        let mut options = CsvOptions::default();
        // A space may be the delimiter itself.
        for part in line.split_whitespace() {
            match part.split_once('=') {
                Some(("delimiter", "tab" | "\\t")) if options.delimiter.is_none() => options.delimiter = Some(b'\t'),
                Some(("delimiter", "space")) if options.delimiter.is_none() => options.delimiter = Some(b' '),
                Some(("delimiter", value)) if options.delimiter.is_none() => match value.as_bytes() {
                    [byte] if byte.is_ascii_punctuation() && *byte != b'"' => options.delimiter = Some(*byte),
                    _ => return Err(refuse(part)),
                },
                Some(("quotes", value @ ("yes" | "no"))) if options.quoted.is_none() => options.quoted = Some(value == "yes"),
                _ => return Err(refuse(part)),
            }
        }
        if line.trim().is_empty() { Err(refuse("")) } else { Ok(options) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_csv_options() {
        let parsed = |line| CsvOptions::parse(line);
        assert_eq!(parsed("delimiter=;"), Ok(CsvOptions { delimiter: Some(b';'), quoted: None }));
        assert_eq!(parsed("quotes=no delimiter=tab"), Ok(CsvOptions { delimiter: Some(b'\t'), quoted: Some(false) }));
        for line in ["", " ", "delimiter=", "delimiter=\"", "delimiter=é", "delimiter=;;", "quotes=maybe", "delimiter=; delimiter=,", "tab"]
        {
            assert!(parsed(line).unwrap_err().contains("delimiter=CHARACTER"), "{line}");
        }
    }
}
