//! Names of encodings.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16, KOI8_R, KOI8_U,
    MACINTOSH, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1252, X_MAC_CYRILLIC, X_USER_DEFINED,
};

use crate::encoding::text_encoding::TextEncoding;

/// Labels of other programs, letters and digits only. The encoding is the one of the standard that has all their characters.
const OTHER_LABELS: [(&str, &Encoding); 45] = [
    ("utf", UTF_8),
    ("u8", UTF_8),
    ("utf8sig", UTF_8),
    ("u16", UTF_16LE),
    ("utf16", UTF_16LE),
    ("utf16le", UTF_16LE),
    ("utf16be", UTF_16BE),
    ("646", WINDOWS_1252),
    ("8859", WINDOWS_1252),
    ("latin", WINDOWS_1252),
    ("latin7", ISO_8859_13),
    ("latin8", ISO_8859_14),
    ("latin9", ISO_8859_15),
    ("latin10", ISO_8859_16),
    ("l7", ISO_8859_13),
    ("l8", ISO_8859_14),
    ("l10", ISO_8859_16),
    ("tis620", WINDOWS_874),
    ("thai", WINDOWS_874),
    ("koi8r", KOI8_R),
    ("koi8u", KOI8_U),
    ("macroman", MACINTOSH),
    ("xmacroman", MACINTOSH),
    ("maccyrillic", X_MAC_CYRILLIC),
    ("xmaccyrillic", X_MAC_CYRILLIC),
    ("shiftjis", SHIFT_JIS),
    ("mskanji", SHIFT_JIS),
    ("windows31j", SHIFT_JIS),
    ("eucjp", EUC_JP),
    ("ujis", EUC_JP),
    ("iso2022jp", ISO_2022_JP),
    ("euckr", EUC_KR),
    ("uhc", EUC_KR),
    ("ksc5601", EUC_KR),
    ("ksc56011987", EUC_KR),
    ("ksc56011989", EUC_KR),
    ("ksx1001", EUC_KR),
    ("euccn", GBK),
    ("eucgb2312cn", GBK),
    ("gb231280", GBK),
    ("gb23121980", GBK),
    ("gb180302000", GB18030),
    ("big5tw", BIG5),
    ("big5hkscs", BIG5),
    ("hkscs", BIG5),
];

/// Numbers of code pages.
const CODE_PAGES: [(&str, &Encoding); 6] =
    [("874", WINDOWS_874), ("932", SHIFT_JIS), ("936", GBK), ("949", EUC_KR), ("950", BIG5), ("65001", UTF_8)];
/// Words before the number of a code page.
const CODE_PAGE: [&str; 5] = ["windows", "ibm", "cp", "ms", ""];
/// Years after the number of a part of ISO 8859.
const YEARS: [&str; 3] = ["1987", "1988", "1989"];

/// Names for messages.
const NAMES: &str = "utf-8, utf-16le, utf-16be, utf-32le, utf-32be, windows-1250 to windows-1258, windows-874, iso-8859-2 to \
                     iso-8859-16, koi8-r, koi8-u, ibm866, macintosh, x-mac-cyrillic, shift_jis, euc-jp, iso-2022-jp, euc-kr, gbk, \
                     gb18030, big5";

impl TextEncoding {
    /// Returns the encoding with this name, in any spelling that the WHATWG Encoding Standard or Python knows.
    ///
    /// # Errors
    /// The message lists the names.
    pub fn named(name: &str) -> Result<TextEncoding, String> {
        match labelled(name) {
            Some(encoding) => Ok(encoding),
            None => Err(format!("the encoding {name:?} is unknown; known are {NAMES}, other names of these, and detect")),
        }
    }
}

/// Returns the encoding with this label, in any spelling that the WHATWG Encoding Standard or Python knows.
fn labelled(name: &str) -> Option<TextEncoding> {
    let label = name.trim().to_ascii_lowercase();
    let key: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    match key.as_str() {
        "u32" | "utf32" | "utf32le" => return Some(TextEncoding::Utf32 { is_big_endian: false }),
        "utf32be" => return Some(TextEncoding::Utf32 { is_big_endian: true }),
        _ => {}
    }
    // The separators that a label has come first, then others.
    let spelled = [label.clone(), label.replace('_', "-"), label.replace('-', "_"), key.clone()];
    let found = spelled.iter().find_map(|label| Encoding::for_label(label.as_bytes())).or_else(|| other(&key))?;
    (found != REPLACEMENT && found != X_USER_DEFINED).then(|| TextEncoding::standard(found))
}

