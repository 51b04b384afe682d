//! Which documents may match, by their keys. The links connect at least all documents that do, however the rows are divided.

use crate::distributed::known::{self, SketchBrief};
use neardup_core::keys::KeyKind;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::forest::Forest;

/// Number of documents reported for a common key.
const SAMPLE: usize = 5;
/// Maximum number of documents of a key for which every pair is checked; in larger groups all documents are linked.
const CHECKED: usize = 64;
/// Maximum number of documents of one batch that are sent for one key; if there are more, the first is sent for all.
const FEW: usize = 16;

/// Links documents that share a key.
pub struct KeyGroups {
    pass: CompiledPass,
    /// Limits of each table, numbered through all kinds.
    limits: Vec<KeyLimits>,
    /// Maximum number of documents of a family for which all pairs are listed.
    max_family: usize,
}

/// Numbers of documents above which a key of one table is treated differently.
#[derive(Clone, Copy, Debug)]
pub struct KeyLimits {
    /// Maximum number of documents of a key that is not capped; `None` without a cap.
    pub cap: Option<u32>,
    /// Whether capped keys are dropped.
    pub drops: bool,
    /// Maximum number of documents of a key that is not common, so that no rarer keys replace it; `None` if these keys are
    /// never common.
    pub above: Option<u32>,
    /// Maximum number of documents of a key that is not reported.
    pub reported_above: i64,
}

impl KeyLimits {
    /// Returns the limits of all tables of a pass. All pairs are listed in families of at most `max_family` documents.
    pub fn of(pass: &CompiledPass, max_family: usize) -> Vec<KeyLimits> {
        let of_kind = |kind: &KeyKind| {
            let above = kind.common_above();
            let reported_above = [kind.cap, above].into_iter().flatten().map(i64::from).fold(max_family as i64, i64::min);
            std::iter::repeat_n(KeyLimits { cap: kind.cap, drops: kind.drops(), above, reported_above }, kind.keys.tables())
        };
        pass.kinds.iter().flat_map(of_kind).collect()
    }
}

/// Rows of keys of one batch of documents, as they are sent: by ascending part, and in each part by ascending key. A document
/// is its position in the batch.
#[derive(Default)]
pub struct CombinedKeys {
    /// Part that the key of each row belongs to.
    pub parts: Vec<u32>,
    /// Key of each row.
    pub keys: Vec<i64>,
    /// Document of each row.
    pub documents: Vec<u32>,
    /// Number of documents that each row represents; they are linked with its document.
    pub weights: Vec<i64>,
    /// Pairs of documents that a key links, unless the key turns out to be dropped.
    pub links: Vec<KeyLink>,
}

/// Two documents of a batch that are linked by a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyLink {
    /// Part that the key belongs to.
    pub part: u32,
    /// The key.
    pub key: i64,
    /// The document that is sent for both.
    pub left: u32,
    /// The other document.
    pub right: u32,
}

/// Returns which of `parts` parts a key belongs to, the same on every machine. The bits of a key may be far from random.
fn part_of(key: i64, parts: u32) -> u32 {
    // By the golden ratio: all bits of the key affect the upper half of the product.
    let mixed = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((mixed * u64::from(parts)) >> 32) as u32
}

/// Links and common keys in rows of keys. A document is the number of its row.
#[derive(Default)]
pub struct KeyFindings {
    /// Left document of each link. Together the links connect all documents that may match.
    pub left: Vec<u32>,
    /// Right document of each link.
    pub right: Vec<u32>,
    /// Sampled documents of the keys that are reported ([`KeyLimits::reported_above`]).
    pub sample: Vec<u32>,
    /// Key of each sampled document.
    pub keys: Vec<i64>,
    /// Number of documents that have this key.
    pub sizes: Vec<i64>,
}

impl KeyGroups {
    /// Returns the groups of the keys of a pass. All pairs are listed in families of at most `max_family` documents.
    pub fn new(pass: &CompiledPass, max_family: usize) -> Self {
        KeyGroups { limits: KeyLimits::of(pass, max_family), pass: pass.clone(), max_family }
    }

