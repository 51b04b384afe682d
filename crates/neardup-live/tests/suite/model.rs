//! A slow model of an index: a list of documents, and the leader rule over all of them, on sets of words.

use neardup_core::compile::compile;
use neardup_core::util::ids::DocId;
use neardup_live::decide::passes::IndexPasses;
use neardup_live::decide::verdict::{name, verdict};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::snapshot::manifest::Settings;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const SCHEME: &str = "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5";

pub fn passes() -> IndexPasses {
    IndexPasses { main: compile(&SCHEME.parse().unwrap()).unwrap(), parts: None, is_verified: true, shard: None }
}

pub fn settings(policy: Policy) -> Settings {
    let (tokens_version, unicode) = (neardup_text::TOKENS_VERSION, neardup_text::UNICODE_VERSION.to_owned());
    Settings {
        scheme: SCHEME.to_owned(),
        parts_scheme: None,
        tokens_version,
        unicode,
        policy,
        ttl_seconds: None,
        most: None,
        extractor: None,
        shard: None,
    }
}

pub fn open(dir: &Path) -> neardup_live::Result<Index> {
    Index::open(dir, |_| Ok(passes())).map(|index| index.with_flush_at(5))
}

/// Generates texts of few different words, so that most are near many others; some are in capitals, and some are blank.
pub fn text() -> impl Strategy<Value = String> {
    let words = || {
        let words = proptest::collection::vec(0u8..3, 5..8);
        words.prop_map(|words| words.iter().enumerate().map(|(at, word)| format!("w{at}{word}")).collect::<Vec<_>>().join(" "))
    };
    prop_oneof![6 => words(), 2 => words().prop_map(|text| text.to_uppercase()), 1 => Just(" ".to_owned()), 1 => Just("!".to_owned())]
}

/// Every living document, by name.
pub type Look = BTreeMap<String, Seen>;

/// A living document and its original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub serial: u64,
    pub document: Document,
    pub original: String,
}

/// Returns the living documents of an index.
pub fn look(index: &Index) -> Look {
    let contents = index.contents();
    let of = |number: DocId| {
        let row = contents.index_state.document_table.row(number);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let some = |bytes: &[u8]| Some(text(bytes)).filter(|text| !text.is_empty());
        let time = row.has_time().then_some(row.time);
        let document = Document { id: some(row.id), url: some(row.url), time, text: text(row.text) };
        let dropped = index.with_comparer(|comparer| verdict(&contents.index_state, number, comparer)).dropped;
        let original = dropped.map_or_else(|| name(&row), |evidence| evidence.original);
        (name(&row), Seen { serial: row.serial, document, original })
    };
    contents.living_from(0).map(of).collect()
}

/// The outcome of adding a document.
pub struct Added {
    pub id: String,
    pub replaced: Option<String>,
    pub unchanged: bool,
}

#[derive(Clone)]
struct Entry {
    serial: u64,
    name: String,
    arrived: i64,
    document: Document,
}

#[derive(Clone)]
pub struct Model {
    settings: Settings,
    /// Number of steps so far: added documents, and removals.
    steps: u64,
    ids: u64,
    /// Time of the last addition.
    arrived: i64,
    /// Living documents in the order of their addition.
    documents: Vec<Entry>,
}

impl Model {
    pub fn new(settings: Settings) -> Self {
        Model { settings, steps: 0, ids: 0, arrived: 0, documents: Vec::new() }
    }

    /// Returns a model of the documents of an index, for verdicts only.
    pub fn of(settings: Settings, look: &Look) -> Self {
        let mut model = Model::new(settings);
        let entry = |(name, seen): (&String, &Seen)| {
            let Seen { serial, document, .. } = seen.clone();
            Entry { serial, name: name.clone(), arrived: 0, document }
        };
        model.documents = look.iter().map(entry).collect();
        model.documents.sort_by_key(|entry| entry.serial);
        model
    }

    /// Returns an unused id; ids are not in ascending order.
    pub fn new_id(&mut self) -> String {
        self.ids += 1;
        format!("d{}", self.ids * 37 % 1009)
    }

