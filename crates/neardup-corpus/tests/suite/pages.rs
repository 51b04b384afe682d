//! Bytes of pages in every charset of the web.

use std::borrow::Cow;

use crate::common::Given;
use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};
use neardup_corpus::{FindOptions, GivenEncoding, REPLACED_BYTES, TextEncoding, decode_page, discover};
use proptest::prelude::*;

/// A charset, and words that it can write.
const WORDS: [(&str, &str); 26] = [
    ("utf-8", "größe żółw 한국어"),
    ("windows-1252", "größe naïve – “Mole”"),
    ("iso-8859-1", "größe naïve"),
    ("iso-8859-15", "größe œuvre 5 €"),
    ("macintosh", "größe naïve"),
    ("windows-1250", "žluťoučký kůň żółw"),
    ("iso-8859-2", "žluťoučký kůň żółw"),
    ("windows-1254", "ağaç şişe"),
    ("windows-1257", "ąžuolas ėjo"),
    ("iso-8859-4", "ąžuolas ėjo"),
    ("windows-1253", "η θάλασσα"),
    ("iso-8859-7", "η θάλασσα"),
    ("windows-1251", "паром выходит"),
    ("koi8-r", "паром выходит"),
    ("koi8-u", "її човен"),
    ("iso-8859-5", "паром выходит"),
    ("ibm866", "паром выходит"),
    ("windows-1255", "הספינה יוצאת"),
    ("windows-1256", "تخرج العبارة"),
    ("windows-874", "เรือออกจากท่า"),
    ("windows-1258", "thuyền"),
    ("euc-kr", "배가 항구를 떠난다"),
    ("shift_jis", "船は七時に出る"),
    ("euc-jp", "船は七時に出る"),
    ("gb18030", "渡船七点离开码头"),
    ("big5", "渡船七點離開碼頭"),
];

fn encode(label: &str, text: &str) -> Vec<u8> {
    // Vietnamese needs its marks one by one in windows-1258.
    let text = if label == "windows-1258" { text.replace("thuyền", "thuyê\u{300}n") } else { text.to_owned() };
    let (bytes, _, is_lossy) = Encoding::for_label(label.as_bytes()).unwrap().encode(&text);
    assert!(!is_lossy, "{label}");
    bytes.into_owned()
}

fn read(bytes: &[u8], charset: Option<&str>) -> (String, Vec<String>) {
    let page = decode_page(bytes, charset, true);
    (page.text.into_owned(), page.flaws)
}

#[test]
fn a_declared_charset_is_obeyed_wherever_it_is_declared() {
    for (label, words) in WORDS {
        let words = if label == "windows-1258" { "thuyê\u{300}n" } else { words };
        let far = format!("<script>'<meta charset=koi8-r>'</script>{}", " ".repeat(2000));
        for head in [
            format!("<!doctype html><meta charset='{label}'>"),
            format!("<html><head><META name=x content=y/><meta HTTP-EQUIV=\"Content-Type\" content=\"text/html; charset={label}\">"),
            format!("<meta content=\"text/html;charset = '{label}'\" http-equiv='content-type'/>"),
            format!("<?xml version=\"1.0\" encoding='{label}'?><html>"),
            format!("<!-- <meta charset=nonsense> --><meta charset=none><meta charset={}>", label.to_uppercase()),
            format!("<title>x</title>{}<meta charset={label}>", " ".repeat(2000)),
        ] {
            let page = format!("{head}<p>{words}");
            assert_eq!(read(&encode(label, &page), None), (page, vec![]), "{label}");
        }
        let page = format!("{far}<meta charset={label}><p>{words}");
        if label != "koi8-r" {
            // Its first kilobyte is scanned without regard to elements.
            assert_ne!(read(&encode(label, &page), None).0, page);
            let page = format!("{}{page}", " ".repeat(1024));
            assert_eq!(read(&encode(label, &page), None), (page, vec![]), "{label}");
        }
        // The header of HTTP comes before the page, and a label that nobody knows does not count.
        let page = format!("<meta charset=x-user-defined><p>{words}");
        assert_eq!(read(&encode(label, &page), Some(label)), (page, vec![]));
        let page = format!("<meta charset={label}><p>{words}");
        assert_eq!(read(&encode(label, &page), Some("utf8mb4")), (page, vec![]));
    }
}

