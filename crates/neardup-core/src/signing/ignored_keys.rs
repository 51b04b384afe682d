//! Ignored keys: common shingles that estimates leave out (Broder, Glassman, Manasse, Zweig 1997).

use crate::keys::capped::CappedBucket;
use crate::keys::{KeyKind, each};
use crate::pass::compiled::CompiledPass;
use crate::sets::parts::SketchPart;

/// Keys that `over=drop` dropped, for a pass whose estimates ignore them. Measures on the features themselves use all
/// features.
///
/// A value is identified by its 32-bit key. So another value is ignored by chance with a probability of the number of
/// ignored keys in 2^32.
#[derive(Clone, Debug, Default)]
pub struct Ignored {
    /// The part of a sketch from which the values are removed.
    part: usize,
    /// The ignored keys, ascending.
    keys: Vec<u32>,
}

impl Ignored {
    /// Returns the keys that `pass` ignores, after its keys are arranged.
    pub fn new(pass: &CompiledPass, capped: &[CappedBucket]) -> Self {
        let Some(part) = pass.ignores() else {
            return Ignored::default();
        };
        let dropped = |capped: &&CappedBucket| pass.kind_of(capped.table).is_some_and(KeyKind::drops_values);
        let foreseen = pass.kinds.iter().filter(|kind| kind.drops_values()).flat_map(|kind| kind.foreseen.iter().map(|&(_, key)| key));
        let mut keys: Vec<u32> = capped.iter().filter(dropped).map(|capped| capped.key).chain(foreseen).collect();
        keys.sort_unstable();
        keys.dedup();
        Ignored { part, keys }
    }

    /// Whether nothing is ignored.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Writes the parts of a sketch to `out`, without the ignored values.
    pub fn filter(&self, parts: &[u64], out: &mut Vec<u64>) {
        out.clear();
        for (number, SketchPart { level, values }) in SketchPart::all(parts).enumerate() {
            let kept = |value: &u64| number != self.part || self.keys.binary_search(&each::key(*value)).is_err();
            let values: Vec<u64> = values.iter().copied().filter(kept).collect();
            SketchPart { level, values: &values }.append(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    fn ignored(line: &str, values: &[u64]) -> Ignored {
        let capped = |value: &u64| CappedBucket { table: 0, key: each::key(*value), size: 9, sample: vec![] };
        Ignored::new(&compile(&line.parse().unwrap()).unwrap(), &values.iter().map(capped).collect::<Vec<_>>())
    }

    #[test]
    fn values_go_from_the_part_that_keys_are_cut_from() {
        let line = "words | shingles:3 | moduli:4 + minima:9 | each cap=5 over=drop | ~resemblance>=0.5 & resemblance>=0.5";
        let ignored = ignored(line, &[70, 7, 30]);
        let (mut parts, mut out) = (Vec::new(), vec![1]);
        SketchPart { level: 3, values: &[7, 8, 30, 99] }.append(&mut parts);
        SketchPart { level: 1, values: &[7, 30] }.append(&mut parts);
        ignored.filter(&parts, &mut out);
        assert_eq!(SketchPart::nth(&out, 0), SketchPart { level: 3, values: &[8, 99] });
        assert_eq!(SketchPart::nth(&out, 1), SketchPart { level: 1, values: &[7, 30] });
    }

    #[test]
    fn only_estimates_by_dropped_keys_ignore() {
        let ignores = |line: &str| !ignored(line, &[7]).is_empty();
        assert!(ignores("words | shingles:3 | moduli:4 | each cap=5 over=drop | ~resemblance>=0.5"));
        assert!(ignores("words | shingles:3 | levels:9 | each cap=5 over=drop | ~containment>=0.5 & resemblance>=0.1"));
        for line in [
            "words | shingles:3 | moduli:4 | each cap=5 over=star | ~resemblance>=0.5",
            "words | shingles:3 | moduli:4 | each | ~resemblance>=0.5",
            "words | shingles:3 | moduli:4 | each cap=5 over=drop | resemblance>=0.5",
            "words | shingles:3 | moduli:4 | each cap=5 over=drop | equal",
            "words | shingles:3 | whole + minhash:9 | each cap=5 over=drop | ~resemblance>=0.5",
            "words | shingles:3 | minhash:9 | bands:3x3 cap=5 over=drop | ~resemblance>=0.5",
        ] {
            assert!(!ignores(line), "{line}");
        }
    }
}
