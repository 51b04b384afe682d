//! Who may meet: documents by their keys. Links connect at least those that do, whatever part of them is looked at together.

use crate::spread::known::{self, Known};
use neardup_core::components::Forest;
use neardup_core::keys::{Kind, Over};
use neardup_core::pass::Pass;

/// How many documents of a common key are told.
const SAMPLE: usize = 5;
/// The most documents of a key of which every pair is looked at; more of them may all meet.
const LOOKED: usize = 64;
/// The most documents of one batch that travel for one key: of more, the first travels for all.
const FEW: usize = 16;

/// Where documents of one key meet.
pub struct Meeting {
    pass: Pass,
    /// For each table, counted through all kinds.
    limits: Vec<Limits>,
    /// The most documents of a family of which all pairs are listed.
    max_family: usize,
}

/// What keys of one table that many documents hold are.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most documents of a key that is not capped.
    pub cap: Option<u32>,
    /// Whether capped keys are dropped.
    pub drops: bool,
    /// The most documents of a key that does not give way to rarer ones; None where keys do not.
    pub above: Option<u32>,
    /// The most documents of a key of which nothing is told.
    pub told: i64,
}

impl Limits {
    /// Those of all tables of a pass of whose families of so many documents all pairs are listed.
    pub fn of(pass: &Pass, max_family: usize) -> Vec<Limits> {
        let of_kind = |kind: &Kind| {
            let above = kind.common.map(|common| kind.cap.map_or(common.above, |cap| cap.min(common.above)));
            let told = [kind.cap, above].into_iter().flatten().map(i64::from).fold(max_family as i64, i64::min);
            let drops = kind.cap.is_some() && kind.over == Over::Drop;
            std::iter::repeat_n(Limits { cap: kind.cap, drops, above, told }, kind.keys.tables())
        };
        pass.kinds.iter().flat_map(of_kind).collect()
    }
}

/// Rows of keys of one batch of documents, as they travel. Documents are places in the batch.
#[derive(Default)]
pub struct Combined {
    /// Keys, one a row.
    pub keys: Vec<i64>,
    /// The document of each.
    pub documents: Vec<u32>,
    /// How many documents it stands for; those are linked with it.
    pub weights: Vec<i64>,
    /// For links: the key by which two are linked, unless it turns out to be dropped.
    pub links: Vec<(i64, u32, u32)>,
}

/// What rows of keys tell. Documents are places in these rows.
#[derive(Default)]
pub struct Met {
    /// Pairs of documents that may meet: together they connect all that do.
    pub left: Vec<u32>,
    /// The other side of each.
    pub right: Vec<u32>,
    /// Some documents of a key that many hold ([`Limits::told`]).
    pub sample: Vec<u32>,
    /// The key of each of these.
    pub keys: Vec<i64>,
    /// How many documents have this key.
    pub sizes: Vec<i64>,
    /// What stands for the last key, which may go on, with those that follow.
    pub open: Vec<u32>,
    /// For how many documents each of these stands.
    pub weights: Vec<i64>,
}

impl Meeting {
    /// Of the keys of a pass, of whose families of so many documents all pairs are listed.
    pub fn new(pass: &Pass, max_family: usize) -> Self {
        Meeting { limits: Limits::of(pass, max_family), pass: pass.clone(), max_family }
    }

