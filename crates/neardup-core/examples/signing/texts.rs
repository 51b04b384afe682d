//! The texts to sign: read from files, or generated.

use neardup_text::string_end;

/// Bytes of one kind of text: larger than the first-level caches, small enough for many rounds.
const TOTAL: usize = 4 << 20;
/// Bytes of one generated document: about the mean of web pages.
const DOCUMENT: usize = 3000;

/// One kind of text, as JSON.
pub struct Texts {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Start of each text, after its opening quote.
    pub starts: Vec<usize>,
}

impl Texts {
    fn new(name: &str, bytes: Vec<u8>, mut starts: Vec<usize>) -> Self {
        starts.retain(|&start| string_end(&bytes, start).is_some());
        Texts { name: name.to_owned(), bytes, starts }
    }

    /// Returns the total bytes between the quotes.
    pub fn size(&self) -> usize {
        self.starts.iter().filter_map(|&start| Some(string_end(&self.bytes, start)?.end - start)).sum()
    }
}

/// Reads the `text` members of lines, sampled evenly from the whole file.
fn read(path: &str) -> std::io::Result<Texts> {
    let bytes = std::fs::read(path)?;
    let mark = b"\"text\": \"";
    let step = bytes.len().div_ceil(TOTAL);
    let (mut chosen, mut starts) = (Vec::new(), Vec::new());
    for line in bytes.split_inclusive(|&byte| byte == b'\n').step_by(step) {
        let member = line.windows(mark.len()).position(|window| window == mark);
        starts.extend(member.map(|at| chosen.len() + at + mark.len()));
        chosen.extend_from_slice(line);
    }
    Ok(Texts::new(path.rsplit('/').next().unwrap_or(path), chosen, starts))
}

/// A language of generated texts.
struct Language {
    name: &'static str,
    letters: &'static str,
    /// Mean letters in a word.
    length: usize,
    space: &'static str,
    stop: &'static str,
    /// Whether all characters except ASCII are escaped.
    escaped: bool,
}

const HANGUL: &str = "가나다라마바사아자차카타파하은는이를에서고지";
const HAN: &str = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家";
const KANA: &str = "あいうえおかきくけこさしすせそたちつてとなにのはひまもやよらりるれをんアイスタトナルレン日本語私学校今年大人";
const CYRILLIC: &str = "абвгдежзиклмнопрстуя";
const DEVANAGARI: &str = "कखगचजटडतथदनपबमयरलवसहािीेो";

const LANGUAGES: [Language; 8] = [
    Language { name: "English", letters: "abcdefghiklmnoprstuvwy", length: 5, space: " ", stop: ". T", escaped: false },
    Language { name: "Korean", letters: HANGUL, length: 3, space: " ", stop: ". ", escaped: false },
    Language { name: "Korean, \\uXXXX", letters: HANGUL, length: 3, space: " ", stop: ". ", escaped: true },
    Language { name: "Chinese", letters: HAN, length: 8, space: "，", stop: "。", escaped: false },
    Language { name: "Chinese, \\uXXXX", letters: HAN, length: 8, space: "，", stop: "。", escaped: true },
    Language { name: "Japanese", letters: KANA, length: 8, space: "、", stop: "。", escaped: false },
    Language { name: "Russian", letters: CYRILLIC, length: 6, space: " ", stop: ". П", escaped: false },
    Language { name: "Hindi", letters: DEVANAGARI, length: 5, space: " ", stop: "। ", escaped: false },
];

/// Generates texts of every language, and of two languages also with every letter escaped.
pub fn generated() -> Vec<Texts> {
    LANGUAGES.iter().map(generate).collect()
}

/// Returns generated texts if `name` is a language, otherwise the texts of a file.
pub fn find(name: &str) -> std::io::Result<Texts> {
    LANGUAGES.iter().find(|language| language.name == name).map_or_else(|| read(name), |language| Ok(generate(language)))
}

fn generate(language: &Language) -> Texts {
    let (mut bytes, mut starts, mut random) = (Vec::new(), Vec::new(), Random(1));
    while bytes.len() < TOTAL {
        bytes.extend_from_slice(b"{\"text\": \"");
        starts.push(bytes.len());
        let text = document(&mut random, language);
        bytes.extend_from_slice(if language.escaped { escaped(&text) } else { text }.as_bytes());
        bytes.extend_from_slice(b"\"}\n");
    }
    Texts::new(language.name, bytes, starts)
}

/// Generates random words, with a full stop after every twelve on average.
fn document(random: &mut Random, language: &Language) -> String {
    let letters: Vec<char> = language.letters.chars().collect();
    let mut text = String::new();
    while text.len() < DOCUMENT {
        text.extend((0..1 + random.below(2 * language.length - 1)).map(|_| letters[random.below(letters.len())]));
        text.push_str(if random.below(12) == 0 { language.stop } else { language.space });
    }
    text
}

/// Returns the text with all characters except ASCII as `\uXXXX`.
fn escaped(text: &str) -> String {
    let unit = |unit: u16| if unit < 0x80 { char::from(unit as u8).to_string() } else { format!("\\u{unit:04x}") };
    text.encode_utf16().map(unit).collect()
}

/// A linear congruential generator (Knuth).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