/// Returns the encoding with a label of another program, which has letters and digits only.
fn other(key: &str) -> Option<&'static Encoding> {
    let listed =
        |list: &[(&str, &'static Encoding)], key: &str| list.iter().find(|(label, _)| *label == key).map(|(_, encoding)| *encoding);
    let page = CODE_PAGE.iter().find_map(|word| key.strip_prefix(word)).filter(|page| page.bytes().all(|byte| byte.is_ascii_digit()));
    let part = key.strip_prefix("iso8859").and_then(|part| YEARS.iter().find_map(|year| part.strip_suffix(year)));
    listed(&OTHER_LABELS, key)
        .or_else(|| page.and_then(|page| listed(&CODE_PAGES, page).or_else(|| Encoding::for_label(format!("cp{page}").as_bytes()))))
        .or_else(|| part.and_then(|part| Encoding::for_label(format!("iso8859{part}").as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, want) in [
            ("latin1", "windows-1252"),
            ("Latin-1", "windows-1252"),
            ("ISO-8859-15", "ISO-8859-15"),
            ("cp1251", "windows-1251"),
            ("CP949", "EUC-KR"),
            ("mac_roman", "macintosh"),
            ("Shift_JIS", "Shift_JIS"),
            ("sjis", "Shift_JIS"),
            ("euc_jp", "EUC-JP"),
            ("utf_16_le", "UTF-16LE"),
            ("utf-16be", "UTF-16BE"),
            ("UTF-32", "UTF-32LE"),
            ("koi8_r", "KOI8-R"),
            ("utf8", "UTF-8"),
            ("gb2312", "GBK"),
            ("big5", "Big5"),
            ("ascii", "windows-1252"),
            ("ks_c_5601-1987", "EUC-KR"),
            ("KS-C-5601_1987", "EUC-KR"),
            ("gb_2312-80", "GBK"),
            ("gb2312_1980", "GBK"),
            ("iso_8859-1:1987", "windows-1252"),
            ("iso-8859-7:1987", "ISO-8859-7"),
            ("iso8859_15", "ISO-8859-15"),
            ("latin_1", "windows-1252"),
            ("latin10", "ISO-8859-16"),
            ("L9", "ISO-8859-15"),
            ("iso2022_jp", "ISO-2022-JP"),
            ("csISO2022JP", "ISO-2022-JP"),
            ("mac_cyrillic", "x-mac-cyrillic"),
            ("cp874", "windows-874"),
            ("tis_620", "windows-874"),
            ("windows_1252", "windows-1252"),
            ("windows1257", "windows-1257"),
            ("1250", "windows-1250"),
            ("IBM866", "IBM866"),
            ("ms932", "Shift_JIS"),
            ("ms-kanji", "Shift_JIS"),
            ("windows-31j", "Shift_JIS"),
            ("u-jis", "EUC-JP"),
            ("euckr", "EUC-KR"),
            ("euc_cn", "GBK"),
            ("big5hkscs", "Big5"),
            ("big5-hkscs", "Big5"),
            ("gb18030-2000", "gb18030"),
            ("utf_8_sig", "UTF-8"),
            ("utf8_sig", "UTF-8"),
            ("U8", "UTF-8"),
            ("cp65001", "UTF-8"),
            ("U16", "UTF-16LE"),
            ("UTF-16-BE", "UTF-16BE"),
            ("utf_32_be", "UTF-32BE"),
            ("x-mac-roman", "macintosh"),
        ] {
            assert_eq!(TextEncoding::named(name).map(TextEncoding::name), Ok(want.to_owned()), "{name}");
        }
        for name in
            ["", "-", "ebcdic", "replacement", "cp037", "iso2022_jp_2", "iso-2022-kr", "utf-7", "x-user-defined", "iso-8859-19", "johab"]
        {
            assert!(TextEncoding::named(name).unwrap_err().contains("koi8-r"), "{name}");
        }
    }
}
