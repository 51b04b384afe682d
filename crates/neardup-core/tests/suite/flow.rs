//! Sign, arrange, lead, score and connect are compared with their definitions on generated families.

use crate::support::counted::counted;
use crate::support::some_texts::SomeTexts;
use crate::support::texts::{Corpus, NONE, overlap, segments, sets, variants};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::common_keys::rearrange;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::late_keys::LateKeys;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::components::{LeaderOutcome, connect};
use neardup_core::decide::leaders::{ReferenceLeaders, lead};
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::decide::text_tests::TextTests;
use neardup_core::keys::capped::CappedBucket;
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::sketch::Sketch;
use neardup_core::signatures::Values;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segment::{ChunkBuilder, range};
use neardup_core::signing::signer::Signer;
use neardup_core::util::ids::{CandidateId, DocId, Rank};
use neardup_text::Text;
use neardup_text::simd::Level;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

/// Generates texts of families: each is a base with a few words changed, and some are copies.
fn corpus() -> impl Strategy<Value = Vec<String>> {
    let change = (any::<prop::sample::Index>(), 0u32..40);
    let member = (0usize..6, proptest::collection::vec(change, 0..4));
    proptest::collection::vec(member, 1..60).prop_map(|members| {
        members
            .into_iter()
            .map(|(family, changes)| {
                // Families 0 and 1 are short; family 5 has no words.
                let length = [3, 9, 25, 30, 40, 0][family];
                let mut words: Vec<String> = (0..length).map(|at| format!("w{family}x{}", at * 7 % 31)).collect();
                for (at, word) in changes.into_iter().filter(|_| length > 0) {
                    let at = at.index(length);
                    words[at] = format!("v{}", word % 11);
                }
                words.join(" ")
            })
            .collect()
    })
}

/// The results by definition, for the documents that are no copies of others.
struct Truth {
    firsts: Vec<DocId>,
    pairs: BTreeMap<(DocId, DocId), Overlap>,
    leaders: BTreeMap<DocId, DocId>,
}

fn truth(texts: &[String], pass: &CompiledPass, position: &dyn Fn(DocId) -> Rank) -> Truth {
    let sets = sets(texts, pass);
    let (mut signer, mut sketches) = (Signer::new(pass), ChunkBuilder::default());
    texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut sketches));
    let mut tests = TextTests::new(pass);
    let contents: Vec<_> = texts.iter().map(|text| tests.read(Text::Plain(text.as_bytes()))).collect();
    let mut firsts: Vec<DocId> = Vec::new();
    let mut order: Vec<DocId> = DocId::first(texts.len()).filter(|&document| !sets[document.index()].is_empty()).collect();
    order.sort_by_key(|&document| position(document));
    for &document in &order {
        if !firsts.iter().any(|&first| texts[first.index()] == texts[document.index()]) {
            firsts.push(document);
        }
    }
    let ignored = Ignored::new(pass, &capped(&sketches, &firsts, pass));
    let meet = |left: DocId, right: DocId| {
        let (left, right) = (left.index(), right.index());
        let (one, other) = (sketches.sketch(left), sketches.sketch(right));
        let (mut l, mut r) = (Vec::new(), Vec::new());
        ignored.filter(one.parts, &mut l);
        ignored.filter(other.parts, &mut r);
        pass.possible(Sketch { parts: &l, ..one }, Sketch { parts: &r, ..other }) && tests.holds(&contents[left], &contents[right])
    };
    let mut pairs = BTreeMap::new();
    for (at, &left) in firsts.iter().enumerate() {
        for &right in &firsts[at + 1..] {
            let overlap = overlap(&sets[left.index()], &sets[right.index()]);
            if pass.holds(overlap) && meet(left, right) {
                pairs.insert((left, right), overlap);
            }
        }
    }
    let mut leaders = BTreeMap::new();
    for (at, &document) in firsts.iter().enumerate() {
        let leader = firsts[..at].iter().find(|&&earlier| !leaders.contains_key(&earlier) && pairs.contains_key(&(earlier, document)));
        leader.map(|&leader| leaders.insert(document, leader));
    }
    Truth { firsts, pairs, leaders }
}

/// Compiles a pass as a run does: kinds of keys without a cap use the rarest features.
fn of_run(line: &str, texts: &[String]) -> CompiledPass {
    let mut pass = counted(line, texts);
    pass.kinds.iter_mut().filter(|kind| kind.cap.is_none()).for_each(|kind| kind.keys = kind.keys.clone().of_run());
    pass
}