    /// Adds a document; documents that expire because of it are not removed yet.
    pub fn add(&mut self, document: Document, now: i64) -> Added {
        let same = self.documents.iter().position(|other| document.url.is_some() && other.document.url == document.url);
        let replaced = same.map(|at| self.documents[at].name.clone());
        if let Some(Entry { name, document: old, .. }) = same.map(|at| &self.documents[at])
            && old.text == document.text
            && document.id.as_ref().is_none_or(|id| id == name)
            && document.time.is_none_or(|time| old.time == Some(time))
        {
            return Added { id: name.clone(), replaced, unchanged: true };
        }
        if let Some(at) = same {
            self.documents.remove(at);
        }
        self.steps += 1;
        self.arrived = self.arrived.max(now);
        let id = document.id.clone().unwrap_or_else(|| format!("#{}", self.steps));
        self.documents.push(Entry { serial: self.steps, name: id.clone(), arrived: self.arrived, document });
        Added { id, replaced, unchanged: false }
    }

    /// Removes documents, as one step unless `ids` is empty.
    pub fn remove(&mut self, ids: &[String]) {
        self.steps += u64::from(!ids.is_empty());
        self.documents.retain(|entry| !ids.contains(&entry.name));
    }

    /// Removes documents that are too old, or too many; returns their names.
    pub fn expire(&mut self, now: i64) -> Vec<String> {
        let Settings { ttl_seconds, most, .. } = self.settings;
        let since = ttl_seconds.map_or(i64::MIN, |ttl| now - ttl as i64);
        let mut names: Vec<String> = self.documents.iter().filter(|entry| entry.arrived < since).map(|entry| entry.name.clone()).collect();
        self.remove(&names);
        // Only kept documents count, but the oldest of all documents is removed.
        let kept = |model: &Model| model.originals().iter().filter(|(name, original)| name == original).count() as u64;
        while most.is_some_and(|most| kept(self) > most) {
            let oldest = self.documents[0].name.clone();
            self.remove(std::slice::from_ref(&oldest));
            names.push(oldest);
        }
        names
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn names(&self) -> Vec<String> {
        self.documents.iter().map(|entry| entry.name.clone()).collect()
    }

    /// Returns the documents that an index should contain.
    pub fn look(&self) -> Look {
        let mut originals = self.originals();
        let seen = |entry: &Entry| {
            let Entry { serial, name, document, .. } = entry.clone();
            let original = originals.remove(&name).unwrap();
            (name, Seen { serial, document, original })
        };
        self.documents.iter().map(seen).collect()
    }

    /// Returns for every document, by name, the first name in its cluster.
    pub fn clusters(&self) -> BTreeMap<String, String> {
        let mut clusters: BTreeMap<String, String> = self.documents.iter().map(|entry| (entry.name.clone(), entry.name.clone())).collect();
        for (at, entry) in self.documents.iter().enumerate() {
            for other in self.documents[..at].iter().filter(|other| is_near(&entry.document.text, &other.document.text)) {
                let (left, right) = (clusters[&entry.name].clone(), clusters[&other.name].clone());
                let (first, second) = if left < right { (left, right) } else { (right, left) };
                clusters.values_mut().filter(|cluster| **cluster == second).for_each(|cluster| cluster.clone_from(&first));
            }
        }
        clusters
    }

    /// Returns the original of every document, by name.
    pub fn originals(&self) -> BTreeMap<String, String> {
        let mut order: Vec<&Entry> = self.documents.iter().collect();
        if self.settings.policy == Policy::Earliest {
            order.sort_by_key(|entry| {
                let id = entry.document.id.clone();
                (entry.document.time.unwrap_or(i64::MAX), id.is_none(), id, entry.serial)
            });
        }
        let mut originals = BTreeMap::new();
        for (at, entry) in order.iter().enumerate() {
            let leads = |earlier: &&&Entry| {
                originals.get(&earlier.name) == Some(&earlier.name) && is_near(&entry.document.text, &earlier.document.text)
            };
            let original = order[..at].iter().find(leads).map_or_else(|| entry.name.clone(), |leader| leader.name.clone());
            originals.insert(entry.name.clone(), original);
        }
        originals
    }
}

/// Returns for every living document, by name, the first name in its cluster.
pub fn clusters(index: &Index) -> BTreeMap<String, String> {
    let contents = index.contents();
    let first = |number: DocId| (name(&contents.index_state.document_table.row(number)), contents.cluster(number).swap_remove(0));
    contents.living_from(0).map(first).collect()
}

fn is_near(left: &str, right: &str) -> bool {
    let words = |text: &str| {
        text.to_lowercase()
            .split(|mark: char| !mark.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<BTreeSet<_>>()
    };
    if left.trim().is_empty() || right.trim().is_empty() {
        return false;
    }
    let (l, r) = (words(left), words(right));
    if l.is_empty() || r.is_empty() { left == right } else { 2 * l.intersection(&r).count() >= l.union(&r).count() }
}
