//! A text is the same in every encoding, and kept files have the bytes of the input.

use crate::common::{Given, How, rejected, skip, texts};
use neardup_corpus::{Fields, FindOptions, GivenEncoding, JobControl, Source, SourceSpan, TextEncoding, discover, keep, rewrite};
use proptest::prelude::*;

/// Encodings, each with letters that it can write.
const ENCODINGS: [(&str, &str); 22] = [
    ("utf-8", "Größe, 가나다, 日本"),
    ("utf-16le", "Größe, 가나다, 𝄞"),
    ("utf-16be", "Größe, 가나다, 𝄞"),
    ("utf-32le", "Größe, 가나다, 𝄞"),
    ("utf-32be", "Größe, 가나다, 𝄞"),
    ("windows-1252", "Größe café naïve œuvre"),
    ("iso-8859-15", "Größe café œuvre €"),
    ("macintosh", "Größe café naïve"),
    ("windows-1250", "příliš žluťoučký kůň"),
    ("iso-8859-2", "zażółć gęślą jaźń"),
    ("windows-1251", "съешь ещё этих булок"),
    ("koi8-r", "съешь ещё этих булок"),
    ("ibm866", "съешь ещё этих булок"),
    ("windows-1253", "ξεσκεπάζω την ψυχή"),
    ("windows-1254", "pijamalı hasta yağız"),
    ("windows-1255", "דג סקרן שט בים"),
    ("windows-1256", "نص حكيم له سر"),
    ("euc-kr", "다람쥐 헌 쳇바퀴"),
    ("shift_jis", "いろはにほへと 色は匂へど"),
    ("euc-jp", "いろはにほへと 色は匂へど"),
    ("gb18030", "天地玄黄 宇宙洪荒 𠀀"),
    ("big5", "天地玄黃 宇宙洪荒"),
];

fn bytes(encoding: &str, text: &str) -> Vec<u8> {
    match encoding {
        "utf-16le" | "utf-16be" => {
            let unit = |unit: u16| if encoding == "utf-16le" { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(unit).collect()
        }
        "utf-32le" => text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect(),
        "utf-32be" => text.chars().flat_map(|letter| u32::from(letter).to_be_bytes()).collect(),
        _ => {
            let (bytes, _, is_lossy) = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap().encode(text);
            assert!(!is_lossy, "{encoding}");
            bytes.into_owned()
        }
    }
}

/// Finds the file of `given` again, with an encoding for files without a byte order mark.
fn found(given: &Given, encoding: GivenEncoding) -> Source {
    let options = FindOptions { encoding, ..FindOptions::default() };
    discover(&[given.path().to_str().unwrap().to_owned()], &options).unwrap().sources.remove(0)
}

fn encoded(name: &str, encoding: &str, text: &str) -> Given {
    let given = Given::new(name, &bytes(encoding, text));
    let source = found(&given, GivenEncoding::Named(TextEncoding::named(encoding).unwrap()));
    Given { source, ..given }
}

fn kept(given: &Given, dropped: &[SourceSpan]) -> Vec<u8> {
    let target = given.beside("kept");
    keep(&given.source, dropped, &target, 2, &JobControl::default()).unwrap();
    std::fs::read(target).unwrap()
}

#[test]
fn a_text_is_the_same_in_every_encoding() {
    for (encoding, text) in ENCODINGS {
        let given = encoded("a.txt", encoding, text);
        assert_eq!(texts(&given.read(&Fields::default(), &How::default()).unwrap()), [text], "{encoding}");
        assert_eq!(kept(&given, &[]), bytes(encoding, text));
        let lines = format!("{{\"text\": \"{text}\"}}\n{{\"text\": \"x {text}\"}}\r\n");
        let table = format!("n,text\r\n1,{text}\r\n2,\"x {text}\"\r\n").replace(", ", " ");
        for (name, content) in
            [("a.jsonl", lines.clone()), ("a.json", format!("[{}]", lines.trim_end().replace('\n', ",\n"))), ("a.csv", table)]
        {
            let given = encoded(name, encoding, &content);
            for chunk_bytes in [1, 7, 1 << 20] {
                let read = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
                let text = if name == "a.csv" { text.replace(", ", " ") } else { text.to_owned() };
                assert_eq!(texts(&read), [text.clone(), format!("x {text}")], "{encoding} {name}");
            }
            let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
            let first = kept(&given, &[docs[1].span]);
            let again = Given::new(name, &first);
            let again = Given { source: found(&again, GivenEncoding::Named(given.source.encoding)), ..again };
            assert_eq!(texts(&again.read(&Fields::default(), &How::default()).unwrap()), [docs[0].text.as_str()], "{encoding} {name}");
        }
    }
}

#[test]
fn a_byte_order_mark_says_the_encoding() {
    for encoding in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        let marked = |text: &str| bytes(encoding, &format!("\u{feff}{text}"));
        for given in [GivenEncoding::Strict, GivenEncoding::Detect, GivenEncoding::Named(TextEncoding::named("koi8-r").unwrap())] {
            let file = Given::new("a.txt", &marked("né 가"));
            let file = Given { source: found(&file, given), ..file };
            assert_eq!(texts(&file.read(&Fields::default(), &How::default()).unwrap()), ["né 가"], "{encoding}");
        }
        let lines = Given::new("a.jsonl", &marked("{\"text\":\"가\"}\n{\"text\":\"b\"}\n"));
        let read = lines.read(&Fields::default(), &How::default()).unwrap();
        assert_eq!(texts(&read), ["가", "b"]);
        assert_eq!(kept(&lines, &[read.docs[0].span]), marked("{\"text\":\"b\"}\n"));
        assert_eq!(kept(&lines, &[read.docs[1].span]), marked("{\"text\":\"가\"}\n"));
    }
}