/// Returns the keys of more documents than the cap of their kind, which estimates ignore.
fn capped(sketches: &ChunkBuilder, firsts: &[DocId], pass: &CompiledPass) -> Vec<CappedBucket> {
    let mut capped = Vec::new();
    for (table, (kind, rows)) in pass.kinds.iter().zip(&sketches.keys).enumerate().filter(|_| pass.ignores().is_some()) {
        let mut holders: BTreeMap<u32, BTreeSet<DocId>> = BTreeMap::new();
        for &document in firsts {
            rows.keys[range(&rows.ends, document.index())].iter().for_each(|&key| {
                holders.entry(key).or_default().insert(document);
            });
        }
        let common = holders.into_iter().filter(|(_, holders)| kind.cap.is_some_and(|cap| holders.len() > cap as usize));
        capped.extend(common.map(|(key, holders)| CappedBucket { table, key, size: holders.len(), sample: vec![] }));
    }
    capped
}

fn check(texts: Vec<String>, line: &str, chunk: usize, memory: usize, reversed: bool) {
    let pass = counted(line, &texts);
    check_pass(texts, &pass, chunk, memory, reversed);
}

fn check_pass(texts: Vec<String>, pass: &CompiledPass, chunk: usize, memory: usize, reversed: bool) {
    let count = texts.len() as u32;
    let position = move |document: DocId| Rank(if reversed { count - 1 - document.0 } else { document.0 });
    let truth = truth(&texts, pass, &position);
    let segments = segments(&texts, pass, chunk);
    let features = segments.column(|segment| segment.features).unwrap();
    let copies = Copies::find(&segments, &|_| true, &position, memory).unwrap();
    let takes_part = |document: DocId| features[document.index()] > 0 && !copies.is_copy(document);
    let firsts: BTreeSet<DocId> = DocId::first(texts.len()).filter(|&document| takes_part(document)).collect();
    assert_eq!(firsts, truth.firsts.iter().copied().collect());

    let texts_of = |documents: &[DocId]| {
        let some = documents.iter().map(|&document| texts[document.index()].clone()).collect();
        Ok(Box::new(SomeTexts(some)) as Box<dyn TextAccess>)
    };
    let kinds = pass.late();
    let rekey = LateKeys { kinds: &kinds, segments: &segments, pass, takes_part: &takes_part, texts_of: &texts_of, counters: usize::MAX };
    let rekeyed = rekey.run().unwrap();
    assert_eq!(rekeyed.is_none(), pass.kinds.iter().all(|kind| kind.keys.are_signed()));
    let arranged = arrange(rekeyed.as_ref().unwrap_or(&segments), pass, &takes_part, memory).unwrap();
    let arranged = rearrange(arranged, &segments, pass, &takes_part, &texts_of, memory).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    let candidates = Candidates::new(&segments, &buckets, &Ignored::new(pass, &arranged.capped), &position).unwrap();
    let texts = Corpus { texts, candidates: &candidates };
    let comparer = Comparer::new(&candidates, pass, &texts, memory);
    let document = |candidate: CandidateId| candidates.documents[candidate.index()];

    let followers = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
    let leaders: BTreeMap<DocId, DocId> =
        followers.iter().map(|follower| (document(follower.candidate), document(follower.leader))).collect();
    assert_eq!(leaders, truth.leaders);
    for follower in &followers {
        assert_eq!(follower.overlap.reversed(), truth.pairs[&(document(follower.leader), document(follower.candidate))]);
    }

    let mut forest = connect(&candidates, &comparer, LeaderOutcome::new(candidates.len(), &followers), &Unwatched).unwrap();
    let mut slow = neardup_core::util::forest::Forest::new(count as usize);
    truth.pairs.keys().for_each(|&(left, right)| slow.union(left, right));
    for left in CandidateId::first(candidates.len()) {
        for right in CandidateId::first(left.index()) {
            let together = slow.find(document(left)) == slow.find(document(right));
            assert_eq!(forest.find(left) == forest.find(right), together);
        }
    }

    comparer.forget_sights();
    let mut pairs = Vec::new();
    let mut take = |mut found: Vec<Pair>| -> neardup_core::Result<()> {
        pairs.append(&mut found);
        Ok(())
    };
    score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
    let found: BTreeMap<(DocId, DocId), Overlap> =
        pairs.iter().map(|pair| ((document(pair.left), document(pair.right)), pair.overlap)).collect();
    assert_eq!(found, truth.pairs);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exact_keys_follow_the_definition(texts in corpus(), chunk in 1usize..20, memory in 0usize..4000, reversed in any::<bool>()) {
        check(texts, "words | shingles:3 | whole | prefix:0.6 | resemblance>=0.6", chunk, memory, reversed);
    }

    #[test]
    fn rarest_keys_follow_the_definition(
        texts in corpus(), line in prop::sample::select([COMPLETE, &[BANDS]].concat()), common in 1u32..9,
        chunk in 1usize..20, memory in 0usize..4000, reversed in any::<bool>(),
    ) {
        let mut pass = of_run(line, &texts);
        pass.kinds.iter_mut().filter_map(|kind| kind.common.as_mut()).for_each(|most| most.above = common);
        check_pass(texts, &pass, chunk, memory, reversed);
    }

    #[test]
    fn an_exact_join_finds_all_pairs(
        texts in corpus(), (p, q) in (1u64..=20, 1u64..=20), width in 1usize..4,
        chunk in 1usize..20, memory in 0usize..4000, reversed in any::<bool>(),
    ) {
        let tau = format!("{}/{}", p.min(q), p.max(q));
        let line = format!("words | shingles:{width} | whole | prefix:{tau} | resemblance>={tau}");
        check_pass(texts.clone(), &of_run(&line, &texts), chunk, memory, reversed);
    }

    #[test]
    fn many_bands_follow_the_definition(texts in corpus(), chunk in 1usize..20, reversed in any::<bool>()) {
        check(texts, BANDS, chunk, 1 << 20, reversed);
    }
}

