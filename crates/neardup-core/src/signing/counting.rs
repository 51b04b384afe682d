//! Counting: builds a lexicon from the documents of a corpus, on many threads at once.

use crate::features::{Features, Rabin, Shingles};
use crate::scheme::{self, Argument, FeatureHash};
use crate::sets::set::Set;
use crate::terms::lexicon::Lexicon;
use crate::{Error, Result};
use neardup_text::simd::Level;
use neardup_text::{Text, TokenRules, Tokeniser};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a lexicon for a scheme counts: the features whose weights and idf bands the scheme looks up.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Rules by which texts are cut.
    pub rules: TokenRules,
    features: Features,
    seed: u64,
    counted: String,
}

impl Counting {
    /// Returns what to count for `pass`: its shingles, or single tokens for terms and keywords.
    ///
    /// # Errors
    /// [`Error::Scheme`] for features without weights; [`Error::SeedFile`] or [`Error::Seed`] for a seed that cannot be
    /// opened.
    pub fn of(pass: &scheme::Pass) -> Result<Self> {
        let refuse = |stage, written: &scheme::Stage, reason: &str| Error::Scheme {
            stage,
            written: written.to_string(),
            column: 1,
            reason: reason.to_owned(),
        };
        let width = match (pass.features().name(), pass.features().args()) {
            ("shingles", &[Argument::Count(width)]) => width as usize,
            ("terms" | "keywords", _) => 1,
            _ => return Err(refuse("features", pass.features(), "a lexicon counts shingles or terms")),
        };
        let seed = pass.signature().options().seed();
        let (sealed, seed) = (seed.seal()?, seed.open()?.seed);
        let (features, hash) = match pass.features().options().hash() {
            FeatureHash::Mix => (Features::Shingles(Shingles { width, frame: None }), ""),
            FeatureHash::Rabin => (Features::Rabin(Rabin::new(width, seed)), " hash=rabin"),
        };
        Ok(Counting {
            rules: pass.token_rules(),
            features,
            seed,
            counted: format!("{} | shingles:{width}{hash} seed={sealed}", pass.tokens()),
        })
    }

    /// Returns what to count for the frames of hosts: the shingles of `pass`.
    ///
    /// # Errors
    /// As [`Counting::of`].
    pub fn of_frame(pass: &scheme::Pass) -> Result<Self> {
        let counting = Counting::of(pass)?;
        Ok(Counting { counted: format!("frames of {}", counting.counted), ..counting })
    }

    /// Returns tokens, features and seed, as in `words | shingles:1 seed=0`. For a secret seed it contains the check value.
    pub fn counted(&self) -> &str {
        &self.counted
    }
}

/// Number of terms that a counter gathers before it adds them to the totals.
const GATHERED: usize = 1 << 17;

/// One thread's part of the counting.
pub struct Counter {
    tokeniser: Tokeniser,
    features: Features,
    set: Set,
    /// The distinct terms of every document, one document after another.
    terms: Vec<u64>,
    documents: u64,
}

impl Counter {
    /// Creates a counter that has counted nothing.
    pub fn new(counting: &Counting) -> Self {
        let Counting { rules, features, seed, .. } = counting;
        let tokeniser = Tokeniser::new(*rules, *seed);
        Counter { tokeniser, features: features.clone(), set: Set::default(), terms: Vec::new(), documents: 0 }
    }

    /// Counts a document. When enough terms are gathered, it adds them to `tally`.
    pub fn count(&mut self, text: Text<'_>, tally: &CountTotals) {
        self.read(text);
        self.terms.extend_from_slice(self.set.features());
        self.documents += 1;
        if self.terms.len() > GATHERED {
            self.flush(tally);
        }
    }

    /// Returns the distinct terms of a document, ascending, and does not count them.
    pub fn read(&mut self, text: Text<'_>) -> &[u64] {
        let tokens = self.tokeniser.tokens(text);
        self.set.make(|out| self.features.extract(Level::best(), tokens, out));
        self.set.features()
    }

    /// Adds all gathered terms to `tally`.
    pub fn flush(&mut self, tally: &CountTotals) {
        self.terms.sort_unstable();
        for shard in self.terms.chunk_by(|left, right| shard(*left) == shard(*right)) {
            let mut counts = tally.shards[self::shard(shard[0])].lock().unwrap_or_else(PoisonError::into_inner);
            let before = counts.len();
            shard.chunk_by(|left, right| left == right).for_each(|run| *counts.entry(run[0]).or_insert(0) += run.len() as u32);
            tally.terms.fetch_add(counts.len() - before, Ordering::Relaxed);
        }
        tally.documents.fetch_add(self.documents, Ordering::Relaxed);
        self.terms.clear();
        self.documents = 0;
    }
}

/// Number of shards. Each has its own lock and contains the terms that begin with the same bits.
const SHARDS: usize = 64;

fn shard(term: u64) -> usize {
    (term >> (u64::BITS - SHARDS.ilog2())) as usize
}

/// Totals of all counters.
#[derive(Debug, Default)]
pub struct CountTotals {
    documents: AtomicU64,
    terms: AtomicUsize,
    shards: Vec<Mutex<TermCounts>>,
}

type TermCounts = HashMap<u64, u32, BuildHasherDefault<TermHasher>>;

impl CountTotals {
    /// Approximate upper bound on the bytes per term, while it is counted and while the lexicon is built.
    pub const BYTES: usize = 56;

