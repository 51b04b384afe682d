//! Common keys: documents that share a key with too many others are compared by their rarest features.

use crate::support::some_texts::SomeTexts;
use crate::support::texts::{Corpus, NONE, overlap, segments, sets, variants};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::common_keys::rearrange;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::leaders::lead;
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::ids::{CandidateId, DocId, Rank};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Pairs = BTreeSet<(DocId, DocId)>;

/// Expected are the pairs that meet the measure, and either share a key that is not common, or have a common key each.
#[test]
fn common_keys_of_bands_propose_all_pairs_of_their_documents() {
    let (mut beyond, mut missed) = (0, 0);
    for (seed, common) in [(1, 2), (2, 3), (3, 5), (4, 8), (5, 13), (6, 40)] {
        let texts = variants(seed, 300);
        let mut pass = compile(&"words | shingles:2 | minhash:6 | bands:2x3 | resemblance>=0.6".parse().unwrap()).unwrap();
        pass.kinds[0].common.as_mut().unwrap().above = common;
        let (segments, sets) = (segments(&texts, &pass, 37), sets(&texts, &pass));
        let copies = Copies::find(&segments, &|_| true, &|document: DocId| Rank(document.0), 1 << 20).unwrap();
        let takes_part = |document: DocId| !copies.is_copy(document) && !sets[document.index()].is_empty();
        let arranged = arrange(&segments, &pass, &takes_part, 1 << 14).unwrap();

        let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
        let is_common = |bucket: &&[DocId]| bucket.len() > common as usize;
        let holders: BTreeSet<DocId> = buckets.iter().filter(is_common).flatten().copied().collect();
        let rare: Vec<BTreeSet<DocId>> =
            buckets.iter().filter(|bucket| !is_common(bucket)).map(|bucket| bucket.iter().copied().collect()).collect();
        let (mut expected, mut by_keys) = (BTreeSet::new(), BTreeSet::new());
        for right in DocId::first(texts.len()).filter(|&right| takes_part(right)) {
            for left in DocId::first(right.index()).filter(|&left| takes_part(left)) {
                if !pass.holds(overlap(&sets[left.index()], &sets[right.index()])) {
                    continue;
                }
                let share = |bucket: &BTreeSet<DocId>| bucket.contains(&left) && bucket.contains(&right);
                if holders.contains(&left) && holders.contains(&right) || rare.iter().any(share) {
                    expected.insert((left, right));
                } else {
                    missed += 1;
                }
                if buckets.iter().any(|bucket| share(&bucket.iter().copied().collect())) {
                    by_keys.insert((left, right));
                }
            }
        }
        assert!(by_keys.is_subset(&expected));
        beyond += expected.len() - by_keys.len();

        let texts_of = |documents: &[DocId]| {
            let some = documents.iter().map(|&document| texts[document.index()].clone()).collect();
            Ok(Box::new(SomeTexts(some)) as Box<dyn TextAccess>)
        };
        let arranged = rearrange(arranged, &segments, &pass, &takes_part, &texts_of, 1 << 14).unwrap();
        let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
        let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &|document: DocId| Rank(document.0)).unwrap();
        let corpus = Corpus { texts: texts.clone(), candidates: &candidates };
        let comparer = Comparer::new(&candidates, &pass, &corpus, 1 << 16);
        let document = |candidate: CandidateId| candidates.documents[candidate.index()];
        let followers = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
        let leaders: BTreeMap<DocId, DocId> = followers.iter().map(|led| (document(led.candidate), document(led.leader))).collect();
        assert_eq!(leaders, led(&expected));

        comparer.forget_sights();
        let mut found = BTreeSet::new();
        let mut take = |pairs: Vec<Pair>| -> neardup_core::Result<()> {
            found.extend(pairs.iter().map(|pair| (document(pair.left), document(pair.right))));
            Ok(())
        };
        score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
        assert_eq!(found, expected);
    }
    assert!(beyond > 0 && missed > 0, "{beyond} pairs found beyond those that share a key, {missed} missed");
}