/// 256 bands of one row miss a pair of resemblance 0.6 with a probability of 10^-101.
const BANDS: &str = "words | shingles:2 | minhash:256 | bands:256x1 | resemblance>=0.6";

/// Schemes whose keys propose every pair that their measure accepts.
const COMPLETE: &[&str] = &[
    "words | shingles:2 | digest | each | equal",
    "words | shingles:1 | whole | each match=7 | equal",
    "words | shingles:2 | minhash:84 | bands:6x14 match=2 | equal",
    "words | shingles:1 | lexicons:4,1/3 | each | equal",
    "words | shingles:2 | whole | lengths:0.6 | resemblance>=0.6",
    "words | chunks:3 | whole | each match=2 | equal",
    "words | chunks:document | digest:sha1 | each | equal",
    "words | abstract:4 | digest:md5 | each | equal",
    "words | terms:0.2,0.8 weight=idf:corpus | digest:sha1 | each | equal",
    "words | terms:0.2,0.8 weight=idf:corpus | lexicons:4,1/3 | each | equal & resemblance>=0.7",
    "words | terms:0.3,1 weight=idf:corpus | whole | prefix:0.6 | resemblance>=0.6",
    "words | keywords:6,ranked weight=idf:corpus | digest:md5 | each | equal",
    "words | shingles:1 | simhash:64 | blocks:5 | hamming<=5",
    "words | shingles:2 | whole | prefix:0.3 | resemblance>=0.3 & lcs>=0.6 & levenshtein:chars<=12",
    "words | shingles:1 | whole | prefix:0.3 | resemblance>=0.3 & cosine>=0.7 & bag>=0.5 & sim<0.4",
    "words | shingles:1 | minima:20 | each | ~resemblance>=0.5",
    "words | shingles:1 hash=rabin | moduli:3 | each | ~resemblance>=0.6",
    "words | shingles:1 | levels:4 | each | ~containment>=0.7",
    "words | shingles:1 | levels:4 + minima:16 | each | ~containment>=0.5 & ~resemblance>=0.5 & resemblance>=0.3",
    "words | shingles:1 | moduli:2 | each cap=4 over=drop | ~resemblance>=0.5",
    "words | shingles:1 | minima:12 | each cap=4 over=drop | ~resemblance>=0.5",
    "words | shingles:1 | moduli:2 | each match=3 | equal",
    "words | shingles:2 | supershingles:6,3 | each | equal",
    "words | shingles:1 | simhash:64 | blocks:4,double | hamming<=4",
    "words | shingles:1 | simhash:64 | blocks:6,nested | equal & hamming<=5",
    "words | shingles:1 weight=tf | projection:64 | blocks:9,single | agree>=55",
    "words | shingles:1 | projection | blocks:30,single | ~cosine>=0.97",
    "words | shingles:5 | minhash:84 + projection:384 | bands:6x14 match=2 | equal & agree>=355",
    "words | shingles:2 weight=tf | simhash:128 | blocks:8,nested cap=1000000 | hamming<=8 & ~cosine<1",
    "words | shingles:2 | minhash:84 | bands:6x14 match=2 + bands:7x12 + bands:14x6 match=5 | equal",
    "words | shingles:1 | whole | each match=3 cap=5 over=drop + lengths:0.5 | resemblance>=0.5",
    "words | shingles:1 | whole | lengths:0.6 cap=2 over=drop + prefix:0.6 + each match=7 cap=3 | equal & resemblance>=0.6",
    "words | shingles:1 | moduli:2 | each cap=4 over=drop + each match=2 cap=3 over=star | ~resemblance>=0.5",
    "words | shingles:1 | minima:12 | each match=3 cap=3 over=drop + each cap=6 over=drop | ~resemblance>=0.5",
    "words | shingles:1 | simhash:64 | blocks:5,double cap=2 over=drop + blocks:7,nested | hamming<=5",
    "words | shingles:1 | simhash:128 + minhash:32 | blocks:12,double | hamming<=12 & ~resemblance>=0.5 & containment>=0.6",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn complete_keys_follow_the_definition(texts in corpus(), chunk in 1usize..20, memory in 0usize..4000, reversed in any::<bool>()) {
        for line in COMPLETE {
            check(texts.clone(), line, chunk, memory, reversed);
        }
    }
}