    /// Creates empty totals.
    pub fn new() -> Self {
        CountTotals { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), ..CountTotals::default() }
    }

    /// Returns the number of distinct terms so far.
    pub fn terms(&self) -> usize {
        self.terms.load(Ordering::Relaxed)
    }

    /// Returns the lexicon of everything that was counted. It is the same for any number and order of counters.
    ///
    /// # Errors
    /// The reason, if there are more terms than a lexicon can have.
    pub fn finish(self, counting: &Counting) -> Result<Lexicon, String> {
        let distinct = self.terms();
        let (mut terms, mut counts) = (Vec::with_capacity(distinct), Vec::with_capacity(distinct));
        for shard in self.shards {
            let mut entries: Vec<(u64, u32)> = shard.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
            entries.sort_unstable();
            terms.extend(entries.iter().map(|entry| entry.0));
            counts.extend(entries.iter().map(|entry| entry.1));
        }
        Lexicon::new(self.documents.into_inner(), counting.counted.clone(), terms, counts)
    }
}

/// Terms are hashes already, but the terms of one shard share their highest bits, so the bits are rotated.
#[derive(Clone, Copy, Debug, Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0.rotate_left(SHARDS.ilog2())
    }

    fn write_u64(&mut self, term: u64) {
        self.0 = term;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile_with;
    use crate::scheme::Scheme;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    fn counting(line: &str) -> Result<Counting> {
        Counting::of(&line.parse::<Scheme>().unwrap().passes()[0])
    }

    fn lexicon(counting: &Counting, texts: &[String], counters: usize, flush: usize) -> Lexicon {
        let tally = CountTotals::new();
        let mut counters: Vec<Counter> = (0..counters).map(|_| Counter::new(counting)).collect();
        for (number, text) in texts.iter().enumerate() {
            let counter = number % counters.len();
            counters[counter].count(Text::Plain(text.as_bytes()), &tally);
            if number % flush == 0 {
                counters[counter].flush(&tally);
            }
        }
        counters.iter_mut().for_each(|counter| counter.flush(&tally));
        tally.finish(counting).unwrap()
    }

    proptest! {
        #[test]
        fn counts_like_sets(texts in proptest::collection::vec("([a-d가-다的一是]{1,3} ){0,9}", 0..30), counters in 1usize..4, flush in 1usize..9) {
            for line in ["words | shingles:1 | whole | each | equal", "words | shingles:2 seed=7 | simhash:64 | blocks:3 | hamming<=3"] {
                let line = line.replace(" seed=7 | simhash:64", " | simhash:64 seed=7");
                let counting = counting(&line).unwrap();
                let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
                for text in &texts {
                    let mut features = Vec::new();
                    let tokens = Tokeniser::new(counting.rules, counting.seed).tokens(Text::Plain(text.as_bytes())).to_vec();
                    counting.features.extract(Level::best(), &tokens, &mut features);
                    features.into_iter().collect::<BTreeSet<u64>>().into_iter().for_each(|term| *expected.entry(term).or_insert(0) += 1);
                }
                let found = lexicon(&counting, &texts, counters, flush);
                prop_assert_eq!(found.documents(), texts.len() as u64);
                prop_assert_eq!(found.terms().iter().copied().zip(found.counts().iter().copied()).collect::<BTreeMap<_, _>>(), expected);
                prop_assert_eq!(&found, &lexicon(&counting, &texts, 1, usize::MAX));
            }
        }
    }

    #[test]
    fn what_a_pass_looks_up_was_counted() {
        let texts = ["one tea for two".to_owned(), "two teas for one or two".to_owned()];
        for features in ["shingles:1", "shingles:2", "shingles:2 hash=rabin", "terms"] {
            let line = format!("words | {features} weight=idf:corpus | simhash:64 seed=3 | blocks:3,single | hamming<=3");
            let line: Scheme = line.parse().unwrap();
            let lexicon = Arc::new(lexicon(&Counting::of(&line.passes()[0]).unwrap(), &texts, 1, 9));
            let pass = compile_with(&line, &|_| Ok(Arc::clone(&lexicon))).unwrap();
            let mut found = Vec::new();
            pass.features.extract(
                Level::best(),
                Tokeniser::new(pass.rules, pass.seed).tokens(Text::Plain(texts[1].as_bytes())),
                &mut found,
            );
            assert!(!found.is_empty() && found.iter().all(|&feature| lexicon.has(feature)), "{line}");
        }
    }

    #[test]
    fn what_is_counted() {
        let counted = |line: &str| counting(line).map(|counting| counting.counted().to_owned());
        let table = [
            ("words | shingles:3 weight=idf:corpus | simhash:64 | blocks:3 | hamming<=3", "words | shingles:3 seed=0"),
            ("eojeol | terms:0.1,0.9 weight=idf:corpus | digest seed=5 | each | equal", "eojeol | shingles:1 seed=5"),
            ("words | keywords:10,sorted weight=idf:old | digest:md5 | each | equal", "words | shingles:1 seed=0"),
            ("words | shingles:3 hash=rabin weight=idf:old | simhash:64 | blocks:3 | hamming<=3", "words | shingles:3 hash=rabin seed=0"),
        ];
        table.iter().for_each(|(line, expected)| assert_eq!(counted(line).unwrap(), *expected));
        let error = counted("words | spots | whole | lengths:0.5 | resemblance>=0.5").unwrap_err().to_string();
        assert!(error.contains("counts shingles or terms"), "{error}");
    }
}