    /// Combines the keys of a batch and divides them into `parts` parts. `keys_of` has all keys of each document. A key that
    /// many documents share is sent with one of them only.
    pub fn combine<'k>(&self, keys_of: impl Iterator<Item = &'k [i64]>, parts: u32) -> CombinedKeys {
        let of_document = |(document, keys): (u32, &'k [i64])| keys.iter().map(move |&key| (part_of(key, parts), key, document));
        let mut rows: Vec<(u32, i64, u32)> = (0..).zip(keys_of).flat_map(of_document).collect();
        rows.sort_unstable();
        let mut combined = CombinedKeys::default();
        for bucket in rows.chunk_by(|one, other| one.1 == other.1) {
            let travel = if bucket.len() > FEW { 1 } else { bucket.len() };
            combined.parts.extend(bucket[..travel].iter().map(|row| row.0));
            combined.keys.extend(bucket[..travel].iter().map(|row| row.1));
            combined.documents.extend(bucket[..travel].iter().map(|row| row.2));
            combined.weights.extend(std::iter::repeat_n((bucket.len() + 1 - travel) as i64, travel));
            let left = bucket[0].2;
            combined.links.extend(bucket[travel..].iter().map(|&(part, key, right)| KeyLink { part, key, left, right }));
        }
        combined
    }

    /// Links the documents of some keys, given all rows of these by ascending key. Each row represents as many documents as its
    /// weight; `known` has the brief sketch of one of them.
    pub fn link(&self, keys: &[i64], weights: &[i64], known: &[&[u8]]) -> KeyFindings {
        let (mut findings, mut start) = (KeyFindings::default(), 0);
        for bucket in keys.chunk_by(|one, other| one == other) {
            let end = start + bucket.len();
            let rows = KeyGroup { start: start as u32, weights: &weights[start..end], known: &known[start..end] };
            self.bucket(bucket[0], &rows, &mut findings);
            start = end;
        }
        findings
    }

    fn bucket(&self, key: i64, rows: &KeyGroup<'_>, findings: &mut KeyFindings) {
        let (start, count) = (rows.start, rows.weights.len() as u32);
        let size: i64 = rows.weights.iter().sum();
        let KeyLimits { cap, drops, reported_above, .. } = self.limits[(key >> 32) as usize];
        let is_capped = cap.is_some_and(|cap| size > i64::from(cap));
        // Reports on a large or capped family cover all its documents, so none is excluded.
        let compared = CHECKED.min(self.max_family).min(cap.map_or(CHECKED, |cap| cap as usize));
        if size == i64::from(count) && count as usize <= compared {
            self.compare(rows, findings);
        } else if !(drops && is_capped) {
            findings.left.extend(std::iter::repeat_n(start, count as usize - 1));
            findings.right.extend(start + 1..start + count);
        }
        if size > reported_above {
            let sampled = count.min(SAMPLE as u32);
            findings.sample.extend(start..start + sampled);
            findings.keys.extend(std::iter::repeat_n(key, sampled as usize));
            findings.sizes.extend(std::iter::repeat_n(size, sampled as usize));
        }
    }

    /// Links the documents that may match, after checking every pair.
    fn compare(&self, rows: &KeyGroup<'_>, findings: &mut KeyFindings) {
        let known: Vec<SketchBrief> = rows.known.iter().map(|bytes| known::read(bytes)).collect();
        for right in 1..known.len() {
            for left in 0..right {
                if known::possible(&self.pass, &known[left], &known[right]) {
                    findings.left.push(rows.start + left as u32);
                    findings.right.push(rows.start + right as u32);
                }
            }
        }
    }
}

/// Rows of one key.
struct KeyGroup<'a> {
    /// Number of the first row.
    start: u32,
    weights: &'a [i64],
    known: &'a [&'a [u8]],
}