#[test]
fn joined_marks_are_no_text() {
    let lines = Given::new("a.jsonl", "\u{feff}{\"text\":\"a\"}\n\u{feff}{\"text\":\"b\"}\n\u{feff}\n".as_bytes());
    let table = Given::new("a.csv", "\u{feff}text,n\r\na,1\r\n\u{feff}b,2\r\n".as_bytes());
    let values = Given::new("a.json", "\u{feff}[{\"text\":\"a\"}]\u{feff}[{\"text\":\"b\"}]".as_bytes());
    for given in [lines, table, values] {
        for chunk_bytes in [1, 1 << 20] {
            let read = given.read(&Fields::default(), &How { chunk_bytes, ..How::default() }).unwrap();
            assert_eq!(texts(&read), ["a", "b"]);
        }
    }
}

#[test]
fn an_encoding_is_guessed() {
    for (encoding, text) in [
        ("windows-1251", "съешь же ещё этих мягких французских булок, да выпей чаю"),
        ("euc-kr", "다람쥐 헌 쳇바퀴에 타고파"),
        ("shift_jis", "いろはにほへと ちりぬるを"),
        ("utf-8", "né"),
    ] {
        let given = Given::new("a.txt", &bytes(encoding, text));
        let given = Given { source: found(&given, GivenEncoding::Detect), ..given };
        assert_eq!(texts(&given.read(&Fields::default(), &How::default()).unwrap()), [text]);
        assert!(given.source.is_guess_sure.is_some());
    }
}

#[test]
fn wide_encodings_and_escapes_are_guessed_in_every_text_format() {
    let text = "съешь ещё, 가나다 é";
    for encoding in ["utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-2022-jp"] {
        let text = if encoding == "iso-2022-jp" { "日本 a" } else { text };
        let is_sure = |given: &Given| given.source.is_guess_sure;
        // Much ASCII comes before the first other character.
        let lines = format!("{}{{\"text\":\"{text}\"}}\n", "{\"text\":\"a\"}\n".repeat(20_000));
        for (name, content) in [("a.txt", text.to_owned()), ("a.jsonl", lines), ("a.csv", format!("n;text\n1;\"{text}\"\n"))] {
            let given = Given::new(name, &encoded_bytes(encoding, &content));
            let given = Given { source: found(&given, GivenEncoding::Detect), ..given };
            assert_eq!((given.source.encoding, is_sure(&given)), (TextEncoding::named(encoding).unwrap(), Some(true)), "{name}");
            assert_eq!(*texts(&given.read(&Fields::default(), &How::default()).unwrap()).last().unwrap(), text, "{encoding} {name}");
        }
    }
}

/// Like [`bytes`], also for ISO-2022-JP.
fn encoded_bytes(encoding: &str, text: &str) -> Vec<u8> {
    if encoding != "iso-2022-jp" {
        return bytes(encoding, text);
    }
    encoding_rs::ISO_2022_JP.encode(text).0.into_owned()
}

#[test]
fn bytes_that_an_encoding_does_not_define_are_refused_with_their_record() {
    let mut lines = bytes("shift_jis", "{\"text\": \"色\"}\n{\"text\": \"?\"}\n{\"text\": \"匂\"}\n");
    let at = lines.iter().position(|byte| *byte == b'?').unwrap();
    lines[at] = 0xfd;
    let given = Given::new("a.jsonl", &lines);
    let given = Given { source: found(&given, GivenEncoding::Named(TextEncoding::named("sjis").unwrap())), ..given };
    let read = given.read(&Fields::default(), &skip()).unwrap();
    assert_eq!(texts(&read), ["色", "匂"]);
    assert!(read.rejects[0].reason.contains("invalid Shift_JIS") && read.rejects[0].row == 2, "{:?}", read.rejects);
    // Without the name, the error says how to give it.
    let strict = Given::new("b.txt", b"caf\xe9");
    let error = strict.read(&Fields::default(), &How::default()).unwrap_err().to_string();
    assert!(error.contains("invalid UTF-8 at byte 4 of the file") && error.contains("--encoding NAME"), "{error}");
}

