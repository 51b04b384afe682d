//! An index through additions, removals, flushes, merges and reopening: its verdicts stay those of the definition.

use crate::model::{Model, passes, settings, text};
use neardup_live::decide::verdict::{Verdict, verdict};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use proptest::prelude::*;
use std::collections::BTreeMap;

type Originals = BTreeMap<String, String>;

#[derive(Clone, Debug)]
enum Step {
    Add(Vec<Document>),
    /// Removes documents by their places in the list of living ones.
    Remove(Vec<usize>),
    Compact,
    Reopen,
}

fn document() -> impl Strategy<Value = Document> {
    let url = proptest::option::of((0u8..20).prop_map(|page| format!("http://example.org/{page}")));
    (text(), proptest::option::of(0i64..6), url).prop_map(|(text, time, url)| Document { id: None, url, time, text })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => proptest::collection::vec(document(), 1..4).prop_map(Step::Add),
        2 => proptest::collection::vec(0usize..60, 1..4).prop_map(Step::Remove),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ];
    proptest::collection::vec(step, 1..30)
}

/// Returns the original of every living document.
fn originals(index: &Index) -> Originals {
    let contents = index.contents();
    let living = contents.living_from(0);
    let mut originals = Originals::new();
    living.for_each(|number| learn(&mut originals, index.with_comparer(|comparer| verdict(&contents.index_state, number, comparer))));
    originals
}

fn learn(originals: &mut Originals, verdict: Verdict) {
    let original = verdict.dropped.map_or_else(|| verdict.id.clone(), |evidence| evidence.original);
    originals.insert(verdict.id, original);
}

/// Runs a step on the index and the model; checks that the returned changes are enough to update all originals.
fn run_step(index: &Index, model: &mut Model, step: &Step, named: bool) -> Result<(), TestCaseError> {
    let mut followed = model.originals();
    match step {
        Step::Add(documents) => {
            let mut documents = documents.clone();
            documents.iter_mut().filter(|_| named).for_each(|document| document.id = Some(model.new_id()));
            let check = index.with_comparer(|comparer| index.contents().check(&documents[0], comparer)).unwrap();
            let admissions = index.add(documents.clone(), 1000).unwrap();
            prop_assert_eq!((&check.replaced, check.unchanged), (&admissions[0].replaced, admissions[0].unchanged));
            prop_assert_eq!(&check.verdict, &admissions[0].verdict);
            for (document, admission) in documents.into_iter().zip(admissions) {
                let expected = model.add(document, 1000);
                prop_assert_eq!(&admission.verdict.id, &expected.id);
                prop_assert_eq!((&admission.replaced, admission.unchanged), (&expected.replaced, expected.unchanged));
                admission.replaced.iter().filter(|_| !admission.unchanged).for_each(|id| drop(followed.remove(id)));
                admission.changed.into_iter().chain([admission.verdict]).for_each(|verdict| learn(&mut followed, verdict));
                prop_assert_eq!(&followed, &model.originals());
            }
        }
        Step::Remove(places) => {
            let names = model.names();
            let ids: Vec<String> = places.iter().filter_map(|&place| names.get(place).cloned()).collect();
            model.remove(&ids);
            let removal = index.remove(ids).unwrap();
            removal.removed.iter().for_each(|id| drop(followed.remove(id)));
            removal.changed.into_iter().for_each(|verdict| learn(&mut followed, verdict));
            prop_assert_eq!(&followed, &model.originals());
        }
        Step::Compact => {
            index.compact().unwrap();
            let index_state = &index.contents().index_state;
            prop_assert!(index_state.document_table.segments().len() <= 1);
            prop_assert_eq!(index_state.state.living(), index_state.state.count());
        }
        Step::Reopen => {}
    }
    Ok(())
}

fn run(policy: Policy, steps: &[Step], named: bool) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let mut index = Index::create(&dir, settings(policy), passes()).unwrap().with_flush_at(5);
    // A second index on the same folder, which only reads, as in another process.
    let reader = Index::open(&dir, |_| Ok(passes())).unwrap();
    let mut model = Model::new(settings(policy));
    for step in steps {
        if matches!(step, Step::Reopen) {
            drop(index);
            index = Index::open(&dir, |_| Ok(passes())).unwrap().with_flush_at(5);
        }
        run_step(&index, &mut model, step, named)?;
        prop_assert_eq!(&originals(&index), &model.originals(), "after {:?}", step);
    }
    reader.refresh().unwrap();
    prop_assert_eq!(&originals(&reader), &model.originals());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn verdicts_are_those_of_the_definition(steps in steps(), earliest in any::<bool>(), named in any::<bool>()) {
        run(if earliest { Policy::Earliest } else { Policy::First }, &steps, named)?;
    }
}
