//! Files with right checksums and invalid content: they are refused or do no harm, and nothing panics.

use crate::model::{Model, clusters, look, open, passes, settings};
use neardup_core::compile::compile;
use neardup_core::util::splitmix::SplitMix;
use neardup_live::decide::passes::IndexPasses;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::snapshot::manifest::Manifest;
use neardup_live::snapshot::query::{HitOrder, QueryText};
use neardup_live::storage::log::Log;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An entry of the table of sections at the end of a file.
#[derive(Clone, Serialize, Deserialize)]
struct Section {
    name: String,
    width: u64,
    offset: u64,
    length: u64,
    check: String,
}

/// A file of sections in memory, which can be changed and written again with right checksums.
struct Forged {
    bytes: Vec<u8>,
    sections: Vec<Section>,
    table: usize,
}

impl Forged {
    const FOOTER: usize = 48;

    fn read(path: &Path) -> Forged {
        let bytes = fs::read(path).unwrap();
        let end = bytes.len() - Forged::FOOTER;
        let table = u64::from_le_bytes(bytes[end..end + 8].try_into().unwrap()) as usize;
        Forged { sections: serde_json::from_slice(&bytes[table..end]).unwrap(), bytes, table }
    }

    /// Returns the bytes of a section.
    fn section(&mut self, number: usize) -> &mut [u8] {
        let Section { offset, length, .. } = self.sections[number];
        &mut self.bytes[offset as usize..(offset + length) as usize]
    }

    fn named(&mut self, name: &str) -> &mut [u8] {
        let number = self.sections.iter().position(|section| section.name == name).unwrap();
        self.section(number)
    }

    fn u32s(&mut self, name: &str) -> Vec<u32> {
        self.named(name).chunks(4).map(|value| u32::from_le_bytes(value.try_into().unwrap())).collect()
    }

    fn put(&mut self, name: &str, values: impl Iterator<Item = u32>) {
        self.named(name).copy_from_slice(&values.flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    }

    fn write(mut self, path: &Path) {
        for number in 0..self.sections.len() {
            self.sections[number].check = blake3::hash(self.section(number)).to_hex().to_string();
        }
        let table = serde_json::to_vec(&self.sections).unwrap();
        let place = [(self.table as u64).to_le_bytes(), (table.len() as u64).to_le_bytes()].concat();
        let check = blake3::Hasher::new().update(&self.bytes[16..48]).update(&table).update(&place).finalize();
        self.bytes.truncate(self.table);
        fs::write(path, [&self.bytes[..], &table, &place, check.as_bytes()].concat()).unwrap();
    }
}

/// Makes an index whose documents are mostly near others, all of them in segments.
fn index() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("index");
    let index = Index::create(&dir, settings(Policy::Earliest), passes()).unwrap().with_flush_at(6);
    let document = |number: u64| Document {
        id: (!number.is_multiple_of(3)).then(|| format!("d{number}")),
        url: (!number.is_multiple_of(2)).then(|| format!("http://example.org/{number}")),
        time: (!number.is_multiple_of(4)).then_some((number * 5 % 7) as i64),
        text: if number == 5 { " ".to_owned() } else { format!("heron w{} w{} quay {}", number % 4, number % 3, number / 8) },
    };
    (0..12).for_each(|number| drop(index.add(vec![document(number)], 0).unwrap()));
    index.remove(vec!["d4".to_owned()]).unwrap();
    index.add(vec![document(1)], 0).unwrap();
    index.add((20..26).map(document).collect(), 0).unwrap();
    assert_eq!(
        (index.contents().index_state.document_table.fresh().len(), index.contents().index_state.document_table.segments().len()),
        (0, 3)
    );
    (folder, dir)
}

