//! An index in several folders gives the same answers as one in a single folder, to any request.

use crate::model::{passes, settings, text};
use neardup_live::decide::verdict::verdict;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::sharded::ShardSet;
use neardup_live::snapshot::query::{HitOrder, QueryText};
use proptest::prelude::*;
use std::path::Path;

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<Document>),
    /// Removes documents by their places in the list of living ones.
    Remove(Vec<usize>),
    Expire,
    Compact,
    Reopen,
}

fn document() -> impl Strategy<Value = Document> {
    let url = proptest::option::of((0u8..20).prop_map(|page| format!("http://example.org/{page}")));
    let id = proptest::option::of((0u16..1000).prop_map(|number| format!("d{number}")));
    (text(), proptest::option::of(0i64..6), url, id).prop_map(|(text, time, url, id)| Document { id, url, time, text })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => proptest::collection::vec(document(), 1..5).prop_map(Step::Add),
        3 => proptest::collection::vec(0usize..60, 1..4).prop_map(Step::Remove),
        1 => Just(Step::Expire),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ];
    proptest::collection::vec(step, 1..20)
}

/// Opens an index whose folders write segments at different times, so that they number the documents differently.
fn open(dir: &Path) -> ShardSet {
    with_different_flushes(ShardSet::open(dir, |_| Ok(passes())).unwrap())
}

fn with_different_flushes(split: ShardSet) -> ShardSet {
    let shards = (3..).zip(split.into_shards());
    ShardSet::of_shards(shards.map(|(flush_at, shard)| shard.with_flush_at(flush_at)).collect())
}

/// Returns the ids of all living documents.
fn names(one: &Index) -> Vec<String> {
    let contents = one.contents();
    contents.living_from(0).map(|number| neardup_live::decide::verdict::name(&contents.index_state.document_table.row(number))).collect()
}

fn run_step(one: &Index, split: &ShardSet, step: &Step, now: i64) -> Result<(), TestCaseError> {
    match step {
        Step::Add(documents) => {
            let expected = one.consult(|contents, comparer| contents.check(&documents[0], comparer)).unwrap();
            prop_assert_eq!(split.check(&documents[0]).ok(), expected.ok());
            let question = QueryText { by: HitOrder::Scheme, threshold: None, limit: 5 };
            let expected = one.consult(|contents, comparer| contents.query(&documents[0].text, question, comparer)).unwrap().unwrap();
            prop_assert_eq!(split.query(&documents[0].text, question).unwrap(), expected);
            let (here, there) = (one.add(documents.clone(), now), split.add(documents, now));
            // If a document cannot be added, both refuse all documents with the same error.
            prop_assert_eq!(there.map_err(|error| error.to_string()), here.map_err(|error| error.to_string()));
        }
        Step::Remove(places) => {
            let names = names(one);
            let ids: Vec<String> = places.iter().filter_map(|&place| names.get(place).cloned()).collect();
            prop_assert_eq!(split.remove(&ids).unwrap(), one.remove(ids).unwrap());
        }
        Step::Expire => prop_assert_eq!(split.expire(now).unwrap(), one.expire(now).unwrap()),
        Step::Compact => {
            one.compact().unwrap();
            split.compact().unwrap();
        }
        Step::Reopen => {}
    }
    Ok(())
}

fn check_same(one: &Index, split: &ShardSet) -> Result<(), TestCaseError> {
    let contents = one.contents();
    for name in names(one) {
        let number = contents.of_id(&name).unwrap();
        let expected = one.with_comparer(|comparer| verdict(&contents.index_state, number, comparer));
        prop_assert_eq!(split.verdict(&name).unwrap().unwrap(), expected);
        for shard in split.shards() {
            let shard_contents = shard.contents();
            let there = shard_contents.of_id(&name).unwrap();
            prop_assert_eq!(
                (shard_contents.group(there), shard_contents.cluster(there)),
                (contents.group(number), contents.cluster(number))
            );
        }
        let text = contents.index_state.document_table.row(number).text;
        let with_text = split.shards().iter().filter(|shard| {
            let contents = shard.contents();
            contents.index_state.document_table.row(contents.of_id(&name).unwrap()).text == text
        });
        prop_assert!(with_text.count() > 0);
    }
    split.verify().map_err(|error| TestCaseError::fail(error.to_string()))
}

fn run(policy: Policy, most: Option<u64>, shards: u32, steps: &[Step]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let settings = neardup_live::snapshot::manifest::Settings { most, ttl_seconds: Some(12), ..settings(policy) };
    let one = Index::create(&folder.path().join("one"), settings.clone(), passes()).unwrap().with_flush_at(5);
    let dir = folder.path().join("split");
    let mut split = with_different_flushes(ShardSet::create(&dir, &settings, &passes(), shards).unwrap());
    for (now, step) in (1000..).zip(steps) {
        if matches!(step, Step::Reopen) {
            drop(split);
            split = open(&dir);
        }
        run_step(&one, &split, step, now)?;
    }
    check_same(&one, &split)?;
    drop(split);
    check_same(&one, &open(&dir))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn four_folders_answer_as_one(steps in steps(), earliest in any::<bool>(), most in proptest::option::of(8u64..20)) {
        run(if earliest { Policy::Earliest } else { Policy::First }, most, 4, &steps)?;
    }

    #[test]
    fn any_number_of_folders_answers_as_one(steps in steps(), earliest in any::<bool>(), shards in 1u32..24) {
        run(if earliest { Policy::Earliest } else { Policy::First }, None, shards, &steps)?;
    }
}

fn documents(range: std::ops::Range<usize>) -> Vec<Document> {
    let text = |number: usize| (0..7).map(|at| format!("w{at}{}", number / 3usize.pow(at) % 3)).collect::<Vec<_>>().join(" ");
    range.map(|number| Document { text: text(number), ..Document::default() }).collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Sets a shard back, as if it was stopped before it committed what the others did.
fn set_back(dir: &Path, shard: &str, old: &Path) {
    std::fs::remove_dir_all(dir.join(shard)).unwrap();
    copy(old, &dir.join(shard));
}

#[test]
fn a_shard_that_is_behind_catches_up_from_the_logs_of_others() {
    for shard in ["shard-0", "shard-2"] {
        let folder = tempfile::tempdir().unwrap();
        let (dir, old) = (folder.path().join("split"), folder.path().join("old"));
        let one = Index::create(&folder.path().join("one"), settings(Policy::First), passes()).unwrap();
        let split = ShardSet::create(&dir, &settings(Policy::First), &passes(), 4).unwrap().with_flush_at(4);
        let add = |split: &ShardSet, range: std::ops::Range<usize>| {
            assert_eq!(split.add(&documents(range.clone()), 1000).unwrap(), one.add(documents(range), 1000).unwrap());
        };
        add(&split, 0..30);
        copy(&dir.join(shard), &old);
        add(&split, 30..60);
        drop(split);
        set_back(&dir, shard, &old);
        let split = open(&dir);
        add(&split, 60..90);
        check_same(&one, &split).unwrap();
        drop(split);
        // The other shards have written these steps to segments meanwhile, so no log contains them.
        set_back(&dir, shard, &old);
        let behind = ShardSet::open(&dir, |_| Ok(passes())).err().unwrap().to_string();
        assert!(behind.contains("their logs do not go back so far"), "{behind}");
    }
}