    /// Combines the keys of a batch of documents, each with all its keys. So a key that all documents share does not travel with
    /// all of them.
    pub fn combine<'k>(&self, keys_of: impl Iterator<Item = &'k [i64]>) -> Combined {
        let mut rows: Vec<(i64, u32)> =
            (0..).zip(keys_of).flat_map(|(document, keys)| keys.iter().map(move |&key| (key, document))).collect();
        rows.sort_unstable();
        let mut combined = Combined::default();
        for bucket in rows.chunk_by(|one, other| one.0 == other.0) {
            let travel = if bucket.len() > FEW { 1 } else { bucket.len() };
            combined.keys.extend(bucket[..travel].iter().map(|row| row.0));
            combined.documents.extend(bucket[..travel].iter().map(|row| row.1));
            combined.weights.extend(std::iter::repeat_n((bucket.len() + 1 - travel) as i64, travel));
            combined.links.extend(bucket[travel..].iter().map(|row| (row.0, bucket[0].1, row.1)));
        }
        combined
    }

    /// Takes rows of ascending `keys`, each of as many documents as it weighs, with what is known of one of these; whether they
    /// are the `last` ones.
    pub fn meet(&self, keys: &[i64], weights: &[i64], known: &[&[u8]], last: bool) -> Met {
        let (mut met, mut start) = (Met::default(), 0);
        for bucket in keys.chunk_by(|one, other| one == other) {
            let end = start + bucket.len();
            let rows = Rows { start: start as u32, weights: &weights[start..end], known: &known[start..end] };
            self.bucket(bucket[0], &rows, last || end < keys.len(), &mut met);
            start = end;
        }
        met
    }

    fn bucket(&self, key: i64, rows: &Rows<'_>, is_whole: bool, met: &mut Met) {
        let (start, count) = (rows.start, rows.weights.len() as u32);
        let size: i64 = rows.weights.iter().sum();
        let Limits { cap, drops, told, .. } = self.limits[(key >> 32) as usize];
        let is_capped = cap.is_some_and(|cap| size > i64::from(cap));
        // What is said of a large family holds for all of it.
        let looked = LOOKED.min(self.max_family).min(cap.map_or(LOOKED, |cap| cap as usize));
        let is_small = size == i64::from(count) && count as usize <= looked;
        if is_small && is_whole {
            self.look(rows, met);
        } else if !is_small && if is_whole { !(drops && is_capped) } else { !drops } {
            met.left.extend(std::iter::repeat_n(start, count as usize - 1));
            met.right.extend(start + 1..start + count);
        }
        let first_rows = count.min(SAMPLE as u32);
        if is_whole && size > told {
            met.sample.extend(start..start + first_rows);
            met.keys.extend(std::iter::repeat_n(key, first_rows as usize));
            met.sizes.extend(std::iter::repeat_n(size, first_rows as usize));
        }
        if !is_whole {
            // Those that are linked already, or never will be, need not wait.
            let waits = is_small || drops && !is_capped;
            let kept = if waits { count } else { first_rows };
            met.open.extend(start..start + kept);
            let rest: i64 = rows.weights[kept as usize..].iter().sum();
            let first = met.weights.len();
            met.weights.extend_from_slice(&rows.weights[..kept as usize]);
            met.weights[first] += rest;
        }
    }

    /// Links those that may hold, pair by pair.
    fn look(&self, rows: &Rows<'_>, met: &mut Met) {
        let known: Vec<Known> = rows.known.iter().map(|bytes| known::read(bytes)).collect();
        for right in 1..known.len() {
            for left in 0..right {
                if known::possible(&self.pass, &known[left], &known[right]) {
                    met.left.push(rows.start + left as u32);
                    met.right.push(rows.start + right as u32);
                }
            }
        }
    }
}

/// Rows of one key.
struct Rows<'a> {
    /// The place of the first.
    start: u32,
    weights: &'a [i64],
    known: &'a [&'a [u8]],
}