/// Queries, adds, removes and compacts.
fn exercise(index: &Index) {
    let names: Vec<String> = look(index).into_keys().collect();
    {
        let contents = index.contents();
        for (name, number) in names.iter().filter_map(|name| Some((name, contents.of_id(name)?))) {
            contents.cluster(number);
            contents.group(number);
            let question = QueryText { by: HitOrder::Scheme, threshold: None, limit: 3 };
            let text = String::from_utf8_lossy(contents.index_state.document_table.row(number).text).into_owned();
            index.with_comparer(|comparer| contents.query(&text, question, comparer)).unwrap();
            let document = Document { id: Some(name.clone()), text, ..Document::default() };
            let _ = index.with_comparer(|comparer| contents.check(&document, comparer));
        }
    }
    let texts = ["heron w1 w2 quay 0", "HERON w3 w0 quay 1", "egret"];
    let document = |text: &&str| Document { text: (*text).to_owned(), ..Document::default() };
    // Steps on invalid content may fail, too.
    let _ = index.add(texts.iter().map(document).collect(), 0);
    for name in names.iter().step_by(2) {
        let _ = index.remove(vec![name.clone()]);
    }
    let _ = index.compact();
    drop(look(index));
}

/// Returns whether a forged index is refused. If it opens, no call panics; if `verify` finds nothing, its verdicts are right.
fn is_refused(dir: &Path) -> bool {
    let Ok(index) = open(dir) else { return true };
    let is_found = index.verify().is_err();
    if !is_found {
        let found = look(&index);
        let model = Model::of(settings(Policy::Earliest), &found);
        assert_eq!((&found, clusters(&index)), (&model.look(), model.clusters()));
    }
    exercise(&index);
    is_found
}

fn copied(from: &Path, to: &Path) -> Vec<PathBuf> {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).unwrap();
    let copy = |entry: fs::DirEntry| {
        let path = to.join(entry.file_name());
        fs::copy(entry.path(), &path).unwrap();
        path
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(from).unwrap().map(|entry| copy(entry.unwrap())).collect();
    paths.sort();
    paths
}

fn of_kind<'a>(paths: &'a [PathBuf], kind: &str) -> &'a Path {
    paths.iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(kind)).unwrap()
}

#[test]
fn random_bytes_in_any_column_are_refused_or_harmless() {
    forge_columns(4);
}

#[test]
#[ignore = "more nonsense of the same kind"]
fn more_random_bytes_in_any_column_are_refused_or_harmless() {
    forge_columns(12);
}

/// Writes random bytes into each column `times` times.
fn forge_columns(times: usize) {
    let (folder, dir) = index();
    let forged = folder.path().join("forged");
    let mut random = SplitMix::new(7);
    let (mut refused, mut rounds) = (0, 0);
    for kind in ["segment-", "state-"] {
        let count = Forged::read(of_kind(&copied(&dir, &forged), kind)).sections.len();
        for section in 0..count {
            for _ in 0..times {
                let path = of_kind(&copied(&dir, &forged), kind).to_path_buf();
                let mut file = Forged::read(&path);
                let bytes = file.section(section);
                if bytes.is_empty() {
                    continue;
                }
                for _ in 0..1 + random.draw() % 3 {
                    let at = (random.draw() % bytes.len() as u64) as usize;
                    // Small changes lead to other existing places, large ones to places that do not exist.
                    bytes[at] = if random.draw().is_multiple_of(2) { bytes[at] ^ 1 << (random.draw() % 3) } else { random.draw() as u8 };
                }
                file.write(&path);
                rounds += 1;
                refused += usize::from(is_refused(&forged));
            }
        }
    }
    assert!(refused > rounds / 2, "{refused} of {rounds}");
    copied(&dir, &forged);
    assert!(!is_refused(&forged));
}