/// Returns the pairs that share a bucket, and the tables of capped keys.
fn proposed(texts: &[String], keys: &str, chunk: usize, memory: usize) -> (BTreeSet<(DocId, DocId)>, BTreeSet<usize>) {
    let pass = compile(&format!("words | shingles:1 | minhash:24 | {keys} | containment>=0.1").parse().unwrap()).unwrap();
    let segments = segments(texts, &pass, chunk);
    let arranged = arrange(&segments, &pass, &|document: DocId| !document.0.is_multiple_of(5), memory).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    let pairs = buckets.iter().flat_map(|bucket| bucket.iter().flat_map(|&left| bucket.iter().map(move |&right| (left, right))));
    (pairs.filter(|(left, right)| left < right).collect(), arranged.capped.iter().map(|capped| capped.table).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(42))]

    #[test]
    fn pairs_of_any_kind_of_keys_are_candidates(texts in corpus(), chunk in 1usize..20, memory in 0usize..4000) {
        let kinds = ["bands:4x6 match=2 cap=3 over=drop", "bands:6x4", "bands:24x1 match=24 cap=2"];
        let (mut pairs, mut tables, mut before) = (BTreeSet::new(), BTreeSet::new(), 0);
        // There are 6 choices of 2 of 4 bands; the others have a table for each of 6 bands, and one for all bands.
        for (keys, count) in kinds.iter().zip([6, 6, 1]) {
            let (some, capped) = proposed(&texts, keys, chunk, memory);
            pairs.extend(some);
            tables.extend(capped.iter().map(|table| before + table));
            before += count;
        }
        prop_assert_eq!(proposed(&texts, &kinds.join(" + "), chunk, memory), (pairs, tables));
    }

    #[test]
    fn the_measure_equal_requires_enough_keys_of_one_kind(texts in corpus()) {
        let pass = compile(&"words | shingles:1 | minhash:12 | bands:6x2 match=4 + bands:3x4 match=2 + bands:1x7 | equal".parse().unwrap()).unwrap();
        let (mut signer, mut sketches) = (Signer::new(&pass), ChunkBuilder::default());
        texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut sketches));
        let minima: Vec<Vec<u32>> = sets(&texts, &pass).iter().map(|set| {
            let mut values = Values::default();
            let features: Vec<u64> = set.iter().copied().collect();
            if !features.is_empty() {
                pass.signatures[0].sign(Level::best(), &features, &mut (), &mut values);
            }
            values.narrow
        }).collect();
        for (left, l) in minima.iter().enumerate() {
            for (right, r) in minima.iter().enumerate() {
                let enough = |bands: usize, rows: usize, least: usize| {
                    l.chunks(rows).zip(r.chunks(rows)).take(bands).filter(|(left, right)| left == right).count() >= least
                };
                let expected = enough(6, 2, 4) || enough(3, 4, 2) || enough(1, 7, 1);
                prop_assert_eq!(pass.possible(sketches.sketch(left), sketches.sketch(right)), expected);
            }
        }
    }
}

