//! The maximum spanning forest is compared with Kruskal's over all pairs, and its cost is bounded.

use crate::support::texts::{Corpus, NONE, overlap, segments, sets, variants};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::components::{LeaderOutcome, connect};
use neardup_core::decide::effort::Effort;
use neardup_core::decide::forest_search::span;
use neardup_core::decide::leaders::{FirstLeaders, lead};
use neardup_core::decide::spanning_forest::{Edge, Spanning};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{CandidateId, DocId, Rank};
use neardup_core::util::splitmix::SplitMix;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

fn pass(line: &str) -> CompiledPass {
    compile(&line.parse().unwrap()).unwrap()
}

/// Returns the candidates among `texts`, without copies.
fn candidates(texts: &[String], pass: &CompiledPass, position: &(dyn Fn(DocId) -> Rank + Sync)) -> Candidates {
    let segments = segments(texts, pass, 37);
    let copies = Copies::find(&segments, &|_| true, position, 1 << 24).unwrap();
    let arranged = arrange(&segments, pass, &|document| !copies.is_copy(document), 1 << 24).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    Candidates::new(&segments, &buckets, &Ignored::default(), position).unwrap()
}

/// Returns the edges of a forest in order.
fn listed(forest: &Spanning) -> Vec<Edge> {
    let mut edges: Vec<Edge> = forest.edges().copied().collect();
    edges.sort_by_key(Edge::place);
    edges
}

/// Computes the forest by Kruskal's algorithm. Its pairs share a bucket; in a bucket above the cap, one of the two is among
/// its first leaders.
fn by_definition(candidates: &Candidates, leaders: &FirstLeaders, pass: &CompiledPass, sets: &[BTreeSet<u64>]) -> Vec<Edge> {
    let set = |candidate: CandidateId| &sets[candidates.documents[candidate.index()].index()];
    let mut pairs = BTreeSet::new();
    for bucket in candidates.bucket_ids() {
        let members = candidates.bucket(bucket);
        let others = leaders.of(bucket).unwrap_or(members);
        pairs.extend(others.iter().flat_map(|&other| members.iter().map(move |&member| (member.min(other), member.max(other)))));
    }
    let edges = pairs.into_iter().filter(|(left, right)| left < right).map(|(left, right)| {
        let overlap = overlap(set(left), set(right));
        Edge { left, right, overlap }
    });
    let mut edges: Vec<Edge> = edges.filter(|edge| pass.holds(edge.overlap)).collect();
    edges.sort_by_key(Edge::place);
    let mut forest = Forest::new(candidates.len());
    edges.retain(|edge| {
        let joins = forest.find(edge.left) != forest.find(edge.right);
        forest.union(edge.left, edge.right);
        joins
    });
    edges
}

#[test]
fn the_forest_is_that_of_kruskal_over_all_pairs() {
    compare(0..5, 400);
}

#[test]
#[ignore = "more texts, and others"]
fn the_forest_is_that_of_kruskal_on_other_texts() {
    compare(0..15, 700);
}

