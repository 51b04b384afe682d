//! The slow model of an index: a list of documents, and the leader rule over all of them, by words.

use neardup_core::compile::compile;
use neardup_live::document::Document;
use neardup_live::manifest::Settings;
use neardup_live::passes::Passes;
use neardup_live::policy::Policy;
use std::collections::{BTreeMap, BTreeSet};

const SCHEME: &str = "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5";

pub fn passes() -> Passes {
    Passes { main: compile(&SCHEME.parse().unwrap()).unwrap(), parts: None, is_verified: true }
}

pub fn settings(policy: Policy) -> Settings {
    let unicode = neardup_text::UNICODE_VERSION.to_owned();
    Settings { scheme: SCHEME.to_owned(), parts_scheme: None, unicode, policy, ttl_seconds: None, most: None }
}

/// What came of a document.
pub struct Added {
    pub id: String,
    pub replaced: Option<String>,
    pub unchanged: bool,
}

pub struct Model {
    policy: Policy,
    /// Steps so far: documents that came, and removals.
    steps: u64,
    ids: u64,
    /// Living documents with their serial numbers and names, as they came.
    documents: Vec<(u64, String, Document)>,
}

impl Model {
    pub fn new(policy: Policy) -> Self {
        Model { policy, steps: 0, ids: 0, documents: Vec::new() }
    }

    /// An id that no document has; they are not in order.
    pub fn new_id(&mut self) -> String {
        self.ids += 1;
        format!("d{}", self.ids * 37 % 1009)
    }

    pub fn add(&mut self, document: Document) -> Added {
        let same = self.documents.iter().position(|(_, _, other)| document.url.is_some() && other.url == document.url);
        let replaced = same.map(|at| self.documents[at].1.clone());
        if let Some((_, name, old)) = same.map(|at| &self.documents[at])
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
        let id = document.id.clone().unwrap_or_else(|| format!("#{}", self.steps));
        self.documents.push((self.steps, id.clone(), document));
        Added { id, replaced, unchanged: false }
    }

    /// One step, when there is anything to remove.
    pub fn remove(&mut self, ids: &[String]) {
        self.steps += u64::from(!ids.is_empty());
        self.documents.retain(|(_, name, _)| !ids.contains(name));
    }

    pub fn names(&self) -> Vec<String> {
        self.documents.iter().map(|(_, name, _)| name.clone()).collect()
    }

    /// The original of every document, by name.
    pub fn originals(&self) -> BTreeMap<String, String> {
        let mut order: Vec<&(u64, String, Document)> = self.documents.iter().collect();
        if self.policy == Policy::Earliest {
            order.sort_by_key(|(serial, _, document)| {
                let id = document.id.clone();
                (document.time.unwrap_or(i64::MAX), id.is_none(), id, *serial)
            });
        }
        let mut originals = BTreeMap::new();
        for (at, (_, name, document)) in order.iter().enumerate() {
            let leads = |(_, other, earlier): &&&(u64, String, Document)| {
                originals.get(other) == Some(other) && alike(&document.text, &earlier.text)
            };
            let original = order[..at].iter().find(leads).map_or_else(|| name.clone(), |leader| leader.1.clone());
            originals.insert(name.clone(), original);
        }
        originals
    }
}

fn alike(left: &str, right: &str) -> bool {
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
