//! The tokeniser is compared with the slow oracle, on every SIMD level and in every form of a text.

use crate::oracle::{self, Style, hashes, json};
use neardup_text::simd::Level;
use neardup_text::{Comments, Folds, Text, TokenRules, Tokeniser, Unit, locate, places};
use proptest::prelude::*;

const SEED: u64 = 7;
const UNITS: [Unit; 5] = [Unit::Words, Unit::Eojeol, Unit::Segmented, Unit::Chars, Unit::Jamo];

/// The units, and those of words with signs beside them.
fn all_rules() -> impl Iterator<Item = TokenRules> {
    let of_words = UNITS.into_iter().filter(|unit| unit.is_of_words());
    UNITS.into_iter().map(TokenRules::from).chain(of_words.map(|unit| TokenRules { signs: true, ..unit.into() }))
}

/// A tokeniser for each set of rules and level.
struct Bench(Vec<(TokenRules, Level, Tokeniser)>);

impl Bench {
    fn new() -> Self {
        let all = all_rules().flat_map(|rules| Level::available().into_iter().map(move |level| (rules, level)));
        Self(all.map(|(rules, level)| (rules, level, Tokeniser::with_level(rules, SEED, level))).collect())
    }

    /// Checks that the hashes of the text, plain and as JSON, are those of the oracle, and the places of `locate` are right.
    fn check(&mut self, text: &str, styles: &[Style]) {
        let mut forms = vec![text.to_owned()];
        forms.extend(styles.iter().map(|&style| json(text, style)));
        let expected: Vec<(TokenRules, Vec<u64>)> = all_rules().map(|rules| (rules, hashes(rules, SEED, text))).collect();
        for (rules, level, tokeniser) in &mut self.0 {
            let (_, expected) = expected.iter().find(|(other, _)| other == rules).unwrap();
            for (i, form) in forms.iter().enumerate() {
                let view = if i == 0 { Text::Plain(form.as_bytes()) } else { Text::Json(form.as_bytes()) };
                assert_eq!(view.decode(), text);
                assert!(tokeniser.tokens(view) == expected, "{rules:?} {} of {form:?}", level.name());
            }
        }
        for (rules, expected) in expected {
            check_places(rules, text, &expected);
        }
        check_segments(text);
    }
}

/// Checks that the hashes of `locate` are those of the oracle, and that each place contains its token.
fn check_places(rules: TokenRules, text: &str, hashes: &[u64]) {
    let located = locate(rules, SEED, text);
    assert!(located.iter().map(|l| l.hash).eq(hashes.iter().copied()), "{rules:?} of {text:?}");
    assert!(located.iter().map(|l| l.start..l.end).eq(places(rules, text)), "{rules:?} of {text:?}");
    for (l, token) in located.iter().zip(oracle::tokens(rules, text)) {
        let piece = &text[l.start..l.end];
        let normal = oracle::normalise(rules, piece);
        let normal = if rules.unit == Unit::Jamo { oracle::split_syllables(&normal) } else { normal };
        assert!(normal.contains(&token), "{rules:?} {token:?} in {piece:?} of {text:?}");
    }
}

/// Checks that segmented words, concatenated, are the spaced words; if the text is normalised already, their places contain
/// exactly them.
fn check_segments(text: &str) {
    let [words, segments] = [Unit::Eojeol, Unit::Segmented].map(|unit| oracle::tokens(unit.into(), text));
    assert!(segments.iter().all(|segment| !segment.is_empty()), "{text:?}");
    assert_eq!(segments.concat(), words.concat());
    let normal = oracle::normalise(Unit::Words.into(), text);
    if oracle::normalise(Unit::Words.into(), &normal) == normal {
        let places = locate(Unit::Segmented, SEED, &normal);
        assert!(places.iter().map(|l| &normal[l.start..l.end]).eq(segments), "{normal:?}");
        assert!(places.is_sorted_by(|one, next| one.end <= next.start), "{normal:?}");
    }
}

const ALL_STYLES: [Style; 6] = [Style::Raw, Style::Ascii, Style::All, Style::Mixed(1), Style::Mixed(2), Style::Mixed(3)];

