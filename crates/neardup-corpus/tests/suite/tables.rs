//! CSV and TSV as programs write them: line ends, marks, a declared delimiter, and rejects as written.

use crate::common::{Given, How, rejected, skip, texts};
use neardup_corpus::{Fields, JobControl, SourceSpan, rewrite};

#[test]
fn every_line_end_begins_a_row() {
    for (content, rows) in [
        ("id,text\r1,a\r2,b\r3,c\r", [2, 3, 4]),
        ("id,text\r1,a\r2,b\r3,c", [2, 3, 4]),
        ("id,text\n1,a\r2,b\r\n3,c\n", [2, 3, 4]),
        ("id,text\r\r1,a\n\n2,b\r\n\r\n3,c\r", [3, 5, 7]),
        ("id,text\r1,\"a\"\r2,\"b\r\"\r3,c\r", [2, 3, 5]),
        ("id,text\r\n1,a\r\n2,\"b\r\n\"\r\n3,c\r\n", [2, 3, 5]),
    ] {
        for (name, content) in [("a.csv", content.to_owned()), ("a.tsv", content.replace(',', "\t"))] {
            if name == "a.tsv" && content.contains('"') {
                continue;
            }
            for chunk_bytes in [1, 1 << 20] {
                let given = Given::new(name, content.as_bytes());
                let found = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
                assert_eq!(found.docs.iter().map(|doc| doc.row).collect::<Vec<_>>(), rows, "{name} {content:?}");
                assert_eq!(texts(&found).iter().map(|text| text.trim()).collect::<Vec<_>>(), ["a", "b", "c"]);
            }
        }
    }
}

#[test]
fn a_declared_delimiter_is_no_header() {
    for first in ["sep=;\r\n", "\u{feff}sep=;\r\n", "\"sep=;\"\n"] {
        let content = format!("{first}id;text\r\n1;a, b\r\n2;c\r\n");
        let given = Given::new("a.csv", content.as_bytes());
        let found = given.read(&Fields::default(), &How::default()).unwrap();
        assert_eq!((texts(&found), found.docs[0].row), (vec!["a, b", "c"], 3));
        assert_eq!(given.kept(&[found.docs[0].span]), format!("{first}id;text\r\n2;c\r\n").as_bytes());
        assert_eq!(neardup_corpus::field_names(&given.source, &Fields::default()).unwrap(), ["id", "text"]);
        let lead = neardup_corpus::lead(&given.source, &Fields::default()).unwrap() as usize;
        assert_eq!(&content[..lead], format!("{first}id;text\r\n"));
    }
}

#[test]
fn a_mark_goes_with_its_record() {
    let content = "\u{feff}n,text\n1,a\n\u{feff}2,b\n\u{feff}\n3,c\n";
    let given = Given::new("a.csv", content.as_bytes());
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    assert_eq!(given.kept(&[docs[1].span]), "\u{feff}n,text\n1,a\n\u{feff}\n3,c\n".as_bytes());
    assert_eq!(given.kept(&[docs[0].span]), "\u{feff}n,text\n\u{feff}2,b\n\u{feff}\n3,c\n".as_bytes());
    let given = Given::new("a.csv", "text,n\na,1\n\u{feff}\"b, c\",2\n".as_bytes());
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    let (target, edit) = (given.beside("new"), (docs[1].span, Some("x".to_owned())));
    let mut edits = [Ok::<_, neardup_corpus::Error>(edit)].into_iter();
    rewrite(&given.source, &Fields::default(), &mut edits, None, &target, &JobControl::default()).unwrap();
    assert_eq!(std::fs::read_to_string(target).unwrap(), "text,n\na,1\n\u{feff}\"x\",2\n");
}

#[test]
fn an_excerpt_is_the_record_as_written() {
    let fields = Fields { time: Some("at".to_owned()), ..Fields::default() };
    let content = "id,text,at\n1,\"the \"\"ferry\"\", at\",never\n2;the ferry\n3,a,2020\n";
    for chunk_bytes in [1, 1 << 20] {
        let given = Given::new("a.csv", content.as_bytes());
        let found = given.read(&fields, &How { chunk_bytes, ..skip() }).unwrap();
        let excerpts: Vec<_> = found.rejects.iter().map(|reject| reject.excerpt.as_str()).collect();
        assert_eq!(excerpts, ["1,\"the \"\"ferry\"\", at\",never", "2;the ferry"]);
    }
}

#[test]
fn an_open_quote_says_how_many_lines_it_took() {
    for (content, lines) in [
        ("id,text\n1,a\n2,\"b\n3,c\n4,d\n", "the 3 lines"),
        ("id,text\r\n1,a\r\n2,\"b\r\n3,c", "the 2 lines"),
        ("id,text\r1,a\r2,\"b\r3,c\r4,d\r", "the 3 lines"),
        ("id,text\n1,a\n2,\"b", "the line"),
    ] {
        let found = Given::new("a.csv", content.as_bytes()).read(&Fields::default(), &skip()).unwrap();
        let reject = &found.rejects[0];
        assert_eq!((texts(&found), reject.row), (vec!["a"], 3));
        let reason = format!("a quote opens a field here and nothing closes it; it took {lines} to the end of the file");
        assert_eq!(reject.reason, reason, "{content:?}");
        assert!(reject.excerpt.starts_with("2,\"b"), "{content:?}");
        assert_eq!((reject.offset + reject.len) as usize, content.len());
    }
}

#[test]
fn a_record_above_the_limit_does_not_end_the_table() {
    let long = "x".repeat(400_000);
    let content = format!("id,text\n1,a\n2,\"{long}\n{long}\"\n3,c\n");
    for name in ["a.csv", "a.csv.gz"] {
        let given = Given::new(name, content.as_bytes());
        let how = |chunk_bytes| How { chunk_bytes, max_record: 50_000, ..skip() };
        for chunk_bytes in [1, 1 << 20] {
            let found = given.read(&Fields::default(), &how(chunk_bytes)).unwrap();
            assert_eq!((texts(&found), found.rejects.len()), (vec!["a", "c"], 1));
            assert_eq!((found.docs[1].row, found.rejects[0].row, found.rejects[0].len), (5, 3, 2 * 400_000 + 6));
            assert_eq!(given.kept(&rejected(&found)), b"id,text\n1,a\n3,c\n");
        }
    }
    let windows = content.replace('\n', "\r\n");
    let given = Given::new("a.csv", windows.as_bytes());
    let found = given.read(&Fields::default(), &How { max_record: 50_000, ..skip() }).unwrap();
    assert_eq!(given.kept(&rejected(&found)), b"id,text\r\n1,a\r\n3,c\r\n");
    // Without its header, nothing of a table is read or kept.
    let given = Given::new("a.csv", format!("id,{long}\n1,a\n2,b\n").as_bytes());
    let found = given.read(&Fields::default(), &How { max_record: 50_000, ..skip() }).unwrap();
    assert_eq!((found.docs.len(), found.rejects.len(), given.kept(&rejected(&found))), (0, 1, Vec::new()));
    // Spans of what is read and of what is rejected cover all but the header.
    let given = Given::new("a.csv", content.as_bytes());
    let found = given.read(&Fields::default(), &How { max_record: 50_000, ..skip() }).unwrap();
    let read: u64 = found.docs.iter().map(|doc| doc.span).chain(rejected(&found)).map(|span: SourceSpan| span.len).sum();
    assert_eq!(read, content.len() as u64 - 8);
}
