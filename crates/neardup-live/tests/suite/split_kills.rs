//! Writers of an index in several folders that are killed at any moment, two at once: acknowledged documents are in the index,
//! the folders agree, and no process waits forever.

use crate::children::{given, lines, say, start};
use crate::model::{Model, passes, settings};
use neardup_core::util::splitmix::SplitMix;
use neardup_live::decide::verdict::{name, verdict};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::sharded::ShardSet;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

const FOLDERS: u32 = 3;

/// Returns the document of an id; the id determines all of it.
fn document(id: &str) -> Document {
    let number = blake3::hash(id.as_bytes()).as_bytes().iter().fold(0u64, |sum, &byte| sum.wrapping_mul(257) + u64::from(byte));
    let mut random = SplitMix::new(number);
    let mut below = |end: u64| random.draw() % end;
    let words: Vec<String> = (0..5 + below(3)).map(|at| format!("w{at}{}", below(3))).collect();
    Document { id: Some(id.to_owned()), url: None, time: Some(below(9) as i64), text: words.join(" ") }
}

/// Opens the index; its folders write segments at different times, drawn for each opening.
fn open(dir: &Path, random: &mut SplitMix) -> ShardSet {
    let shards = ShardSet::open(dir, |_| Ok(passes())).unwrap().into_shards().into_iter();
    ShardSet::of_shards(shards.map(|shard| shard.with_flush_at(3 + (random.draw() % 20) as u32)).collect())
}

#[test]
#[ignore = "started by the tests below"]
fn writer_to_be_killed() {
    let Some((folder, seed)) = given() else { return };
    let mut random = SplitMix::new(seed);
    let split = open(&folder, &mut random);
    let mut own: Vec<String> = Vec::new();
    for step in 0.. {
        match random.draw() % 10 {
            0 => split.compact().unwrap(),
            1 | 2 if !own.is_empty() => {
                let id = own.swap_remove(random.draw() as usize % own.len());
                say(format_args!("removes {id}"));
                split.remove(&[id]).unwrap();
            }
            3 => {
                split.refresh().unwrap();
                drop(split.check(&document("another")).unwrap());
            }
            _ => {
                let ids: Vec<String> = (0..1 + random.draw() % 3).map(|at| format!("{seed:x}-{step}-{at}")).collect();
                drop(split.add(&ids.iter().map(|id| document(id)).collect::<Vec<_>>(), 1000).unwrap());
                say(format_args!("added {}", ids.join(" ")));
                own.extend(ids);
            }
        }
    }
}

/// Returns the ids of the living documents in the order of their addition, and the original of each.
fn look(split: &ShardSet) -> (Vec<String>, BTreeMap<String, String>) {
    let ids = split
        .look(|contents| contents.living_from(0).map(|number| name(&contents.index_state.document_table.row(number))).collect::<Vec<_>>())
        .unwrap();
    let original = |id: &String| {
        let verdict =
            split.all(|shard| shard.consult(|contents, comparer| verdict(&contents.index_state, contents.of_id(id).unwrap(), comparer)));
        (id.clone(), verdict.unwrap().dropped.map_or_else(|| id.clone(), |evidence| evidence.original))
    };
    let originals = ids.iter().map(original).collect();
    (ids, originals)
}

/// Checks that the folders agree, and that their verdicts are those of the definition.
fn check(split: &ShardSet, acknowledged: &BTreeSet<String>, round: usize) {
    split.verify().unwrap_or_else(|error| panic!("round {round}: {error}"));
    let (ids, originals) = look(split);
    let there: BTreeSet<&String> = ids.iter().collect();
    let lost: Vec<&String> = acknowledged.iter().filter(|id| !there.contains(id)).collect();
    assert_eq!(lost, [""; 0], "round {round}");
    let mut model = Model::new(settings(Policy::Earliest));
    ids.iter().for_each(|id| drop(model.add(document(id), 1000)));
    assert_eq!(originals, model.originals(), "round {round}");
}

fn kill(rounds: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    drop(ShardSet::create(&dir, &settings(Policy::Earliest), &passes(), FOLDERS).unwrap());
    let (mut random, mut acknowledged, mut added) = (SplitMix::new(seed), BTreeSet::new(), 0);
    for round in 0..rounds {
        let mut writers: Vec<_> = (0..2).map(|_| start("", "split_kills::writer_to_be_killed", &dir, random.draw())).collect();
        for writer in &mut writers {
            sleep(Duration::from_micros(20_000 + random.draw() % 60_000));
            writer.kill().unwrap();
        }
        for mut writer in writers {
            for line in lines(&mut writer).collect::<Vec<_>>() {
                match line.split_once(' ').unwrap() {
                    ("added", ids) => {
                        acknowledged.extend(ids.split(' ').map(str::to_owned));
                        added += 1;
                    }
                    // It may have been removed or not.
                    (_, id) => acknowledged.retain(|other| other != id),
                }
            }
            assert_eq!(writer.wait().unwrap().signal(), Some(9), "round {round}: it stopped by itself");
        }
        // A reader opens it first, and writes nothing.
        check(&open(&dir, &mut random), &acknowledged, round);
        let split = open(&dir, &mut random);
        split.add(&[document(&format!("after-{seed}-{round}"))], 1000).unwrap();
        check(&split, &acknowledged, round);
        // Only few documents live at once, so that the model is quick.
        let (ids, _) = look(&split);
        let old = &ids[..ids.len().saturating_sub(20)];
        drop(split.remove(old).unwrap());
        acknowledged.retain(|id| !old.contains(id));
    }
    assert!(added > rounds, "the writers were killed before they wrote");
}

#[test]
fn folders_agree_after_writers_are_killed() {
    kill(8, 1);
}

#[test]
#[ignore = "takes minutes: for changes of how shards agree"]
fn hundreds_of_kills() {
    std::thread::scope(|scope| (10..12).for_each(|seed| drop(scope.spawn(move || kill(150, seed)))));
}
