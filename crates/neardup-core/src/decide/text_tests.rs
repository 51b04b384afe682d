//! Judging: the tests of a pass that look at whole texts.

use crate::measures::{Bound, MeasuredContent, TextMeasure};
use crate::pass::compiled::CompiledPass;
use crate::pass::test::CompiledTest;
use crate::signing::signer::Signer;
use crate::terms::weigher::Weigher;
use neardup_text::{Text, Tokeniser};

/// Reads of a text what the tests look at; owns its scratch, one per thread.
pub struct TextTests {
    scratches: Vec<TestScratch>,
}

/// One test, and what reads for it.
struct TestScratch {
    measure: TextMeasure,
    bound: Bound,
    reader: TestReader,
}

enum TestReader {
    Sequence(Box<Tokeniser>),
    Vector(Box<Signer>, Vec<(u64, u64)>),
}

impl TextTests {
    /// The judge of a pass.
    pub fn new(pass: &CompiledPass) -> Self {
        let scratch = |test: &CompiledTest| match *test {
            CompiledTest::Texts(measure, bound) => Some(TestScratch { measure, bound, reader: TestReader::new(measure, pass) }),
            _ => None,
        };
        TextTests { scratches: pass.tests.iter().filter_map(scratch).collect() }
    }

    /// Whether there is nothing to judge.
    pub fn is_idle(&self) -> bool {
        self.scratches.is_empty()
    }

    /// What the tests look at in a text, test by test.
    pub fn read(&mut self, text: Text<'_>) -> Vec<MeasuredContent> {
        self.scratches.iter_mut().map(|scratch| scratch.reader.read(text)).collect()
    }

    /// Whether two texts meet every test.
    pub fn holds(&self, left: &[MeasuredContent], right: &[MeasuredContent]) -> bool {
        self.scratches.iter().zip(left.iter().zip(right)).all(|(scratch, (left, right))| scratch.measure.holds(left, right, &scratch.bound))
    }

    /// What the first test measures of two texts, for display; None where there is no test, or no number.
    pub fn value(&self, left: &[MeasuredContent], right: &[MeasuredContent]) -> Option<f64> {
        self.scratches.first()?.measure.value(left.first()?, right.first()?)
    }
}

impl TestReader {
    fn new(measure: TextMeasure, pass: &CompiledPass) -> Self {
        match measure.unit() {
            Some(unit) => TestReader::Sequence(Box::new(Tokeniser::new(unit, pass.seed))),
            None => TestReader::Vector(Box::new(Signer::new(&weighted(pass))), Vec::new()),
        }
    }

    fn read(&mut self, text: Text<'_>) -> MeasuredContent {
        match self {
            TestReader::Sequence(tokeniser) => MeasuredContent::Sequence(tokeniser.tokens(text).to_vec()),
            TestReader::Vector(signer, room) => {
                signer.vector(text, room);
                MeasuredContent::Vector(room.iter().copied().collect())
            }
        }
    }
}

/// The pass with features that weigh as often as they occur, unless it weighs them in another way: these measures respect
/// frequency.
fn weighted(pass: &CompiledPass) -> CompiledPass {
    let weigher = if matches!(pass.weigher, Weigher::One) { Weigher::Frequency } else { pass.weigher.clone() };
    CompiledPass { weigher, ..pass.clone() }
}

/// The value of a measure of two texts under the tokens and features of a pass, for display; None where it has none.
pub fn value(measure: TextMeasure, pass: &CompiledPass, left: Text<'_>, right: Text<'_>) -> Option<f64> {
    let mut reader = TestReader::new(measure, pass);
    let (left, right) = (reader.read(left), reader.read(right));
    measure.value(&left, &right)
}