#[test]
fn spots_follow_the_definition() {
    // Words of the generated families as antecedents and stop words.
    let list = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(list.path(), "antecedents: w3x0 w3x14 w4x7 w4x0 w4x21\nstops: w3x7 v1 v2 w4x28\n").unwrap();
    let line = format!("words | spots:2,1 antecedents=file:{} | whole | lengths:0.44 | resemblance>=0.44", list.path().display());
    let mut runner = TestRunner::new(ProptestConfig::with_cases(42));
    runner
        .run(&(corpus(), 1usize..20, 0usize..4000, any::<bool>()), |(texts, chunk, memory, reversed)| {
            check(texts, &line, chunk, memory, reversed);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_family_costs_about_as_many_comparisons_as_it_has_members() {
    struct Counted<'a>(Corpus<'a>, std::sync::atomic::AtomicUsize);
    impl TextAccess for Counted<'_> {
        fn text<'b>(&'b self, candidate: u32, buffer: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
            self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            self.0.text(candidate, buffer)
        }
    }
    let base: Vec<String> = (0..200).map(|at| format!("word{at}")).collect();
    let texts: Vec<String> = (0..3000).map(|member| format!("{} ending{member}", base.join(" "))).collect();
    let pass = compile(&"words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".parse().unwrap()).unwrap();
    let segments = segments(&texts, &pass, 100);
    let arranged = arrange(&segments, &pass, &|_| true, 1 << 20).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &|document: DocId| Rank(document.0)).unwrap();
    let counted = Counted(Corpus { texts, candidates: &candidates }, 0.into());
    // No set is cached: every comparison reads at most two texts.
    let comparer = Comparer::new(&candidates, &pass, &counted, 0);
    let followers = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
    assert_eq!(followers.len(), 2999);
    let reads = counted.1.into_inner();
    assert!(reads < 4 * 3000, "{reads} texts were read for 3000 members");
}

#[test]
fn blocks_threads_and_budgets_change_nothing() {
    let pass = compile(&"words | shingles:2 | minhash:96 | bands:32x3 | resemblance>=0.6".parse().unwrap()).unwrap();
    for (seed, pinned) in [(1, 0), (2, 2500), (3, 0)] {
        let texts = variants(seed, 11_000);
        let (segments, sets) = (segments(&texts, &pass, 137), sets(&texts, &pass));
        let copies = Copies::find(&segments, &|_| true, &|document: DocId| Rank(document.0), 1 << 24).unwrap();
        let arranged = arrange(&segments, &pass, &|document| !copies.is_copy(document), 1 << 24).unwrap();
        let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
        let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &|document: DocId| Rank(document.0)).unwrap();
        // Several blocks of open candidates.
        assert!(candidates.len() > 9000);
        let represents_others = |candidate: CandidateId| candidate.0.is_multiple_of(3);
        let set = |candidate: CandidateId| &sets[candidates.documents[candidate.index()].index()];
        let expected = by_definition(&candidates, &pass, &set, pinned, &represents_others);
        let corpus = Corpus { texts, candidates: &candidates };
        let run = |threads: usize, budget: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let comparer = Comparer::new(&candidates, &pass, &corpus, budget);
                let pinned = ReferenceLeaders { count: pinned, represents_others: &represents_others };
                let followers = lead(&candidates, &comparer, &pinned, &Unwatched).unwrap();
                let misses = comparer.misses();
                (followers, misses.histogram.to_vec(), misses.nearest.clone())
            })
        };
        let first = run(1, 0);
        let followers: Vec<(CandidateId, CandidateId)> = first.0.iter().map(|follower| (follower.candidate, follower.leader)).collect();
        assert_eq!(followers, expected);
        first.0.iter().for_each(|follower| assert_eq!(follower.overlap, overlap(set(follower.candidate), set(follower.leader))));
        for (threads, budget) in [(2, 1 << 20), (3, usize::MAX), (8, 1 << 16)] {
            assert!(run(threads, budget) == first, "{threads} threads, {budget} bytes");
        }
    }
}

/// Applies the leader rule to the pairs that share a bucket; returns each follower with its leader.
fn by_definition<'s>(
    candidates: &Candidates,
    pass: &CompiledPass,
    set: &dyn Fn(CandidateId) -> &'s BTreeSet<u64>,
    pinned: u32,
    represents_others: &dyn Fn(CandidateId) -> bool,
) -> Vec<(CandidateId, CandidateId)> {
    let mut kept: BTreeSet<CandidateId> = CandidateId::first(pinned as usize).collect();
    let mut followers = Vec::new();
    for candidate in CandidateId::first(candidates.len()).filter(|&candidate| candidate.0 >= pinned || represents_others(candidate)) {
        let near = candidates.buckets_of(candidate).iter().flat_map(|&bucket| candidates.bucket(bucket).iter().copied());
        let leaders: BTreeSet<CandidateId> = near.filter(|&other| other < candidate && kept.contains(&other)).collect();
        match leaders.into_iter().find(|&leader| pass.holds(overlap(set(candidate), set(leader)))) {
            Some(leader) => followers.push((candidate, leader)),
            None => {
                kept.insert(candidate);
            }
        }
    }
    followers
}
