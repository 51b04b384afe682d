//! A writer of an index that is killed at any moment: acknowledged steps are in the index, and no step is there in part.

use crate::children::{given, lines, say, start};
use crate::model::{Model, look, open, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::snapshot::manifest::{Manifest, Settings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

/// Maximum of kept documents: few, so that the model is quick.
const MOST: u64 = 40;

fn limited() -> Settings {
    Settings { ttl_seconds: Some(60), most: Some(MOST), ..settings(Policy::Earliest) }
}

/// An action of a writer.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Action {
    Add(Vec<Document>, i64),
    Remove(Vec<String>),
    Expire(i64),
    Compact,
}

impl Action {
    fn draw(random: &mut SplitMix, index: &Index) -> Action {
        let below = |random: &mut SplitMix, end: usize| (random.draw() % end as u64) as usize;
        let names: Vec<String> = look(index).into_keys().collect();
        let now = index.contents().arrived + below(random, 3) as i64;
        match below(random, 10) {
            0 => Action::Compact,
            1 => Action::Expire(now + 20),
            2 | 3 if !names.is_empty() => {
                let chosen: BTreeSet<usize> = (0..3).map(|_| below(random, names.len())).collect();
                Action::Remove(chosen.into_iter().map(|at| names[at].clone()).collect())
            }
            _ => {
                let count = 1 + below(random, 4);
                let document = |_| {
                    let words: Vec<String> = (0..5 + below(random, 3)).map(|at| format!("w{at}{}", below(random, 3))).collect();
                    let id = (below(random, 2) == 0).then(|| format!("d{:x}", random.draw()));
                    let url = (below(random, 2) == 0).then(|| format!("http://example.org/{}", below(random, 30)));
                    Document { id, url, time: (below(random, 3) > 0).then(|| below(random, 9) as i64), text: words.join(" ") }
                };
                Action::Add((0..count).map(document).collect(), now)
            }
        }
    }

    fn run(self, index: &Index) {
        match self {
            Action::Add(documents, now) => drop(index.add(documents, now).unwrap()),
            Action::Remove(names) => drop(index.remove(names).unwrap()),
            Action::Expire(now) => drop(index.expire(now).unwrap()),
            Action::Compact => index.compact().unwrap(),
        }
    }

    /// Returns the model before the action and after each of its steps.
    fn steps(&self, mut model: Model) -> Vec<Model> {
        let mut steps = vec![model.clone()];
        match self {
            Action::Add(documents, now) => {
                for document in documents {
                    let unchanged = model.add(document.clone(), *now).unchanged;
                    steps.push(model.clone());
                    if !unchanged {
                        model.expire(*now);
                        steps.push(model.clone());
                    }
                }
            }
            Action::Remove(names) => model.remove(names),
            Action::Expire(now) => drop(model.expire(*now)),
            Action::Compact => {}
        }
        steps.push(model);
        steps
    }
}

#[test]
#[ignore = "started by the tests below"]
fn writer_to_be_killed() {
    let Some((folder, seed)) = given() else { return };
    let mut random = SplitMix::new(seed);
    let index = open(&folder).unwrap();
    loop {
        let action = Action::draw(&mut random, &index);
        say(format_args!("will {}", serde_json::to_string(&action).unwrap()));
        action.run(&index);
        say("did");
    }
}

/// Runs a writer for a while and kills it; returns the states that the index may have then, in order.
fn kill_a_writer(dir: &Path, mut model: Model, random: &mut SplitMix) -> Vec<Model> {
    let mut child = start("", "index_kills::writer_to_be_killed", dir, random.draw());
    std::thread::sleep(Duration::from_micros(random.draw() % 30_000));
    child.kill().unwrap();
    let messages: Vec<String> = lines(&mut child).collect();
    assert_eq!(child.wait().unwrap().signal(), Some(9), "it stopped by itself");
    let mut begun: Option<Action> = None;
    for line in messages {
        match line.strip_prefix("will ") {
            Some(action) => begun = Some(serde_json::from_str(action).unwrap()),
            None => model = begun.take().unwrap().steps(model).pop().unwrap(),
        }
    }
    begun.map_or_else(|| vec![model.clone()], |action| action.steps(model.clone()))
}

fn steps_of(index: &Index) -> u64 {
    index.contents().steps
}

fn kill(rounds: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    drop(Index::create(&dir, limited(), passes()).unwrap());
    let mut model = Model::new(limited());
    let mut random = SplitMix::new(seed);
    for round in 0..rounds {
        let mut states = kill_a_writer(&dir, model, &mut random);
        let index = open(&dir).unwrap_or_else(|error| panic!("round {round}: {error}"));
        let found = steps_of(&index);
        states.retain(|state| state.steps() >= found);
        assert_eq!((found, look(&index)), (states[0].steps(), states[0].look()), "round {round}");
        index.verify().unwrap();
        // The next writer removes leftovers, even if it writes nothing. It may find more steps than a reader: those that were
        // on the disk when the writer was killed before it could acknowledge them.
        index.remove(Vec::new()).unwrap();
        let found = steps_of(&index);
        states.retain(|state| state.steps() >= found);
        model = states.swap_remove(0);
        assert_eq!((found, look(&index)), (model.steps(), model.look()), "round {round}");
        let manifest = Manifest::read(&dir).unwrap();
        let names = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let others = ["manifest.json", "manifest.json.copy", "lock", ".neardup"];
        let left: Vec<String> = names.filter(|name| !manifest.names(name) && !others.contains(&name.as_str())).collect();
        assert_eq!(left, [""; 0], "round {round}");
    }
}

#[test]
fn a_killed_writer_loses_no_acknowledged_step() {
    std::thread::scope(|scope| (0..3).for_each(|seed| drop(scope.spawn(move || kill(40, seed)))));
}

#[test]
#[ignore = "takes minutes: for changes of how files are written"]
fn thousands_of_kills() {
    std::thread::scope(|scope| (10..14).for_each(|seed| drop(scope.spawn(move || kill(2_500, seed)))));
}
