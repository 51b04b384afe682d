//! Writes of texts, segments, states, logs and manifests that fail now and then: answers stay those of the definition.

use crate::model::{Model, clusters, look, open, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::decide::verdict::{Verdict, verdict};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::index::info::Info;
use neardup_live::snapshot::changes::Changes;
use neardup_live::snapshot::manifest::{Manifest, Settings};
use neardup_live::storage::file_kind::FileKind;
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::Path;

fn document(random: &mut SplitMix) -> Document {
    let mut below = |end: u64| random.draw() % end;
    let words: Vec<String> = (0..5 + below(3)).map(|at| format!("w{at}{}", below(3))).collect();
    let url = (below(2) == 0).then(|| format!("http://example.org/{}", below(12)));
    Document { id: None, url, time: (below(3) > 0).then(|| below(9) as i64), text: words.join(" ") }
}

/// Makes the next attempt to write one of the next files fail.
fn forbid(dir: &Path, random: &mut SplitMix) {
    let next = Manifest::read(dir).unwrap().next_number + random.draw() % 6;
    let names = FileKind::ALL.map(|kind| kind.file(next)).into_iter().chain(["manifest.json".to_owned()]);
    let name = names.collect::<Vec<String>>().swap_remove(random.draw() as usize % 6);
    // It may be forbidden already.
    let _ = symlink("/dev/full", dir.join(format!("{name}.partial")));
}

/// A follower that updates its copy of an index from reported changes.
#[derive(Default)]
struct Follower {
    position: u64,
    originals: BTreeMap<String, String>,
    /// Number of times that the index still had the changes.
    updates: u32,
}

impl Follower {
    fn follow(&mut self, index: &Index) {
        let contents = index.contents();
        match index.with_comparer(|comparer| contents.changes_since(self.position, comparer)) {
            None => self.originals = contents.roles().into_iter().collect(),
            Some(Changes { removed, added, changed, .. }) => {
                self.updates += 1;
                removed.iter().for_each(|id| drop(self.originals.remove(id)));
                let added =
                    added.into_iter().map(|number| index.with_comparer(|comparer| verdict(&contents.index_state, number, comparer)));
                for Verdict { id, dropped } in added.chain(changed) {
                    let original = dropped.map_or_else(|| id.clone(), |evidence| evidence.original);
                    self.originals.insert(id, original);
                }
            }
        }
        self.position = contents.steps;
        assert_eq!(self.originals, contents.roles().into_iter().collect());
    }
}

/// Runs two writers in turn and one reader; returns the number of steps with a failed segment, and of updates of the follower.
fn run(seed: u64) -> (u32, u32) {
    let mut random = SplitMix::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let limited = Settings { most: Some(20), ..settings([Policy::First, Policy::Earliest][seed as usize % 2]) };
    drop(Index::create(&dir, limited.clone(), passes()).unwrap());
    let another = || open(&dir).unwrap().with_flush_at(3);
    let mut writers = [another(), another()];
    let (reader, mut follower, mut model, mut failures) = (another(), Follower::default(), Model::new(limited), 0);
    for step in 0..150 {
        if random.draw().is_multiple_of(3) {
            forbid(&dir, &mut random);
        }
        // Each of them does several steps in a row, because a writer removes leftovers when it takes over.
        let writer = &mut writers[step / 10 % 2];
        match random.draw() % 12 {
            0 => drop(writer.compact()),
            1 => *writer = another(),
            2 | 3 if !model.names().is_empty() => {
                let id = model.names().swap_remove(random.draw() as usize % model.names().len());
                model.remove(std::slice::from_ref(&id));
                writer.remove(vec![id]).unwrap();
            }
            _ => {
                let document = document(&mut random);
                if !model.add(document.clone(), 7).unchanged {
                    model.expire(7);
                }
                writer.add(vec![document], 7).unwrap();
            }
        }
        failures += u32::from(Info::of(writer).unwrap().segment_error.is_some());
        assert_eq!((look(writer), clusters(writer)), (model.look(), model.clusters()), "{seed}: step {step}");
        if random.draw().is_multiple_of(3) {
            reader.refresh().unwrap();
            assert_eq!((look(&reader), clusters(&reader)), (model.look(), model.clusters()), "{seed}: step {step}");
            follower.follow([&reader, &*writer][step % 2]);
        }
    }
    reader.verify().unwrap();
    (failures, follower.updates)
}

#[test]
fn files_that_cannot_be_written_are_written_later_without_changing_answers() {
    run_all(0..2);
}

#[test]
#[ignore = "all seeds, of which the test above has two"]
fn files_that_cannot_be_written_are_written_later_with_more_seeds() {
    run_all(0..8);
}

/// Runs all seeds. In eight, more than fifty steps have a failed segment, and more than fifty updates occur.
fn run_all(seeds: Range<u64>) {
    let least = 50 * seeds.end as u32 / 8;
    let (failures, updates) = seeds.map(run).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(failures > least && updates > least, "{failures} failures, {updates} updates");
}