/// The pairs found in a part of the documents are those found among all, if the common keys of all are given.
#[test]
fn a_part_of_the_documents_meets_as_among_all() {
    let mut foreseen_only = 0;
    for (seed, common) in [(1, 3), (2, 5), (3, 8), (4, 13), (5, 30)] {
        let texts = variants(seed, 600);
        let mut pass = compile(&"words | shingles:2 | minhash:6 | bands:2x3 | resemblance>=0.6".parse().unwrap()).unwrap();
        pass.kinds[0].common.as_mut().unwrap().above = common;
        let keys = common_keys(&texts, &pass);
        let all = found(&texts, &pass);
        for part in [2, 3, 9] {
            let here: Vec<DocId> = DocId::first(texts.len()).filter(|document| document.0 % part == 1).collect();
            let some: Vec<String> = here.iter().map(|&document| texts[document.index()].clone()).collect();
            let named =
                |pairs: Pairs| -> Pairs { pairs.into_iter().map(|(left, right)| (here[left.index()], here[right.index()])).collect() };
            let unaware = named(found(&some, &pass));
            pass.kinds[0].foreseen = Arc::new(keys.clone());
            let aware = named(found(&some, &pass));
            pass.kinds[0].foreseen = Arc::default();
            let expected: Pairs = all.iter().filter(|(left, right)| here.contains(left) && here.contains(right)).copied().collect();
            assert_eq!(aware, expected);
            foreseen_only += aware.difference(&unaware).count();
        }
    }
    assert!(foreseen_only > 0);
}

/// Returns the keys that are common among all texts, each with its table.
fn common_keys(texts: &[String], pass: &CompiledPass) -> Vec<(u32, u32)> {
    let segments = segments(texts, pass, 37);
    let mut documents: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for table in 0..pass.kinds[0].keys.tables() {
        for (first, segment) in segments.iter() {
            let Some(rows) = segment.rows(0) else { continue };
            rows.each(segments.store(), table, first, segment.len(), |key, _| *documents.entry((table as u32, key)).or_default() += 1)
                .unwrap();
        }
    }
    let above = pass.kinds[0].common.unwrap().above;
    documents.into_iter().filter(|(_, count)| *count > above).map(|(key, _)| key).collect()
}

/// Returns the found pairs, including copies.
fn found(texts: &[String], pass: &CompiledPass) -> Pairs {
    let (segments, sets) = (segments(texts, pass, 37), sets(texts, pass));
    let takes_part = |document: DocId| !sets[document.index()].is_empty();
    let arranged = arrange(&segments, pass, &takes_part, 1 << 14).unwrap();
    let texts_of = |documents: &[DocId]| {
        let some = documents.iter().map(|&document| texts[document.index()].clone()).collect();
        Ok(Box::new(SomeTexts(some)) as Box<dyn TextAccess>)
    };
    let arranged = rearrange(arranged, &segments, pass, &takes_part, &texts_of, 1 << 14).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &|document: DocId| Rank(document.0)).unwrap();
    let corpus = Corpus { texts: texts.to_vec(), candidates: &candidates };
    let comparer = Comparer::new(&candidates, pass, &corpus, 1 << 16);
    let mut found = BTreeSet::new();
    let mut take = |pairs: Vec<Pair>| -> neardup_core::Result<()> {
        found.extend(pairs.iter().map(|pair| (candidates.documents[pair.left.index()], candidates.documents[pair.right.index()])));
        Ok(())
    };
    score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
    found
}

/// Applies the leader rule to pairs; returns the leader of each follower.
fn led(pairs: &Pairs) -> BTreeMap<DocId, DocId> {
    let mut leaders = BTreeMap::new();
    let by_right: Pairs = pairs.iter().map(|&(left, right)| (right, left)).collect();
    for (right, left) in by_right {
        if !leaders.contains_key(&left) && !leaders.contains_key(&right) {
            leaders.insert(right, left);
        }
    }
    leaders
}

/// If the scheme caps keys, or several must be shared, no other keys propose pairs.
#[test]
fn rarer_keys_need_a_measure_and_a_line_without_cap() {
    let common = |line: &str| compile(&line.parse().unwrap()).unwrap().kinds[0].common.map(|common| common.threshold.to_string());
    assert_eq!(common("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"), Some("0.8".to_owned()));
    assert_eq!(common("words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.7 & resemblance>=0.75"), Some("0.75".to_owned()));
    for line in [
        "words | shingles:5 | minhash:96 | bands:16x6 cap=10000 | resemblance>=0.8",
        "words | shingles:5 | minhash:84 | bands:6x14 match=2 | resemblance>=0.8",
        "words | shingles:5 | whole | prefix:0.6 | resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.5 & resemblance<0.8",
    ] {
        assert_eq!(common(line), None, "{line}");
    }
}