/// The root of every one of `count` members that `left` and `right` connect, pair by pair.
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
    use neardup_core::pass::Kept;
    use neardup_core::segment::Draft;
    use neardup_core::set::Set;
    use neardup_core::signer::Signer;
    use neardup_text::Text;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pass(line: &str) -> Pass {
        let mut pass = compile(&line.parse().unwrap()).unwrap();
        pass.kept.push(Kept::Size);
        pass
    }

    /// The roots of documents, each with its keys and what is known of it, and common keys with their sizes, when so many documents
    /// are combined at a time, and then so many rows meet.
    fn all(meeting: &Meeting, documents: &[(Vec<i64>, Vec<u8>)], batch: usize, step: usize) -> (Vec<u32>, BTreeMap<i64, i64>) {
        let mut rows: Vec<(i64, u32, i64)> = Vec::new();
        let mut pending: Vec<(i64, u32, u32)> = Vec::new();
        for (number, some) in (0..).zip(documents.chunks(batch)) {
            let first = number * batch as u32;
            let combined = meeting.combine(some.iter().map(|document| &document.0[..]));
            let places = combined.documents.iter().map(|document| first + document);
            rows.extend(combined.keys.iter().zip(places).zip(&combined.weights).map(|((&key, document), &weight)| (key, document, weight)));
            pending.extend(combined.links.iter().map(|&(key, left, right)| (key, first + left, first + right)));
        }
        rows.sort_unstable();
        let (mut left, mut right, mut common) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut open: Vec<(i64, u32, i64)> = Vec::new();
        for start in (0..rows.len()).step_by(step) {
            let end = (start + step).min(rows.len());
            let these: Vec<(i64, u32, i64)> = open.drain(..).chain(rows[start..end].iter().copied()).collect();
            let (keys, weights): (Vec<i64>, Vec<i64>) = these.iter().map(|row| (row.0, row.2)).unzip();
            let known: Vec<&[u8]> = these.iter().map(|row| &documents[row.1 as usize].1[..]).collect();
            let met = meeting.meet(&keys, &weights, &known, end == rows.len());
            left.extend(met.left.iter().map(|&place| these[place as usize].1));
            right.extend(met.right.iter().map(|&place| these[place as usize].1));
            common.extend(met.keys.iter().copied().zip(met.sizes.iter().copied()));
            open = met
                .open
                .iter()
                .zip(met.weights)
                .map(|(&place, weight)| (these[place as usize].0, these[place as usize].1, weight))
                .collect();
        }
        for (key, one, other) in pending {
            if !(meeting.limits[(key >> 32) as usize].drops && common.contains_key(&key)) {
                left.push(one);
                right.push(other);
            }
        }
        (families(&left, &right, documents.len()), common)
    }

    proptest! {
        #[test]
        fn pieces_change_nothing(
            keys in proptest::collection::vec(proptest::collection::btree_set(0i64..30, 0..4), 1..200), batch in 1usize..90, step in 1usize..40,
        ) {
            let documents: Vec<(Vec<i64>, Vec<u8>)> = keys.iter().map(|keys| (keys.iter().copied().collect(), vec![])).collect();
            for over in ["drop", "star"] {
                let meeting = Meeting::new(&pass(&format!("words | shingles:3 | whole | each cap=9 over={over} | equal")), 1000);
                let (roots, common) = all(&meeting, &documents, batch, step);
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
            texts in proptest::collection::vec(proptest::collection::vec(0u8..6, 0..12), 1..60), batch in 1usize..70, step in 1usize..70,
        ) {
            for line in [
                "words | shingles:2 | whole | each | resemblance>=0.6",
                "words | shingles:2 | whole | each | containment>=0.9",
                "words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3",
                "words | shingles:2 | minima:9 | each cap=5 over=drop | ~resemblance>=0.5",
            ] {
                let pass = pass(line);
                let meeting = Meeting::new(&pass, 1000);
                let texts: Vec<String> = texts.iter().map(|words| words.iter().map(|word| format!("w{word} ")).collect()).collect();
                let mut sets: Vec<Set> = texts.iter().map(|_| Set::default()).collect();
                let mut signer = Signer::new(&pass);
                let documents: Vec<(Vec<i64>, Vec<u8>)> = texts
                    .iter()
                    .zip(&mut sets)
                    .map(|(text, set)| {
                        let mut draft = Draft::default();
                        signer.sign(Text::Plain(text.as_bytes()), &mut draft);
                        signer.set(Text::Plain(text.as_bytes()), set);
                        let keys = if draft.features[0] == 0 { vec![] } else { super::super::signing::keys(&draft, &pass) };
                        (keys, known::write(&draft, &pass, set.features().len() as u32))
                    })
                    .collect();
                let (roots, common) = all(&meeting, &documents, batch, step);
                for right in 1..texts.len() {
                    for left in 0..right {
                        let share = documents[left].0.iter().any(|key| documents[right].0.contains(key) && !common.contains_key(key));
                        let overlap: Overlap = sets[left].overlap(sets[right].features());
                        // Of signatures equal sets tell enough: their fingerprints are equal.
                        let holds = if line.contains("blocks") { overlap.shared == overlap.left.max(overlap.right) } else { pass.holds(overlap) };
                        prop_assert!(!(share && holds) || roots[left] == roots[right], "{} {:?}", line, overlap);
                    }
                }
            }
        }
    }
}