#[test]
fn impossible_columns_are_refused_by_name() {
    let (folder, dir) = index();
    let forged = folder.path().join("forged");
    let u32s = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let u64s = |values: &[u64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    // The kind of file, the column, the bytes at its start, and the error.
    let cases: [(&str, &str, Vec<u8>, &str); 15] = [
        ("state-", "carriers", u32s(&[u32::MAX]), "column carriers does not fit the 18 documents"),
        ("state-", "leaders", u32s(&[18]), "column leaders does not fit the 18 documents"),
        ("state-", "roots", u32s(&[3]), "the state of document"),
        ("state-", "carriers", u32s(&[1, 0]), "the state of document 0, counted from 0, is inconsistent"),
        ("state-", "leaders", u32s(&[1, 0]), "the state of document 0, counted from 0, is inconsistent"),
        ("state-", "alive", vec![0], "the state of document"),
        ("segment-", "keys0.directory", u32s(&[1]), "the columns of table keys0 do not fit together"),
        // An entry is a document and, above it, the key.
        ("segment-", "keys0.entries", u32s(&[0, u32::MAX]), "the columns of table keys0 do not fit together"),
        ("segment-", "keys0.entries", u32s(&[6]), "the columns of table keys0 do not fit together"),
        ("segment-", "by_id.entries", u32s(&[1 << 31]), "the columns of table by_id do not fit together"),
        ("segment-", "urls.ends", u64s(&[u64::MAX]), "the pieces of urls do not fit together"),
        ("segment-", "texts.ends", u64s(&[u64::MAX]), "its texts are not where it says"),
        ("segment-", "texts.starts", u64s(&[u64::MAX]), "its texts are not where it says"),
        ("segment-", "texts.starts", u64s(&[1, 0]), "its texts are not where it says"),
        ("segment-", "serials", u64s(&[9]), "its serial numbers do not ascend"),
    ];
    for (kind, name, bytes, expected) in cases {
        let path = of_kind(&copied(&dir, &forged), kind).to_path_buf();
        let mut file = Forged::read(&path);
        file.named(name)[..bytes.len()].copy_from_slice(&bytes);
        file.write(&path);
        let error = open(&forged).err().unwrap_or_else(|| panic!("{name} is accepted")).to_string();
        assert!(error.starts_with(&format!("{}: damaged: {expected}", path.display())), "{error}");
    }
}

/// Forges copies of the index in `dir` in which two components are one. With `follows`, a kept document of one is also dropped
/// for a document of the other. Checks that each copy is detected, and returns their number.
fn each_connected(dir: &Path, follows: bool, open: impl Fn(&Path) -> neardup_live::Result<Index>) -> usize {
    let forged = dir.with_file_name("forged");
    let mut file = Forged::read(of_kind(&copied(dir, &forged), "state-"));
    let alive = file.named("alive").to_vec();
    let columns = ["carriers", "leaders", "roots"].map(|name| file.u32s(name));
    let [_, leaders, roots] = &columns;
    let is_own = |column: &Vec<u32>, number: usize| column[number] == number as u32;
    let is_first = |&number: &usize| {
        let is_kept = columns.iter().all(|column| is_own(column, number));
        alive[number] == 1 && is_own(roots, number) && (is_kept || !follows)
    };
    let is_followed = |number: usize| leaders.iter().enumerate().any(|(other, &leader)| leader == number as u32 && other != number);
    let mut rounds = 0;
    for second in (0..alive.len()).filter(is_first).filter(|&second| !(follows && is_followed(second))) {
        for first in (0..second).filter(is_first).take(2) {
            let path = of_kind(&copied(dir, &forged), "state-").to_path_buf();
            let mut file = Forged::read(&path);
            file.put("roots", roots.iter().map(|&root| if root == second as u32 { first as u32 } else { root }));
            if follows {
                file.put("leaders", (0..).zip(leaders).map(|(number, &leader)| if number == second { first as u32 } else { leader }));
            }
            file.write(&path);
            let error = open(&forged).unwrap().verify().unwrap_err().to_string();
            let reason = if follows { "another original than it should" } else { "is in a component without a pair that connects it" };
            assert!(error.contains(reason), "{first} and {second}: {error}");
            rounds += 1;
        }
    }
    rounds
}

#[test]
fn components_that_no_pair_connects_are_detected() {
    let (_folder, dir) = index();
    assert!(each_connected(&dir, false, open) > 0);
}

/// Returns passes whose keys are shared by more documents than the cap, so that few are compared.
fn capped() -> IndexPasses {
    let scheme = "words | shingles:1 | minhash:12 | bands:12x1 cap=2 over=star | resemblance>=0.8";
    IndexPasses { main: compile(&scheme.parse().unwrap()).unwrap(), parts: None, is_verified: true, shard: None }
}

#[test]
fn with_capped_keys_wrong_verdicts_are_detected_and_missed_pairs_are_not() {
    for (seed, policy) in (0..2).flat_map(|seed| [(seed, Policy::First), (seed, Policy::Earliest)]) {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("index");
        let open = |dir: &Path| Index::open(dir, |_| Ok(capped()));
        let index = Index::create(&dir, settings(policy), capped()).unwrap().with_flush_at(16);
        let mut random = SplitMix::new(seed);
        for round in 0..14 {
            let mut below = |end: u64| random.draw() % end;
            let mut document = |number: u64| {
                let text = format!("heron stands still a{} b{} c{} d{} e{}", below(3), below(2), below(2), below(2), below(2));
                Document { id: Some(format!("d{}", round * 3 + number)), time: Some(below(9) as i64), text, ..Document::default() }
            };
            index.add((0..3).map(&mut document).collect(), 0).unwrap();
            let names: Vec<String> = look(&index).into_keys().collect();
            index.remove(vec![names[below(names.len() as u64) as usize].clone()]).unwrap();
            index.verify().unwrap();
        }
        index.compact().unwrap();
        index.verify().unwrap();
        drop(index);
        assert!([false, true].iter().all(|&follows| each_connected(&dir, follows, open) > 5));
    }
}

#[test]
fn a_log_of_impossible_steps_is_refused() {
    let (folder, dir) = index();
    let forged = folder.path().join("forged");
    let records = [
        "",
        "{}",
        r#"{"remove":{"serials":[999]}}"#,
        r#"{"remove":{"serials":[8,8]}}"#,
        r#"{"remove":{"serials":[5]}}"#,
        r#"{"add":{"arrived":0,"document":{"id":"d2","url":null,"time":null,"text":"heron"}}}"#,
        r#"{"add":{"arrived":0,"document":{"id":"d2","url":null,"time":null,"text":"heron w2 w2 quay 0"}}}"#,
        r##"{"add":{"arrived":0,"document":{"id":"#3","url":null,"time":null,"text":"heron"}}}"##,
        r#"{"add":{"arrived":0,"document":{"id":"","url":null,"time":null,"text":"heron"}}}"#,
        r#"{"add":{"arrived":0}}"#,
    ];
    for record in records {
        copied(&dir, &forged);
        let mut log = Log::open(&forged.join(Manifest::read(&forged).unwrap().log)).unwrap();
        log.append(record.as_bytes()).unwrap();
        log.commit().unwrap();
        let error = open(&forged).err().unwrap_or_else(|| panic!("{record} is accepted")).to_string();
        assert!(error.contains(": damaged: ") && error.contains("log-"), "{record}: {error}");
    }
}

#[test]
fn a_manifest_whose_files_do_not_fit_together_is_refused() {
    let (folder, dir) = index();
    let forged = folder.path().join("forged");
    let changes: [&dyn Fn(&mut Manifest); 5] = [
        &|manifest| manifest.segments.reverse(),
        &|manifest| drop(manifest.segments.pop()),
        &|manifest| manifest.segments.push(manifest.segments[0].clone()),
        &|manifest| manifest.state = None,
        &|manifest| manifest.log = manifest.segments[0].clone(),
    ];
    for (number, change) in changes.iter().enumerate() {
        copied(&dir, &forged);
        let mut manifest = Manifest::read(&forged).unwrap();
        change(&mut manifest);
        manifest.write(&forged).unwrap();
        let error = open(&forged).err().unwrap_or_else(|| panic!("change {number} is accepted")).to_string();
        assert!(error.contains(": damaged: "), "{error}");
    }
}