/// Returns the root of each of `count` members, as the pairs of `left` and `right` connect them.
pub fn families(left: &[u32], right: &[u32], count: usize) -> Vec<u32> {
    let mut forest = Forest::new(count);
    left.iter().zip(right).for_each(|(&left, &right)| forest.union(left, right));
    (0..count as u32).map(|member| forest.find(member)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_core::compile::compile;
    use neardup_core::measures::Overlap;
    use neardup_core::pass::compiled::SketchContent;
    use neardup_core::sets::set::Set;
    use neardup_core::signing::segment::ChunkBuilder;
    use neardup_core::signing::signer::Signer;
    use neardup_text::Text;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pass(line: &str) -> CompiledPass {
        let mut pass = compile(&line.parse().unwrap()).unwrap();
        pass.kept.push(SketchContent::Size);
        pass
    }

    /// Returns the root of every document, and common keys with their sizes. Each document has its keys and its brief sketch.
    /// `batch` documents are combined at a time, and each of `parts` parts is linked separately.
    fn all(key_groups: &KeyGroups, documents: &[(Vec<i64>, Vec<u8>)], batch: usize, parts: u32) -> (Vec<u32>, BTreeMap<i64, i64>) {
        let mut rows: BTreeMap<u32, Vec<(i64, u32, i64)>> = BTreeMap::new();
        let mut pending: Vec<(i64, u32, u32)> = Vec::new();
        for (number, some) in (0..).zip(documents.chunks(batch)) {
            let first = number * batch as u32;
            let combined = key_groups.combine(some.iter().map(|document| &document.0[..]), parts);
            for (place, &part) in combined.parts.iter().enumerate() {
                let row = (combined.keys[place], first + combined.documents[place], combined.weights[place]);
                rows.entry(part).or_default().push(row);
            }
            for KeyLink { part, key, left, right } in combined.links {
                assert_eq!(part, part_of(key, parts));
                pending.push((key, first + left, first + right));
            }
        }
        let (mut left, mut right, mut common) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (part, mut these) in rows {
            assert!(part < parts);
            these.sort_unstable();
            let (keys, weights): (Vec<i64>, Vec<i64>) = these.iter().map(|row| (row.0, row.2)).unzip();
            let known: Vec<&[u8]> = these.iter().map(|row| &documents[row.1 as usize].1[..]).collect();
            let findings = key_groups.link(&keys, &weights, &known);
            left.extend(findings.left.iter().map(|&place| these[place as usize].1));
            right.extend(findings.right.iter().map(|&place| these[place as usize].1));
            common.extend(findings.keys.iter().copied().zip(findings.sizes.iter().copied()));
        }
        for (key, one, other) in pending {
            if !(key_groups.limits[(key >> 32) as usize].drops && common.contains_key(&key)) {
                left.push(one);
                right.push(other);
            }
        }
        (families(&left, &right, documents.len()), common)
    }

    #[test]
    fn parts_are_alike_in_size() {
        for keys in [(0..100_000i64).collect::<Vec<_>>(), (0..100_000).map(|key| (key % 16) << 32 | (key << 12) & 0xFFFF_FFFF).collect()] {
            let mut sizes = [0u32; 50];
            keys.iter().for_each(|&key| sizes[part_of(key, 50) as usize] += 1);
            assert!(sizes.iter().all(|size| (1_500..2_500).contains(size)), "{sizes:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_change_nothing(
            keys in proptest::collection::vec(proptest::collection::btree_set(0i64..30, 0..4), 1..200), batch in 1usize..90, parts in 1u32..40,
        ) {
            let documents: Vec<(Vec<i64>, Vec<u8>)> = keys.iter().map(|keys| (keys.iter().copied().collect(), vec![])).collect();
            for over in ["drop", "star"] {
                let key_groups = KeyGroups::new(&pass(&format!("words | shingles:3 | whole | each cap=9 over={over} | equal")), 1000);
                let (roots, common) = all(&key_groups, &documents, batch, parts);
                let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
                keys.iter().flatten().for_each(|&key| *sizes.entry(key).or_insert(0) += 1);
                let above: BTreeMap<i64, i64> = sizes.into_iter().filter(|(_, size)| *size > 9).collect();
                prop_assert_eq!(&common, &above);
                let mut forest = Forest::new(documents.len());
                let mut first_of: BTreeMap<i64, u32> = BTreeMap::new();
                for (document, keys) in (0..).zip(&keys) {
                    for key in keys.iter().filter(|key| over == "star" || !above.contains_key(key)) {
                        forest.union(*first_of.entry(*key).or_insert(document), document);
                    }
                }
                let expected: Vec<u32> = (0..documents.len() as u32).map(|document| forest.find(document)).collect();
                prop_assert_eq!(roots, expected);
            }
        }

        #[test]
        fn whoever_holds_stays_together(
            texts in proptest::collection::vec(proptest::collection::vec(0u8..6, 0..12), 1..60), batch in 1usize..70, parts in 1u32..70,
        ) {
            for line in [
                "words | shingles:2 | whole | each | resemblance>=0.6",
                "words | shingles:2 | whole | each | containment>=0.9",
                "words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3",
                "words | shingles:2 | minima:9 | each cap=5 over=drop | ~resemblance>=0.5",
            ] {
                let pass = pass(line);
                let key_groups = KeyGroups::new(&pass, 1000);
                let texts: Vec<String> = texts.iter().map(|words| words.iter().map(|word| format!("w{word} ")).collect()).collect();
                let mut sets: Vec<Set> = texts.iter().map(|_| Set::default()).collect();
                let mut signer = Signer::new(&pass);
                let documents: Vec<(Vec<i64>, Vec<u8>)> = texts
                    .iter()
                    .zip(&mut sets)
                    .map(|(text, set)| {
                        let mut draft = ChunkBuilder::default();
                        signer.sign(Text::Plain(text.as_bytes()), &mut draft);
                        signer.set(Text::Plain(text.as_bytes()), set);
                        let keys = if draft.features[0] == 0 { vec![] } else { super::super::signed_rows::keys(&draft, &pass) };
                        (keys, known::write(&draft, &pass, set.features().len() as u32))
                    })
                    .collect();
                let (roots, common) = all(&key_groups, &documents, batch, parts);
                for right in 1..texts.len() {
                    for left in 0..right {
                        let share = documents[left].0.iter().any(|key| documents[right].0.contains(key) && !common.contains_key(key));
                        let overlap: Overlap = sets[left].overlap(sets[right].features());
                        // For SimHash, checking equal sets is enough: their fingerprints are equal.
                        let holds = if line.contains("blocks") { overlap.shared == overlap.left.max(overlap.right) } else { pass.holds(overlap) };
                        prop_assert!(!(share && holds) || roots[left] == roots[right], "{} {:?}", line, overlap);
                    }
                }
            }
        }
    }
}
