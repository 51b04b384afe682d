//! Documents of random words, which are the same on every machine because only integers are used.

/// Words in a language.
const WORDS: usize = 1 << 14;
/// Documents of 100 that are a copy of an earlier one.
const COPIES: usize = 5;
/// Documents of 100 that are a copy with some words replaced.
const NEAR_COPIES: usize = 30;

/// A language of generated texts.
pub struct Language {
    /// Letters that words are drawn from; frequent letters occur several times.
    letters: &'static str,
    /// Letters in the longest word.
    longest: usize,
    space: &'static str,
    comma: &'static str,
    stop: &'static str,
    /// Whether a sentence begins with a capital.
    has_capitals: bool,
}

pub const ENGLISH: Language = Language {
    letters: "eeeeeeettttaaaaooooiiinnnsssrrrhhllddccuummffppggwyybvk",
    longest: 9,
    space: " ",
    comma: ", ",
    stop: ". ",
    has_capitals: true,
};

pub const KOREAN: Language = Language {
    letters: "이다는의에을가고를하지은로사도한자대기시인해서어리정수일부전제아나보장들주상라게",
    longest: 5,
    space: " ",
    comma: ", ",
    stop: ". ",
    has_capitals: false,
};

pub const CHINESE: Language = Language {
    letters: "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运",
    longest: 3,
    space: "",
    comma: "，",
    stop: "。",
    has_capitals: false,
};

/// Generates documents, some of which are copies and near-copies of earlier ones.
pub struct Maker {
    random: Random,
    words: Vec<String>,
    language: &'static Language,
    /// The words of every document so far, by their numbers.
    made: Vec<Vec<usize>>,
}

impl Maker {
    pub fn new(language: &'static Language) -> Self {
        let mut random = Random(1);
        let letters: Vec<char> = language.letters.chars().collect();
        let mut word = |number: usize| -> String {
            // One word in 64 is a number, as in real texts.
            if number % 64 == 63 {
                return random.below(3000).to_string();
            }
            (0..1 + random.below(language.longest)).map(|_| letters[random.below(letters.len())]).collect()
        };
        let words = (0..WORDS).map(&mut word).collect();
        Maker { random, words, language, made: Vec::new() }
    }

    /// Returns the next documents, of about `length` words each.
    pub fn documents(&mut self, count: usize, length: usize) -> Vec<String> {
        (0..count).map(|_| self.document(length)).collect()
    }

    fn document(&mut self, length: usize) -> String {
        let kind = if self.made.is_empty() { 100 } else { self.random.below(100) };
        let words = if kind < COPIES + NEAR_COPIES {
            let mut words = self.made[self.random.below(self.made.len())].clone();
            // The resemblance is above 0.8 after some replacements, and below after others.
            let replaced = if kind < COPIES { 0 } else { 1 + self.random.below(1 + words.len() / 20) };
            for _ in 0..replaced {
                let place = self.random.below(words.len());
                words[place] = self.word();
            }
            words
        } else {
            (0..length / 2 + self.random.below(length)).map(|_| self.word()).collect()
        };
        let text = self.write(&words);
        self.made.push(words);
        text
    }

    /// Draws a word. Every doubling of the rank is equally likely, so that few words are common and most are rare.
    fn word(&mut self) -> usize {
        let bits = self.random.below(WORDS.ilog2() as usize + 1);
        self.random.below(1 << bits)
    }

    /// Writes words as sentences. Punctuation depends only on the words, so that near-copies differ only in words.
    fn write(&self, words: &[usize]) -> String {
        let Language { space, comma, stop, has_capitals, .. } = self.language;
        let (mut text, mut begins) = (String::new(), true);
        for &number in words {
            let word = &self.words[number];
            if begins && *has_capitals {
                text.push_str(&word[..1].to_uppercase());
                text.push_str(&word[1..]);
            } else {
                text.push_str(word);
            }
            begins = number % 16 == 3;
            text.push_str(if begins {
                stop
            } else if number % 16 == 5 {
                comma
            } else {
                space
            });
        }
        text
    }
}

/// A linear congruential generator (Knuth).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