#[test]
fn a_byte_order_mark_comes_before_every_declaration() {
    let page = "<meta charset=koi8-r><p>größe 한국어";
    let wide = |to: fn(u16) -> [u8; 2]| "\u{feff}".encode_utf16().chain(page.encode_utf16()).flat_map(to).collect::<Vec<u8>>();
    for bytes in [format!("\u{feff}{page}").into_bytes(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        assert_eq!(read(&bytes, Some("windows-1251")), (page.to_owned(), vec![]));
    }
    let found = [(UTF_16LE, wide(u16::to_le_bytes)), (UTF_16BE, wide(u16::to_be_bytes))];
    for (encoding, bytes) in found {
        let guess = format!("charset detected: {}", encoding.name());
        assert_eq!(read(&bytes[2..], None), (page.to_owned(), vec![guess]));
    }
}

#[test]
fn pages_in_utf_32() {
    let page = "<!doctype html><title>größe</title><p>한국어 𝄞";
    for (name, to) in [("UTF-32LE", u32::to_le_bytes as fn(u32) -> [u8; 4]), ("UTF-32BE", u32::to_be_bytes)] {
        let bytes: Vec<u8> = "\u{feff}".chars().chain(page.chars()).flat_map(|letter| to(letter.into())).collect();
        assert_eq!(read(&bytes, None), (page.to_owned(), vec![]));
        assert_eq!(read(&bytes[4..], None), (page.to_owned(), vec![format!("charset detected: {name}")]));
        let cut = &bytes[..bytes.len() - 1];
        let replaced = format!("{}\u{fffd}", page.trim_end_matches('𝄞'));
        assert_eq!(read(cut, None), (replaced, vec![REPLACED_BYTES.to_owned()]));
        let given = Given::new("a.html", &bytes[4..]);
        let encoding = GivenEncoding::Named(TextEncoding::named(name).unwrap());
        let options = FindOptions { encoding, ..FindOptions::default() };
        let source = discover(&[given.path().to_str().unwrap().to_owned()], &options).unwrap().sources.remove(0);
        assert_eq!(source.undeclared, Some(TextEncoding::named(name).unwrap()));
    }
}

#[test]
fn utf_16_that_single_bytes_declare_is_utf_8() {
    let page = "<meta charset=utf-16le><p>größe";
    assert_eq!(read(page.as_bytes(), None), (page.to_owned(), vec![]));
}

#[test]
fn a_charset_without_declaration_is_detected_and_named() {
    let texts = [
        (WINDOWS_1252, "<p>Der Fährmann verlässt die Mole um sieben Uhr und kommt mittags zurück, während der Wärter zählt"),
        (WINDOWS_1251, "<p>паром выходит в семь часов и возвращается в полдень по рыночным дням"),
        (SHIFT_JIS, "<p>船は七時に港を出て、正午に戻ってくる。灯台守は船を数える。"),
        (EUC_JP, "<p>船は七時に港を出て、正午に戻ってくる。灯台守は船を数える。"),
        (ISO_2022_JP, "<p>船は七時に港を出て、正午に戻ってくる。"),
    ];
    for (encoding, page) in texts {
        let guess = format!("charset detected: {}", encoding.name());
        assert_eq!(read(&encoding.encode(page).0, None), (page.to_owned(), vec![guess]));
    }
    // A plain text has no markup that could declare anything.
    let text = "<meta charset=koi8-r> größe";
    assert_eq!(decode_page(text.as_bytes(), None, false).text, text);
}

#[test]
fn utf_8_is_not_a_guess_even_if_it_is_damaged() {
    let text = "größe und noch mehr Größe, ".repeat(9);
    assert!(matches!(decode_page(text.as_bytes(), None, true).text, Cow::Borrowed(_)));
    assert_eq!(read(text.as_bytes(), None), (text.clone(), vec![]));
    // The body is cut inside a character.
    let cut = "fünf ö".as_bytes();
    assert_eq!(read(&cut[..cut.len() - 1], None), ("fünf \u{fffd}".to_owned(), vec![REPLACED_BYTES.to_owned()]));
    let damaged = [text.as_bytes(), b"\xff", text.as_bytes()].concat();
    assert_eq!(read(&damaged, None), (format!("{text}\u{fffd}{text}"), vec![REPLACED_BYTES.to_owned()]));
}

#[test]
fn bytes_that_are_no_characters_of_a_declared_charset_are_replaced_and_counted() {
    let bytes = [b"<meta charset=utf-8>caf".as_slice(), b"\xe9"].concat();
    assert_eq!(read(&bytes, None), ("<meta charset=utf-8>caf\u{fffd}".to_owned(), vec![REPLACED_BYTES.to_owned()]));
}

proptest! {
    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..300), is_markup: bool) {
        decode_page(&bytes, None, is_markup);
    }

    #[test]
    fn any_tags_are_a_page(parts in prop::collection::vec(prop::sample::select(vec![
        "<meta", " ", "charset", "=", "'", "\"", "utf-8", "koi8-r", ">", "<!--", "-->", "<?xml", "encoding", "/", "<script", "</script", "<", "http-equiv",
        "content", "content-type", "é",
    ]), 0..40)) {
        decode_page(parts.concat().as_bytes(), None, true);
    }
}