/// Texts of many scripts and special cases, written for these tests.
const TEXTS: [&str; 43] = [
    "",
    " ",
    "_",
    "A",
    "The quick brown fox's 2nd jump_over: 3.14, \"quoted\" \\ back/slash\n\ttabbed\r\nend",
    "Don’t “smart-quote” me — naïve café, ÉCOLE, Ærøskøbing; ＦＵＬＬ　ｗｉｄｔｈ",
    "나는 오늘 아침에 학교에 갔다. 비가 왔지만 우산이 없었다! ㅋㅋㅋ ㅠㅠ 2026년",
    "한글 자모는 \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF} 풀어서도, 가\u{11A8}처럼 반만 풀어서도 쓴다",
    "今天天气很好，我们一起去公园散步。他说：“好的！”𠮷野家𠀀a𠀁b字c",
    "吾輩は猫である。名前はまだ無い。カタカナ、ﾊﾝｶｸ ｶﾀｶﾅｰ、ラーメン、か\u{3099}き\u{309A}、々〆〇",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ น้ำ ๑๒๓ กิโลเมตร",
    "ພາສາລາວ ສະບາຍດີ ໑໒໓",
    "ភាសាខ្មែរ សួស្តី ១២៣",
    "မြန်မာဘာသာ မင်္ဂလာပါ ၁၂၃",
    "हिन्दी में नुक़्ता: क़लम, ज़रा, बड़ा, पढ़ना। क\u{93C}लम न\u{93C} र\u{93C} १२३",
    "\u{958}\u{959}\u{95A} और \u{915}\u{93C}",
    "বাংলা ভাষা: কো\u{9C7}\u{9BE} কৌ ড\u{9BC}া ক\u{9BE}",
    "தமிழ் மொழி: கொ க\u{BC6}\u{BBE} கௌ",
    "മലയാളം ക\u{D46}\u{D3E} ಕನ್ನಡ ಕ\u{CC6}\u{CD5} తెలుగు",
    "اللغة العربية: مُحَمَّد كَتَبَ الدَّرْسَ ١٢٣ ـــ ا\u{653} ي\u{654} \u{FEFB}",
    "עברית: שָׁלוֹם עֲלֵיכֶם, ש\u{5C1}\u{5BC}ל ש\u{5BC}\u{5C1}ל \u{FB2A}",
    "ΟΔΥΣΣΕΥΣ, Σίσυφος και ΣΟΦΟΣ. Σ ΑΣ. ΑΣΑ Α.Σ.Α ΑΣ\u{301} ΑΣ' ΆΛΦΑ \u{1F71}\u{2126}",
    "İstanbul'da IĞDIR, ılık ve İyi; I\u{307} i\u{307}",
    "STRASSE Straße STRAẞE ﬁne ﬀ ǅ Ǆ Ⱥ Ⱦ K Å Ω ꭰ Ꭰ ᏸ Ა ა",
    "Москва́ и «ёлка» е\u{308} Й и\u{306} ЇЖАК",
    "Tiếng Việt: Nguyễn, e\u{302}\u{323} e\u{323}\u{302} ệ ẹ\u{302} ê\u{323}",
    "é\u{323} é\u{316}\u{323} a\u{301}\u{316} a\u{316}\u{301} q\u{307}\u{323} q\u{323}\u{307} \u{301}lone",
    "😀 👨‍👩‍👧‍👦 🇰🇷 ❤️ 1️⃣ ✌🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ™ © ½ ² ⅷ Ⓐ ⓩ",
    "英語English混在テキスト123と한국어가 섞인mixed文字列",
    "a漢b漢c 漢_漢 漢1漢 1漢1 漢\u{301}字 漢\u{FE00}字 葛\u{E0100}飾区",
    "𐐀𐐨 𞤀𞤢 𝐀𝐁 𝟘𝟙 𑄮𑄬 \u{11131}\u{11127} \u{1D15E} \u{113C2}\u{113C2}",
    "\u{113C2}\u{113C5} \u{16D67}\u{16D68} \u{1611E}\u{16121} \u{113C2}\u{301}\u{113C5}",
    "\u{FEFF}bom\u{200B}zero\u{200C}width\u{200D}joiners\u{AD}soft",
    "line\u{2028}sep\u{2029}par\u{85}nel\u{A0}nbsp\u{3000}wide\u{1680}ogham\u{2000}\u{2001}\u{2002}quads",
    "\0nul\u{1}\u{8}\u{b}\u{c}\u{1f}\u{7f}",
    "\\n \\u0041 \\\\u0042 \\\\\\ \" \\\" n\u{303} \\n\u{303} \n\u{303}",
    "aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ααααααααα ἀἁἂ ᾳᾼ ῼ ῼ\u{64B}Σ ώ\u{345} \u{345} \u{344} \u{1FEF}\u{37E}\u{387}",
    "ꙀꙁꙂ Ⰰⰰ ԱՐԵՎ եւ և Ⴀⴀ ᲀ Ɐɐ Ꞌꞌ ꟸ",
    "ᠮᠣᠩᠭᠣᠯ བོད་ཡིག སྐད\u{F71}\u{F72} \u{F73} አማርኛ ꦗꦮ ᬅ\u{1B35} \u{1B06}",
    "x + 12, x - 12, x/2; C++ & C#: 50% of $3 or €2,5 (2.5) at 12:30 :-) :( 👍🏽 👎 foo() a == b well-known — 3–4 ° ±½ x² @me \\ -- -1 1-",
    "ﬁ＋２－３（）：；＝ ٣٫٤ ٣.٤ ۱۲ ⸗ ‐ ‑ ‒ x‐y x ‐y №5 Ⓐ+ ™ ´` ^~|<>",
    "x\u{340}\u{341}\u{343} \u{F900}\u{FA0E}\u{2F800} \u{2ADC} 豈 更",
];

