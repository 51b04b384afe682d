//! Tests of additions and removals against the definitions: the leader rule and components over all pairs.

use crate::decide::comparer::TextComparer;
use crate::decide::families::Families;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::decide::insertion::add;
use crate::decide::passes::IndexPasses;
use crate::decide::removal::remove;
use crate::documents::document::NO_TIME;
use crate::documents::document_table::{DocumentTable, MemtableEntry};
use crate::documents::policy::Policy;
use crate::documents::state::DocumentStates;
use neardup_core::compile::compile;
use neardup_core::util::ids::DocId;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Schemes under which all pairs that match share a key.
const SCHEMES: [&str; 3] = [
    "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5",
    "words | shingles:1 | minhash:12 | bands:6x2 match=2 | equal",
    "words | shingles:2 | simhash:64 | blocks:9,single | hamming<=9",
];

#[derive(Clone, Debug)]
enum FlowStep {
    Add {
        text: String,
        time: Option<u8>,
        is_named: bool,
    },
    /// Living documents, by their positions among all living ones.
    Remove(Vec<usize>),
}

fn text() -> impl Strategy<Value = String> {
    let words = proptest::collection::vec(0u8..3, 5..8).prop_map(|words| {
        // Few words at few positions, so that most texts are similar to many others.
        words.iter().enumerate().map(|(at, word)| format!("w{at}{word}")).collect::<Vec<_>>().join(" ")
    });
    prop_oneof![
        8 => (words, 0u8..4).prop_map(|(words, form)| if form == 0 { words.to_uppercase() } else { words }),
        1 => Just("w00 w10 w20".to_owned()),
        1 => prop_oneof![Just(" ".to_owned()), Just("!".to_owned()), Just("?!".to_owned())],
    ]
}

fn steps() -> impl Strategy<Value = Vec<FlowStep>> {
    let add =
        (text(), proptest::option::of(0u8..6), any::<bool>()).prop_map(|(text, time, is_named)| FlowStep::Add { text, time, is_named });
    let remove = proptest::collection::vec(0usize..50, 1..4).prop_map(FlowStep::Remove);
    proptest::collection::vec(prop_oneof![4 => add, 1 => remove], 1..40)
}

/// The originals and the components of all living documents, by definition.
#[derive(Debug, PartialEq)]
struct ExpectedState {
    originals: BTreeMap<DocId, DocId>,
    components: BTreeMap<DocId, DocId>,
}

fn truth(index_state: &IndexState, comparer: &mut TextComparer) -> ExpectedState {
    let mut living: Vec<DocId> =
        DocId::first(index_state.document_table.end().index()).filter(|&number| index_state.state.is_alive(number)).collect();
    living.sort_by(|&left, &right| {
        index_state.policy.place(&index_state.document_table, left).cmp(&index_state.policy.place(&index_state.document_table, right))
    });
    let mut meets = |left: DocId, right: DocId| {
        let (left, right) = (index_state.document_table.row(left), index_state.document_table.row(right));
        if left.lexical == 0 || right.lexical == 0 {
            return false;
        }
        left.lexical == right.lexical
            || left.features > 0 && right.features > 0 && comparer.take(left.text, left.sketch()).meets(&right).is_some()
    };
    let (mut originals, mut components) = (BTreeMap::new(), BTreeMap::new());
    for (at, &number) in living.iter().enumerate() {
        let original = living[..at].iter().find(|&&earlier| originals[&earlier] == earlier && meets(number, earlier));
        originals.insert(number, original.copied().unwrap_or(number));
        components.insert(number, number);
        for &earlier in &living[..at] {
            if meets(number, earlier) {
                let (from, to) = (components[&number], components[&earlier]);
                components.values_mut().filter(|component| **component == from).for_each(|component| *component = to);
            }
        }
    }
    let mut smallest = BTreeMap::new();
    for (&number, &component) in &components {
        smallest.entry(component).or_insert(number);
    }
    components.values_mut().for_each(|component| *component = smallest[component]);
    ExpectedState { originals, components }
}

fn found(index_state: &IndexState) -> ExpectedState {
    let living = DocId::first(index_state.document_table.end().index()).filter(|&number| index_state.state.is_alive(number));
    let smallest = |number: DocId| index_state.state.connected(number).min().unwrap_or(number);
    let (originals, components) = living.map(|number| ((number, index_state.state.original(number)), (number, smallest(number)))).unzip();
    ExpectedState { originals, components }
}

fn run(line: &str, policy: Policy, steps: &[FlowStep]) -> Result<(), TestCaseError> {
    let passes = IndexPasses { main: compile(&line.parse().unwrap()).unwrap(), parts: None, is_verified: true, shard: None };
    let mut index_state = IndexState {
        passes: passes.clone(),
        policy,
        document_table: DocumentTable::default(),
        state: DocumentStates::default(),
        families: Families::default(),
        shards: Arc::default(),
    };
    let mut comparer = TextComparer::new(&passes);
    let mut old = truth(&index_state, &mut comparer);
    for (serial, step) in (0..).zip(steps) {
        let mut before = FirstStates::new(&index_state.state);
        match step {
            FlowStep::Add { text, time, is_named } => {
                let fresh = MemtableEntry {
                    serial,
                    arrived: 0,
                    id: if *is_named { format!("d{}", serial * 7 % 40).into() } else { "".into() },
                    url: "".into(),
                    time: time.map_or(NO_TIME, i64::from),
                    text: text.as_str().into(),
                    signed: comparer.sign(text.as_bytes()),
                };
                add(&mut index_state, fresh, &mut before, &mut comparer);
            }
            FlowStep::Remove(places) => {
                let living: Vec<DocId> = old.originals.keys().copied().collect();
                let mut numbers: Vec<DocId> = places.iter().filter_map(|&place| living.get(place).copied()).collect();
                numbers.sort_unstable();
                numbers.dedup();
                remove(&mut index_state, &numbers, &mut before, &mut comparer);
            }
        }
        let new = truth(&index_state, &mut comparer);
        prop_assert_eq!(&found(&index_state), &new, "after {:?}", step);
        for &kept in new.originals.iter().filter(|(number, original)| number == original).map(|(number, _)| number) {
            let group = new.originals.values().filter(|&&original| original == kept).count() as u32;
            prop_assert_eq!(index_state.state.group_size(index_state.state.representative(kept)), group);
        }
        let both = old.originals.iter().filter_map(|(number, was)| Some((*number, *was, *new.originals.get(number)?)));
        let changed: Vec<(DocId, DocId)> = both.filter(|(_, was, is)| was != is).map(|(number, was, _)| (number, was)).collect();
        prop_assert_eq!(before.changed(&index_state), changed, "after {:?}", step);
        old = new;
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_rule_holds_after_every_step(steps in steps(), scheme in 0usize..3, earliest in any::<bool>()) {
        run(SCHEMES[scheme], if earliest { Policy::Earliest } else { Policy::First }, &steps)?;
    }
}