#[test]
fn a_file_that_ends_inside_a_character_loses_its_last_record_only() {
    let lines = "{\"text\":\"色 a\"}\n{\"text\":\"匂\"}\n";
    let table = "n,text\n1,色 a\n2,匂\n";
    for (encoding, cut) in [("utf-16le", 1), ("utf-16be", 1), ("utf-32le", 3), ("shift_jis", 0), ("gb18030", 0), ("euc-jp", 0)] {
        for (name, content) in [
            ("a.jsonl", lines.to_owned()),
            ("a.jsonl.gz", lines.to_owned()),
            ("a.csv", table.to_owned()),
            ("a.tsv", table.replace(',', "\t")),
            ("a.json", format!("[{}]", lines.trim_end().replace('\n', ","))),
        ] {
            // In encodings of one and two bytes, the second character is cut after its first byte.
            let whole = bytes(encoding, if cut == 0 { content.split_inclusive('匂').next().unwrap() } else { &content });
            let given = Given::new(name, &whole[..whole.len() - cut.max(1)]);
            let given = Given { source: found(&given, GivenEncoding::Named(TextEncoding::named(encoding).unwrap())), ..given };
            let read = given.read(&Fields::default(), &skip()).unwrap();
            // Of an array in a wide encoding, only the end is cut.
            let want = if name == "a.json" && cut > 0 { vec!["色 a", "匂"] } else { vec!["色 a"] };
            assert_eq!((texts(&read), read.rejects.len()), (want.clone(), 1), "{encoding} {name}");
            let kept = Given::new(name, &given.kept(&rejected(&read)));
            let kept = Given { source: found(&kept, GivenEncoding::Named(given.source.encoding)), ..kept };
            assert_eq!(texts(&kept.read(&Fields::default(), &How::default()).unwrap()), want, "{encoding} {name}");
            // Writing a new text reads the file in the same pieces.
            let edits = [(read.docs[0].span, Some("b".to_owned())), (rejected(&read)[0], None)];
            let target = given.beside("new");
            let mut edits = edits.into_iter().map(Ok::<_, neardup_corpus::Error>);
            rewrite(&given.source, &Fields::default(), &mut edits, None, &target, &JobControl::default()).unwrap();
        }
        let text = bytes(encoding, "色 匂");
        let given = Given::new("a.txt", &text[..text.len() - 1]);
        let given = Given { source: found(&given, GivenEncoding::Named(TextEncoding::named(encoding).unwrap())), ..given };
        assert_eq!(given.read(&Fields::default(), &skip()).unwrap().rejects.len(), 1, "{encoding}");
    }
}

#[test]
fn a_new_text_is_written_in_the_encoding_of_its_file() {
    let given = encoded("a.jsonl", "euc-kr", "{\"text\": \"가 나\"}\n{\"text\": \"다\"}\n");
    let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
    let target = given.beside("kept");
    let write = |text: &str| {
        let edits = [Ok::<_, neardup_corpus::Error>((docs[0].span, Some(text.to_owned()))), Ok((docs[1].span, None))];
        rewrite(&given.source, &Fields::default(), &mut edits.into_iter(), None, &target, &JobControl::default())
    };
    write("나").unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), bytes("euc-kr", "{\"text\": \"나\"}\n"));
    assert!(write("𝄞").unwrap_err().to_string().contains("EUC-KR cannot write"));
}

proptest! {
    #[test]
    fn any_records_can_be_dropped(texts in proptest::collection::vec("[a-zé가𝄞\u{feff}]{0,9}", 1..8), chosen in any::<u8>(), encoding in proptest::sample::select(vec!["utf-16le", "utf-16be", "utf-32le", "gb18030"])) {
        let line = |text: &String| format!("{{\"text\":\"{text}\"}}\n");
        let given = encoded("a.jsonl", encoding, &texts.iter().map(line).collect::<String>());
        let docs = given.read(&Fields::default(), &How::default()).unwrap().docs;
        let is_dropped = |at: usize| chosen >> at & 1 == 1;
        let dropped: Vec<SourceSpan> = docs.iter().enumerate().filter(|(at, _)| is_dropped(*at)).map(|(_, doc)| doc.span).collect();
        let rest: String = texts.iter().enumerate().filter(|(at, _)| !is_dropped(*at)).map(|(_, text)| line(text)).collect();
        prop_assert_eq!(kept(&given, &dropped), bytes(encoding, &rest));
    }
}