#[test]
fn texts_of_many_scripts_equal_the_oracle() {
    let mut bench = Bench::new();
    for text in TEXTS {
        bench.check(text, &ALL_STYLES);
        bench.check(&format!("{text}{text} {text}"), &ALL_STYLES);
    }
}

#[test]
fn every_length_and_shift_around_block_edges_equals_the_oracle() {
    let mut bench = Bench::new();
    for text in [
        "the END of",
        "é漢字ÀΣ ",
        "한 국",
        "漢字かな𠮷",
        "a漢b",
        "a\u{93E} \u{93E}क\u{93E}\u{93E}",
        "\n\\\"x/",
        "ñ\u{303}क\u{93C}ก็",
        "É\u{1E9E}Ж",
    ] {
        let long: Vec<char> = text.chars().cycle().take(200).collect();
        for length in 0..=200 {
            let cut: String = long[..length].iter().collect();
            bench.check(&cut, &[Style::Raw, Style::Mixed(length as u64)]);
        }
        for shift in 0..130 {
            bench.check(&format!("{}{text}", "-".repeat(shift)), &[Style::Raw, Style::Ascii]);
        }
    }
}

/// Planes 0, 1 and 14 contain characters of many kinds, planes 2 and 3 of one kind, and the others almost none.
#[test]
fn code_points_equal_the_oracle() {
    try_pages(|page| matches!(page >> 11, 0 | 1 | 14) || page.is_multiple_of(16));
}

#[test]
#[ignore = "every code point, most of which are no characters"]
fn every_code_point_equals_the_oracle() {
    try_pages(|_| true);
}

fn try_pages(chosen: impl Fn(u32) -> bool + Copy + Send) {
    std::thread::scope(|scope| (0..4).for_each(|rest| drop(scope.spawn(move || every_fourth_page(rest, chosen)))));
}

fn every_fourth_page(rest: u32, chosen: impl Fn(u32) -> bool) {
    let mut bench = Bench::new();
    for page in (0..=0x10FFFF_u32 / 32).filter(|&page| chosen(page)).skip(rest as usize).step_by(4) {
        let letters = (page * 32..page * 32 + 32).filter_map(char::from_u32);
        // One special character moves its text to the slow path, so each text contains only one.
        for c in letters {
            let text = format!("{c} a{c}b 漢{c}字{c}");
            let expected = hashes(Unit::Words.into(), SEED, &text);
            for (rules, level, tokeniser) in &mut bench.0 {
                if *rules == Unit::Words.into() {
                    let plain = tokeniser.tokens(Text::Plain(text.as_bytes()));
                    assert!(plain == expected, "{} {text:?} {:x}", level.name(), u32::from(c));
                } else if *rules != Unit::Eojeol.into() && *level == Level::best() {
                    assert!(tokeniser.tokens(Text::Plain(text.as_bytes())) == hashes(*rules, SEED, &text), "{rules:?} {text:?}");
                }
            }
        }
    }
}

#[test]
fn long_words_and_windows_equal_the_oracle() {
    check_long(&[60, 64, 100, 8191, 8192, 8193, 20_000], 200);
}

#[test]
#[ignore = "more lengths of words, and texts of more windows"]
fn longer_words_and_more_windows_equal_the_oracle() {
    check_long(&[60, 64, 100, 8000, 8191, 8192, 8193, 8250, 20_000, 70_000], 600);
}

/// Checks words of `lengths` bytes, and sentences repeated `times` times.
fn check_long(lengths: &[usize], times: usize) {
    let mut bench = Bench::new();
    for length in lengths {
        for filler in ["a", "한", "漢", "É", "字a"] {
            let word = filler.repeat(length / filler.len());
            bench.check(&word, &[Style::Raw]);
            bench.check(&format!("one {word} two{word}"), &[Style::Ascii]);
        }
    }
    for sentence in [TEXTS[4], TEXTS[6], TEXTS[8], TEXTS[27], TEXTS[28]] {
        bench.check(&sentence.repeat(times), &[Style::Raw, Style::Ascii]);
        bench.check(&format!("{}\u{301}e\u{301}", sentence.repeat(times)), &[Style::Raw]);
    }
}