/// Compares forests with the definition, over `count` texts of variants, or five sevenths as many drafts.
fn compare(seeds: Range<usize>, count: u64) {
    let lines = [
        "words | shingles:2 | minhash:96 | bands:32x3 | resemblance>=0.5",
        "words | shingles:1 | whole | prefix:0.3 | resemblance>=0.3",
        "words | shingles:2 | minhash:24 | bands:24x1 cap=6 | resemblance>=0.6",
        "words | shingles:2 | minhash:24 | bands:24x1 | resemblance>=0.4 & containment>=0.8",
        "words | shingles:2 | minhash:24 | bands:24x1 | containment>=0.7",
    ];
    let (mut capped, mut saved) = (0, 0);
    for seed in seeds {
        let line = lines[seed % lines.len()];
        let texts = if seed % 2 == 0 { variants(seed as u64, count) } else { drafts(seed as u64, count * 5 / 7, 4) };
        let pass = pass(line);
        let sets = sets(&texts, &pass);
        let position = |document: DocId| Rank((document.0 * 11) % 701);
        let candidates = candidates(&texts, &pass, &position);
        let corpus = Corpus { texts, candidates: &candidates };
        let run = |threads: usize, budget: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let comparer = Comparer::new(&candidates, &pass, &corpus, budget);
                let followers = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
                let leaders = FirstLeaders::new(&candidates, &comparer, &LeaderOutcome::new(candidates.len(), &followers).follows);
                let forest = span(&candidates, &comparer, &followers, &Unwatched).unwrap();
                let mut components = connect(&candidates, &comparer, LeaderOutcome::new(candidates.len(), &followers), &Unwatched).unwrap();
                let mut roots = BTreeMap::new();
                for one in CandidateId::first(candidates.len()) {
                    let component = components.find(one);
                    assert_eq!(*roots.entry(forest.root(one)).or_insert(component), component);
                }
                let different: BTreeSet<CandidateId> = roots.values().copied().collect();
                assert_eq!(different.len(), roots.len());
                (listed(&forest), leaders, comparer.effort())
            })
        };
        let (forest, leaders, effort) = run(1, 0);
        assert!(forest == by_definition(&candidates, &leaders, &pass, &sets), "{line}, seed {seed}");
        assert!(!forest.is_empty());
        capped += candidates.bucket_ids().filter(|&bucket| leaders.of(bucket).is_some()).count();
        saved += usize::from(effort.compared < effort.proposed / 2);
        for (threads, budget) in [(2, 1 << 16), (4, usize::MAX)] {
            assert!(run(threads, budget).0 == forest, "{line}, seed {seed}: {threads} threads");
        }
    }
    assert!(capped > 0 && saved > 0);
}

/// Returns large families of texts with a few words of a base changed; the base itself is not among them.
fn drafts(seed: u64, count: u64, families: u64) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut below = |limit: u64| random.draw() % limit;
    let text = |number: u64| {
        let family = number % families;
        let mut words: Vec<String> = (0..90 + 3 * family).map(|at| format!("f{family}w{at}")).collect();
        for _ in 0..below(7) {
            let at = below(words.len() as u64) as usize;
            words[at] = format!("v{}", below(40));
        }
        words.push(format!("u{}", below(count)));
        words.join(" ")
    };
    (0..count).map(text).collect()
}

/// Returns a family of texts that differ only in their last word.
fn family(members: usize, words: usize) -> Vec<String> {
    let base: Vec<String> = (0..words).map(|at| format!("word{at}")).collect();
    (0..members).map(|member| format!("{} ending{member}", base.join(" "))).collect()
}

/// Returns the effort to lead and span texts, and the number of edges of the forest.
fn cost(texts: Vec<String>, line: &str) -> (Effort, usize) {
    let pass = pass(line);
    let candidates = candidates(&texts, &pass, &|document: DocId| Rank(document.0));
    let corpus = Corpus { texts, candidates: &candidates };
    let comparer = Comparer::new(&candidates, &pass, &corpus, usize::MAX);
    let followers = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
    let forest = span(&candidates, &comparer, &followers, &Unwatched).unwrap();
    (comparer.effort(), forest.edges().count())
}

#[test]
fn a_family_costs_about_as_many_comparisons_as_it_has_members() {
    let (effort, edges) = cost(family(3000, 200), "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8");
    assert_eq!(edges, 2999);
    assert!(effort.compared < 4 * 3000, "{effort:?}");
}

#[test]
fn a_family_without_an_original_costs_little_more() {
    let (effort, edges) = cost(drafts(5, 3000, 1), "words | shingles:2 | minhash:96 | bands:32x3 | resemblance>=0.5");
    println!("{effort:?} {edges}");
    assert!(edges > 2800);
    assert!(effort.compared < 24 * 3000, "{effort:?}");
}

#[test]
fn a_family_above_the_cap_does_not_cost_a_quadratic_number_of_proposals() {
    let (effort, edges) = cost(family(20_000, 60), "words | shingles:5 | minhash:96 | bands:16x6 cap=10000 | resemblance>=0.8");
    assert_eq!(edges, 19_999);
    assert!(effort.compared < 4 * 20_000 && effort.proposed < 64 * 20_000, "{effort:?}");
}
