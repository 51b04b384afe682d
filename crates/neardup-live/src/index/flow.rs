//! Documents that come and go, against the definitions: the leader rule and components over all pairs.

use crate::decide::insertion::add;
use crate::decide::first_states::FirstStates;
use crate::decide::comparer::TextComparer;
use crate::decide::families::Families;
use crate::decide::index_state::IndexState;
use crate::decide::passes::IndexPasses;
use crate::decide::removal::remove;
use crate::documents::document::NO_TIME;
use crate::documents::document_table::{DocumentTable, MemtableEntry};
use crate::documents::policy::Policy;
use crate::documents::state::DocumentStates;
use neardup_core::compile::compile;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every pair that meets shares a key under these.
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
    /// Living documents, by their places among them.
    Remove(Vec<usize>),
}

fn text() -> impl Strategy<Value = String> {
    let words = proptest::collection::vec(0u8..3, 5..8).prop_map(|words| {
        // Few words in few places: most texts are near many others.
        words.iter().enumerate().map(|(at, word)| format!("w{at}{word}")).collect::<Vec<_>>().join(" ")
    });
    prop_oneof![
        8 => (words, 0u8..4).prop_map(|(words, form)| if form == 0 { words.to_uppercase() } else { words }),
        1 => Just("w00 w10 w20".to_owned()),
        1 => prop_oneof![Just(" ".to_owned()), Just("!".to_owned()), Just("?!".to_owned())],
    ]
}

fn steps() -> impl Strategy<Value = Vec<FlowStep>> {
    let add = (text(), proptest::option::of(0u8..6), any::<bool>()).prop_map(|(text, time, is_named)| FlowStep::Add { text, time, is_named });
    let remove = proptest::collection::vec(0usize..50, 1..4).prop_map(FlowStep::Remove);
    proptest::collection::vec(prop_oneof![4 => add, 1 => remove], 1..40)
}

/// The originals and the components of all living documents, by definition.
#[derive(Debug, PartialEq)]
struct ExpectedState {
    originals: BTreeMap<u32, u32>,
    components: BTreeMap<u32, u32>,
}

fn truth(holdings: &IndexState, bench: &mut TextComparer) -> ExpectedState {
    let mut living: Vec<u32> = (0..holdings.stock.count()).filter(|&number| holdings.state.is_alive(number)).collect();
    living.sort_by(|&left, &right| holdings.policy.place(&holdings.stock, left).cmp(&holdings.policy.place(&holdings.stock, right)));
    let mut meets = |left: u32, right: u32| {
        let (left, right) = (holdings.stock.row(left), holdings.stock.row(right));
        if left.lexical == 0 || right.lexical == 0 {
            return false;
        }
        left.lexical == right.lexical
            || left.features > 0 && right.features > 0 && bench.take(left.text, left.sketch()).meets(&right).is_some()
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

fn found(holdings: &IndexState) -> ExpectedState {
    let living = (0..holdings.stock.count()).filter(|&number| holdings.state.is_alive(number));
    let smallest = |number: u32| holdings.state.connected(number).min().unwrap_or(number);
    let (originals, components) = living.map(|number| ((number, holdings.state.original(number)), (number, smallest(number)))).unzip();
    ExpectedState { originals, components }
}

fn run(line: &str, policy: Policy, steps: &[FlowStep]) -> Result<(), TestCaseError> {
    let passes = IndexPasses { main: compile(&line.parse().unwrap()).unwrap(), parts: None, is_verified: true, shard: None };
    let mut holdings = IndexState {
        passes: passes.clone(),
        policy,
        stock: DocumentTable::default(),
        state: DocumentStates::default(),
        families: Families::default(),
        shards: Arc::default(),
    };
    let mut bench = TextComparer::new(&passes);
    let mut old = truth(&holdings, &mut bench);
    for (serial, step) in (0..).zip(steps) {
        let mut before = FirstStates::new(&holdings.state);
        match step {
            FlowStep::Add { text, time, is_named } => {
                let fresh = MemtableEntry {
                    serial,
                    arrived: 0,
                    id: if *is_named { format!("d{}", serial * 7 % 40).into() } else { "".into() },
                    url: "".into(),
                    time: time.map_or(NO_TIME, i64::from),
                    text: text.as_str().into(),
                    signed: bench.sign(text.as_bytes()),
                };
                add(&mut holdings, fresh, &mut before, &mut bench);
            }
            FlowStep::Remove(places) => {
                let living: Vec<u32> = old.originals.keys().copied().collect();
                let mut numbers: Vec<u32> = places.iter().filter_map(|&place| living.get(place).copied()).collect();
                numbers.sort_unstable();
                numbers.dedup();
                remove(&mut holdings, &numbers, &mut before, &mut bench);
            }
        }
        let new = truth(&holdings, &mut bench);
        prop_assert_eq!(&found(&holdings), &new, "after {:?}", step);
        for &kept in new.originals.iter().filter(|(number, original)| number == original).map(|(number, _)| number) {
            let group = new.originals.values().filter(|&&original| original == kept).count() as u32;
            prop_assert_eq!(holdings.state.group_size(holdings.state.carrier(kept)), group);
        }
        let both = old.originals.iter().filter_map(|(number, was)| Some((*number, *was, *new.originals.get(number)?)));
        let changed: Vec<(u32, u32)> = both.filter(|(_, was, is)| was != is).map(|(number, was, _)| (number, was)).collect();
        prop_assert_eq!(before.changed(&holdings), changed, "after {:?}", step);
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