#[test]
fn escapes_at_any_place_equal_the_oracle() {
    let mut tokeniser = Tokeniser::new(Unit::Words, SEED);
    for at in 0..300 {
        let front: String = "word \n漢字\" é\\ ".chars().cycle().take(at).collect();
        let form = format!("{}\\u00e9t\\u00E9 \\u6f22\\u5b57 {}", json(&front, Style::Raw), json(&front, Style::Raw));
        let text = format!("{front}été 漢字 {front}");
        assert!(tokeniser.tokens(Text::Json(form.as_bytes())) == hashes(Unit::Words.into(), SEED, &text), "{form}");
    }
}

#[test]
fn invalid_bytes_do_not_panic() {
    let folds = "marks+latin+arabic+digits+hyphens+joiners".parse().unwrap();
    let all = TokenRules { unit: Unit::Words, folds, signs: true, comments: "c+shell+sql+html".parse().unwrap() };
    let rules = Unit::ALL.into_iter().flat_map(|unit| [unit.into(), all.with_unit(unit)]);
    for rules in rules {
        for level in Level::available() {
            let mut tokeniser = Tokeniser::with_level(rules, SEED, level);
            for bytes in [&b"\xFF\xFE"[..], b"\xE4\xB8", b"\xF0\x9F\x98", b"ab\xC3", b"\\", b"\\u12", b"\\ud800", b"\xED\xA0\x80"] {
                for repeat in [1, 21, 64, 65] {
                    let bytes = bytes.repeat(repeat);
                    tokeniser.tokens(Text::Plain(&bytes));
                    tokeniser.tokens(Text::Json(&bytes));
                }
            }
        }
    }
}

/// Generates texts of characters that are difficult for normalisation, case or the scan.
fn difficult() -> impl Strategy<Value = String> {
    let letters: Vec<char> = TEXTS.iter().flat_map(|text| text.chars()).collect();
    let marks: Vec<char> = "\u{300}\u{301}\u{302}\u{307}\u{308}\u{316}\u{323}\u{327}\u{338}\u{345}\u{93C}\u{94D}\u{9BE}\u{BBE}\u{5BC}\u{5C1}\u{5B8}\u{64B}\u{651}\u{64E}\u{653}\u{3099}\u{1161}\u{11A8}\u{1100}\u{AC00}\u{E38}\u{E48}"
        .chars()
        .collect();
    let c = prop_oneof![
        4 => prop::sample::select(letters),
        3 => prop::sample::select(marks),
        2 => prop::sample::select("aEiσΣςé漢字かー한가 \n\"\\/.'_".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    prop::collection::vec(c, 0..180).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1536, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn difficult_strings_equal_the_oracle(text in difficult(), draw in any::<u64>()) {
        Bench::new().check(&text, &[Style::Raw, Style::Ascii, Style::Mixed(draw)]);
    }

    #[test]
    fn any_strings_equal_the_oracle(text in any::<String>(), draw in any::<u64>()) {
        Bench::new().check(&text, &[Style::Raw, Style::Mixed(draw)]);
    }

    #[test]
    fn tokens_after_folds_and_of_code_are_found_in_their_places(text in difficult(), draw in any::<u64>(), folds in 0..4_usize) {
        let folds: Folds = ["marks", "latin+digits", "marks+latin+arabic+digits+hyphens+joiners", "hyphens+joiners"][folds].parse().unwrap();
        let comments: Comments = "c+shell+sql+html".parse().unwrap();
        for unit in Unit::ALL {
            for signs in [false, true] {
                let rules = TokenRules { unit: Unit::Words, folds, signs, comments }.with_unit(unit);
                let located = locate(rules, SEED, &text);
                let form = json(&text, Style::Mixed(draw));
                let mut tokeniser = Tokeniser::new(rules, SEED);
                for view in [Text::Plain(text.as_bytes()), Text::Json(form.as_bytes())] {
                    prop_assert!(located.iter().map(|l| l.hash).eq(tokeniser.tokens(view).iter().copied()), "{:?} {:?}", rules, text);
                }
                prop_assert!(located.iter().all(|l| l.start < l.end && (unit == Unit::Bytes || text.get(l.start..l.end).is_some())), "{:?} {:?}", rules, text);
            }
        }
    }
}
