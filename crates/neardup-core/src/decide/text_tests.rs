//! Text tests: the tests of a pass that compare whole texts.

use crate::measures::{Bound, MeasuredContent, TextMeasure};
use crate::pass::compiled::CompiledPass;
use crate::pass::test::CompiledTest;
use crate::signing::signer::Signer;
use crate::terms::weigher::Weigher;
use neardup_text::{Text, Tokeniser};

/// Reads from a text what the tests compare. It owns its buffers; each thread has its own.
pub struct TextTests {
    scratches: Vec<TestScratch>,
}

/// One test, and the reader of its content.
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
    /// Creates the text tests of a pass.
    pub fn new(pass: &CompiledPass) -> Self {
        let scratch = |test: &CompiledTest| match *test {
            CompiledTest::Texts(measure, bound) => Some(TestScratch { measure, bound, reader: TestReader::new(measure, pass) }),
            _ => None,
        };
        TextTests { scratches: pass.tests.iter().filter_map(scratch).collect() }
    }

    /// Whether there is no such test.
    pub fn is_idle(&self) -> bool {
        self.scratches.is_empty()
    }

    /// Returns the content that the tests compare, test by test.
    pub fn read(&mut self, text: Text<'_>) -> Vec<MeasuredContent> {
        self.scratches.iter_mut().map(|scratch| scratch.reader.read(text)).collect()
    }

    /// Whether two texts meet every test.
    pub fn holds(&self, left: &[MeasuredContent], right: &[MeasuredContent]) -> bool {
        self.scratches.iter().zip(left.iter().zip(right)).all(|(scratch, (left, right))| scratch.measure.holds(left, right, &scratch.bound))
    }

    /// Returns the value that the first test measures for two texts, for display. `None` if there is no test, or no value.
    pub fn value(&self, left: &[MeasuredContent], right: &[MeasuredContent]) -> Option<f64> {
        self.scratches.first()?.measure.value(left.first()?, right.first()?)
    }
}

impl TestReader {
    fn new(measure: TextMeasure, pass: &CompiledPass) -> Self {
        match measure.unit() {
            Some(unit) => TestReader::Sequence(Box::new(Tokeniser::new(pass.rules.with_unit(unit), pass.seed))),
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

/// Returns the pass with frequencies as weights, unless it already weighs its features: these measures depend on frequency.
fn weighted(pass: &CompiledPass) -> CompiledPass {
    let weigher = if matches!(pass.weigher, Weigher::One) { Weigher::Frequency } else { pass.weigher.clone() };
    CompiledPass { weigher, ..pass.clone() }
}

/// Returns the value of a measure for two texts, with the tokens and features of a pass, for display. `None` if it has
/// none.
pub fn value(measure: TextMeasure, pass: &CompiledPass, left: Text<'_>, right: Text<'_>) -> Option<f64> {
    let mut reader = TestReader::new(measure, pass);
    let (left, right) = (reader.read(left), reader.read(right));
    measure.value(&left, &right)
}
