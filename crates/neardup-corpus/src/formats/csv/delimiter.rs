use crate::dialect::Dialect;
use crate::sources::stream::BOM;

/// Bytes that may separate the fields of a CSV file, in the order in which they are tried.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of records after the header that must have as many fields as the header.
const RECORDS: usize = 20;

/// Beginning of a first line that declares the delimiter, which spreadsheets write and obey.
const DECLARATION: &[u8] = b"sep=";

/// Returns the delimiter that the first line declares, such as `sep=;`, and the bytes of that line with its end.
pub(crate) fn declared_delimiter(head: &[u8]) -> Option<(u8, usize)> {
    let is_quoted = head.first() == Some(&b'"');
    let line = &head[usize::from(is_quoted)..];
    let (name, rest) = line.split_at_checked(DECLARATION.len())?;
    let (delimiter, after) = rest.split_first()?;
    let end = if is_quoted { after.strip_prefix(b"\"")? } else { after };
    let line_end = match end {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => return None,
    };
    let is_declared = name.eq_ignore_ascii_case(DECLARATION) && delimiter.is_ascii() && !matches!(delimiter, b'\r' | b'\n' | b'"');
    is_declared.then(|| (*delimiter, head.len() - end.len() + line_end))
}

/// Finds the byte that separates the fields of a CSV file from its first bytes: the declared one, otherwise the first candidate by which the header has several
/// fields and the next records have as many, otherwise the first by which the header has several. Returns `None` if the header has
/// one field by all of them.
pub(crate) fn find_delimiter(head: &[u8]) -> Option<u8> {
    if let Some((declared, _)) = declared_delimiter(head.strip_prefix(BOM).unwrap_or(head)) {
        return Some(declared);
    }
    let counted = CANDIDATES.map(|delimiter| (delimiter, field_counts(head, delimiter)));
    let several = |counts: &[usize]| counts.first().is_some_and(|&fields| fields > 1);
    let agreed = counted.iter().find(|(_, counts)| several(counts) && counts.iter().all(|count| *count == counts[0]));
    agreed.or_else(|| counted.iter().find(|(_, counts)| several(counts))).map(|(delimiter, _)| *delimiter)
}

/// Returns the number of fields of the header and of the complete records after it.
fn field_counts(head: &[u8], delimiter: u8) -> Vec<usize> {
    let mut reader = Dialect { delimiter, ..Dialect::CSV }.reader();
    let (mut counts, mut fields, mut at, mut room) = (Vec::new(), 0, 0, [0; 1 << 12]);
    while at < head.len() && counts.len() <= RECORDS {
        let (result, read, _) = reader.read_field(&head[at..], &mut room);
        at += read;
        if let csv_core::ReadFieldResult::Field { record_end } = result {
            fields += 1;
            if record_end {
                counts.push(std::mem::take(&mut fields));
            }
        }
    }
    // A header without a line end.
    if counts.is_empty() && fields > 0 {
        counts.push(fields + 1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_found() {
        for (head, want) in [
            ("id,text\n1,a\n", Some(b',')),
            ("id;text\n1;a, b\n2;c\n", Some(b';')),
            ("id\ttext\n1\ta;b\n", Some(b'\t')),
            ("id|text|x\n1|a|2\n", Some(b'|')),
            ("text\na, b; c\n", None),
            ("id;\"a, text\"\n1;\"x;y\"\n", Some(b';')),
            ("\"a,b\";c\n1;2\n", Some(b';')),
            ("a,b;c\n1,2;3\n4,5;6\n", Some(b',')),
            ("a,b;c\n1;3\n4;5\n", Some(b';')),
            ("id;text", Some(b';')),
            ("", None),
            ("sep=;\nid;text\n1;a, b\n", Some(b';')),
            ("\u{feff}SEP=~\r\nid~text\n", Some(b'~')),
            ("\"sep=\t\"\r\nid\ttext\n", Some(b'\t')),
            ("sep=;;text\n1;2;3\n", Some(b';')),
        ] {
            assert_eq!(find_delimiter(head.as_bytes()), want, "{head:?}");
        }
    }

    #[test]
    fn a_declared_delimiter_is_a_line_of_its_own() {
        for (head, want) in [
            ("sep=;\nid;text\n", Some((b';', 6))),
            ("sep=,\r\n", Some((b',', 7))),
            ("Sep=|\rid|text", Some((b'|', 6))),
            ("\"sep=;\"\nid", Some((b';', 8))),
            ("sep=;", Some((b';', 5))),
        ] {
            assert_eq!(declared_delimiter(head.as_bytes()), want, "{head:?}");
        }
        for head in ["", "sep", "sep=", "sep=\n", "sep=;x\n", "sep=;;\n", "\"sep=;\n", "set=;\n", "id;sep=;\n", "sep=é\n"] {
            assert_eq!(declared_delimiter(head.as_bytes()), None, "{head:?}");
        }
    }
}
