use crate::dialect::Dialect;

/// Bytes that may separate the fields of a CSV file, in the order in which they are tried.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of records after the header that must have as many fields as the header.
const RECORDS: usize = 20;

/// Finds the byte that separates the fields of a CSV file from its first bytes: the first candidate by which the header has several
/// fields and the next records have as many, otherwise the first by which the header has several. Returns `None` if the header has
/// one field by all of them.
pub(crate) fn find_delimiter(head: &[u8]) -> Option<u8> {
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
    use super::find_delimiter;

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
        ] {
            assert_eq!(find_delimiter(head.as_bytes()), want, "{head:?}");
        }
    }
}
