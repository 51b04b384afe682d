//! One of several equal large buckets is kept, the same with any memory and any number of threads.

use crate::support::texts::segments;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::compile::compile;
use neardup_core::signing::segments::Segments;
use rayon::ThreadPoolBuilder;

const LINE: &str = "words | shingles:1 | whole | each | resemblance>=0.5";
const FAMILIES: usize = 5;
const MEMBERS: usize = 100;

/// Returns families with ten words in common, each of which is a key of the same documents, and some pairs.
fn frames() -> Vec<String> {
    let common = |family: usize| (0..10).map(move |word| format!("f{family}w{word}")).collect::<Vec<_>>().join(" ");
    let family = |family: usize| (0..MEMBERS).map(move |member| format!("{} own{family}x{member}", common(family)));
    (0..FAMILIES).flat_map(family).chain((0..40).map(|at| format!("pair{} left{at}", at / 2))).collect()
}

fn buckets(segments: &Segments, memory: usize, threads: usize) -> Vec<Vec<u32>> {
    let pass = compile(&LINE.parse().unwrap()).unwrap();
    let arrange = || arrange(segments, &pass, &|_| true, memory).unwrap();
    let arranged = ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(arrange);
    Buckets::load(segments.store(), &arranged.parts)
        .unwrap()
        .iter()
        .map(|bucket| bucket.iter().map(|document| document.0).collect())
        .collect()
}

#[test]
fn memory_and_threads_do_not_change_the_buckets() {
    let texts = frames();
    let segments = segments(&texts, &compile(&LINE.parse().unwrap()).unwrap(), 37);
    let roomy = buckets(&segments, 1 << 24, 1);
    assert_eq!(roomy.iter().filter(|bucket| bucket.len() == MEMBERS).count(), FAMILIES);
    assert_eq!(roomy.len(), FAMILIES + 20);
    for (memory, threads) in [(1 << 24, 3), (1 << 17, 1), (1 << 14, 4), (0, 2)] {
        assert_eq!(buckets(&segments, memory, threads), roomy, "{memory} bytes, {threads} threads");
    }
}
