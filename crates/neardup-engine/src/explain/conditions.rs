//! Conditions: the tests of a scheme, with their outcome for two texts.

use neardup_core::decide::text_tests::{self, TextTests};
use neardup_core::decide::value;
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::test::CompiledTest;
use neardup_core::scheme;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_text::Text;
use serde::Serialize;

/// One condition of a scheme, and whether two texts meet it.
#[derive(Debug, Serialize)]
pub struct Condition {
    /// The condition as the scheme states it.
    pub test: String,
    /// The value that is compared, for display: for `hamming` and `agree` a number of bits. `None` for `equal`, and if a text
    /// has nothing to compare.
    pub value: Option<f64>,
    /// Whether the texts meet it.
    pub holds: bool,
}

/// Returns the conditions of `pass`, in order. `written` has the same tests as the scheme states them.
pub fn conditions([left, right]: [&str; 2], overlap: Overlap, pass: &CompiledPass, written: &[scheme::Test]) -> Vec<Condition> {
    let texts = [left, right].map(|text| Text::Plain(text.as_bytes()));
    let (mut signer, mut draft) = (Signer::new(pass), ChunkBuilder::default());
    texts.iter().for_each(|&text| signer.sign(text, &mut draft));
    let (left, right) = (draft.sketch(0), draft.sketch(1));
    let has_features = overlap.left > 0 && overlap.right > 0;
    let condition = |(test, written): (&CompiledTest, &scheme::Test)| {
        let share = |(part, whole): (u64, u64)| part as f64 / whole as f64;
        let (value, holds) = match test {
            CompiledTest::Equal { .. } => (None, has_features && pass.may_meet(test, left, right)),
            CompiledTest::Features(measure, bound) => {
                (has_features.then(|| share(measure.fraction(overlap))), has_features && measure.holds(overlap, bound))
            }
            CompiledTest::Texts(measure, _) => {
                let mut judge = TextTests::new(&CompiledPass { tests: vec![*test], ..pass.clone() });
                let contents = texts.map(|text| judge.read(text));
                (text_tests::value(*measure, pass, texts[0], texts[1]), judge.holds(&contents[0], &contents[1]))
            }
            CompiledTest::Kept { part, estimate, .. } => {
                let value = value::of_sketches(*estimate, *part, left, right);
                (value, value.is_some() && pass.may_meet(test, left, right))
            }
        };
        Condition { test: written.to_string(), value, holds }
    };
    pass.tests.iter().zip(written).map(condition).collect()
}
