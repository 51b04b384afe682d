//! Judging: the tests of a pass that look at whole texts.

use crate::measures::{Bound, Content, TextMeasure};
use crate::pass::compiled::Pass;
use crate::pass::test::Test;
use crate::signing::signer::Signer;
use crate::terms::weigher::Weigher;
use neardup_text::{Text, Tokeniser};

/// Reads of a text what the tests look at; owns its scratch, one per thread.
pub struct TextTests {
    benches: Vec<Scratch>,
}

/// One test, and what reads for it.
struct Scratch {
    measure: TextMeasure,
    bound: Bound,
    reader: Reader,
}

enum Reader {
    Sequence(Box<Tokeniser>),
    Vector(Box<Signer>, Vec<(u64, u64)>),
}

impl TextTests {
    /// The judge of a pass.
    pub fn new(pass: &Pass) -> Self {
        let bench = |test: &Test| match *test {
            Test::Texts(measure, bound) => Some(Scratch { measure, bound, reader: Reader::new(measure, pass) }),
            _ => None,
        };
        TextTests { benches: pass.tests.iter().filter_map(bench).collect() }
    }

    /// Whether there is nothing to judge.
    pub fn is_idle(&self) -> bool {
        self.benches.is_empty()
    }

    /// What the tests look at in a text, test by test.
    pub fn read(&mut self, text: Text<'_>) -> Vec<Content> {
        self.benches.iter_mut().map(|bench| bench.reader.read(text)).collect()
    }

    /// Whether two texts meet every test.
    pub fn holds(&self, left: &[Content], right: &[Content]) -> bool {
        self.benches.iter().zip(left.iter().zip(right)).all(|(bench, (left, right))| bench.measure.holds(left, right, &bench.bound))
    }

    /// What the first test measures of two texts, for display; None where there is no test, or no number.
    pub fn value(&self, left: &[Content], right: &[Content]) -> Option<f64> {
        self.benches.first()?.measure.value(left.first()?, right.first()?)
    }
}

impl Reader {
    fn new(measure: TextMeasure, pass: &Pass) -> Self {
        match measure.unit() {
            Some(unit) => Reader::Sequence(Box::new(Tokeniser::new(unit, pass.seed))),
            None => Reader::Vector(Box::new(Signer::new(&weighted(pass))), Vec::new()),
        }
    }

    fn read(&mut self, text: Text<'_>) -> Content {
        match self {
            Reader::Sequence(tokeniser) => Content::Sequence(tokeniser.tokens(text).to_vec()),
            Reader::Vector(signer, room) => {
                signer.vector(text, room);
                Content::Vector(room.iter().copied().collect())
            }
        }
    }
}

/// The pass with features that weigh as often as they occur, unless it weighs them in another way: these measures respect
/// frequency.
fn weighted(pass: &Pass) -> Pass {
    let weigher = if matches!(pass.weigher, Weigher::One) { Weigher::Frequency } else { pass.weigher.clone() };
    Pass { weigher, ..pass.clone() }
}

/// The value of a measure of two texts under the tokens and features of a pass, for display; None where it has none.
pub fn value(measure: TextMeasure, pass: &Pass, left: Text<'_>, right: Text<'_>) -> Option<f64> {
    let mut reader = Reader::new(measure, pass);
    let (left, right) = (reader.read(left), reader.read(right));
    measure.value(&left, &right)
}
