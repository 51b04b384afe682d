//! The contents of an index as they are after a step of its log.

use crate::decide::comparer::TextComparer;
use crate::decide::families::Families;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::decide::insertion::add;
use crate::decide::passes::IndexPasses;
use crate::decide::removal::remove;
use crate::decide::verdict::{Admission, Removal, Verdict, name, verdict};
use crate::documents::document::{Document, NO_TIME};
use crate::documents::document_table::{DocumentTable, MemtableEntry};
use crate::documents::living_documents::LivingDocuments;
use crate::documents::segment::{KeyState, Segment};
use crate::documents::signed::SignedText;
use crate::documents::state::DocumentStates;
use crate::documents::state_file::StoredState;
use crate::documents::texts::StoredTexts;
use crate::shards::peers::Shards;
use crate::snapshot::failure::FlushFailure;
use crate::snapshot::journal::{DocumentEffect, RecentSteps};
use crate::snapshot::known::ExactKey;
use crate::snapshot::manifest::{Manifest, Settings};
use crate::snapshot::step::IndexStep;
use crate::{Error, Result};
use std::path::Path;
use std::slice;
use std::sync::Arc;

/// All that is known of an index.
pub struct Snapshot {
    /// Which files it came from.
    pub manifest: Manifest,
    /// The documents.
    pub index_state: IndexState,
    /// When the last one arrived, in Unix seconds.
    pub arrived: i64,
    /// How many steps were taken through the life of the index: additions of a document, and removals. The number of the step
    /// that it came with is the serial number of a document.
    pub steps: u64,
    /// Which documents the last steps touched.
    pub journal: RecentSteps,
    /// How much of the log is in it, in bytes.
    pub position: u64,
    /// That a segment could not be written, and none was since.
    pub failure: Option<FlushFailure>,
    /// No document before this one lives.
    oldest: u32,
    /// The bytes of the texts in memory.
    fresh_bytes: usize,
}

impl Snapshot {
    /// What the segments of a manifest hold, before its log. Segments that are open already are taken from `open`; of all
    /// others every byte is checked.
    pub fn load(dir: &Path, manifest: Manifest, passes: IndexPasses, shards: &Arc<Shards>, open: &[Arc<Segment>]) -> Result<Self> {
        let texts = |name: &String| match open.iter().flat_map(|segment| segment.places().files()).find(|texts| texts.name() == name) {
            Some(texts) => Ok(Arc::clone(texts)),
            None => StoredTexts::open(dir, name, &manifest.identity).map(Arc::new),
        };
        let segment = |name: &String| match open.iter().find(|segment| segment.name() == name) {
            Some(segment) => Ok(Arc::clone(segment)),
            None => Segment::open(dir, name, &manifest.identity, passes.tables(), texts).map(Arc::new),
        };
        let document_table = DocumentTable::new(manifest.segments.iter().map(segment).collect::<Result<_>>()?);
        if !document_table.texts().map(|texts| texts.name()).eq(&manifest.texts) {
            return Err(Error::damaged(dir, "its segments have other texts than its manifest says"));
        }
        let serials = || document_table.segments().iter().flat_map(|segment| segment.serials());
        if !serials().is_sorted_by(|one, other| one < other) {
            return Err(Error::damaged(dir, "the serial numbers of its segments do not ascend"));
        }
        let stored = match &manifest.state {
            Some(name) => StoredState::read(&dir.join(name), &manifest.identity, document_table.count())?,
            None if document_table.count() == 0 => StoredState::default(),
            None => return Err(Error::damaged(dir, "there are segments, and no state of their documents")),
        };
        if let Some(name) = &manifest.roll {
            LivingDocuments::read(&dir.join(name), &manifest.identity)?;
        }
        if serials().next_back().is_some_and(|&last| last > stored.steps) {
            return Err(Error::damaged(dir, "a document came later than the last step"));
        }
        let policy = manifest.settings.policy;
        let state =
            DocumentStates::restore(stored.columns, |members| members.sort_by_cached_key(|&member| policy.place(&document_table, member)));
        let index_state = IndexState { passes, policy, document_table, state, families: Families::default(), shards: Arc::clone(shards) };
        let StoredState { arrived, steps, .. } = stored;
        let mut contents = Snapshot {
            manifest,
            index_state,
            arrived,
            steps,
            journal: RecentSteps::new(steps),
            position: 0,
            failure: None,
            oldest: 0,
            fresh_bytes: 0,
        };
        contents.enter_changed();
        Ok(contents)
    }

    /// How it was set up.
    pub fn settings(&self) -> &Settings {
        &self.manifest.settings
    }

    /// The bytes of the texts that are in no segment yet.
    pub fn fresh_bytes(&self) -> usize {
        self.fresh_bytes
    }

    /// Enters those that carry or lead now, and do not in the tables of their segment.
    fn enter_changed(&mut self) {
        let IndexState { passes, document_table, state, .. } = &mut self.index_state;
        let mut comparer = TextComparer::new(passes);
        let mut changed = Vec::new();
        for (segment, &start) in document_table.segments().iter().zip(document_table.starts()) {
            for document in 0..segment.count() {
                let (number, keyed) = (start + document, segment.keyed(document));
                if !state.carries(number) || segment.row(document).features == 0 {
                    continue;
                }
                match (keyed, state.leads(number)) {
                    (KeyState::No | KeyState::Follower, true) => changed.push((number, KeyState::Leader)),
                    (KeyState::No, false) => changed.push((number, KeyState::Follower)),
                    _ => {}
                }
            }
        }
        for (number, keyed) in changed {
            let keys = comparer.sign(document_table.row(number).text).keys;
            document_table.enter(number, &keys, keyed);
        }
    }

    /// The living document of this id.
    pub fn of_id(&self, id: &str) -> Option<u32> {
        self.index_state.document_table.of_id(id).find(|&number| self.index_state.state.is_alive(number))
    }

    /// The living document of this URL.
    pub fn of_url(&self, url: &str) -> Option<u32> {
        self.index_state.document_table.of_url(url).find(|&number| self.index_state.state.is_alive(number))
    }

    /// The living documents that arrived as number `serial` or later, in order of arrival.
    pub fn living_from(&self, serial: u64) -> impl Iterator<Item = u32> {
        let IndexState { document_table, state, .. } = &self.index_state;
        let count = document_table.count();
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            if document_table.row(middle).serial < serial { low = middle + 1 } else { high = middle }
        }
        (low..count).filter(|&number| state.is_alive(number))
    }

    /// The ids of all documents that are connected with this one, itself included, in order of their bytes: the first names the
    /// cluster.
    pub fn cluster(&self, number: u32) -> Vec<String> {
        self.sorted_names(self.index_state.state.connected(number))
    }

    /// The ids of all documents with the same original as this one, the original first, the others in order of their bytes.
    pub fn group(&self, number: u32) -> Vec<String> {
        let state = &self.index_state.state;
        let original = state.original(number);
        // Documents of one original are connected with it.
        let others = state.connected(original).filter(|&other| other != original && state.original(other) == original);
        let mut names = vec![name(&self.index_state.document_table.row(original))];
        names.extend(self.sorted_names(others));
        names
    }

    fn sorted_names(&self, numbers: impl Iterator<Item = u32>) -> Vec<String> {
        let mut names: Vec<String> = numbers.map(|number| name(&self.index_state.document_table.row(number))).collect();
        names.sort_unstable();
        names
    }

    /// The document whose place this one takes.
    pub fn replaced_by(&self, document: &Document) -> Option<u32> {
        self.of_url(document.url.as_deref().filter(|url| !url.is_empty())?)
    }

    /// The document that this one is already, to the letter: that of its URL, or that of its id.
    pub fn same_as(&self, document: &Document) -> Option<u32> {
        let of_id = || self.of_id(document.id.as_deref()?);
        self.replaced_by(document).or_else(of_id).filter(|&number| ExactKey::of(self.index_state.document_table.row(number)).is(document))
    }

    /// Takes a document in; what it is signed is `signed`.
    pub fn add(&mut self, document: &Document, arrived: i64, signed: SignedText, comparer: &mut TextComparer) -> Admission {
        self.steps += 1;
        let mut before = FirstStates::new(&self.index_state.state);
        let replaced = self.replaced_by(document);
        let replaced_name = replaced.map(|number| name(&self.index_state.document_table.row(number)));
        if let Some(number) = replaced {
            remove(&mut self.index_state, &[number], &mut before, comparer);
        }
        self.arrived = self.arrived.max(arrived);
        // A shard needs the texts that its keys lead to.
        let is_here = !self.index_state.shards.are_several() || signed.features == 0 || !signed.keys.is_empty();
        let text = if is_here { document.text.as_str() } else { "" };
        let fresh = MemtableEntry {
            serial: self.steps,
            arrived: self.arrived,
            id: document.id.as_deref().unwrap_or_default().into(),
            url: document.url.as_deref().unwrap_or_default().into(),
            time: document.time.unwrap_or(NO_TIME),
            text: text.into(),
            signed,
        };
        self.fresh_bytes += fresh.text.len();
        let number = add(&mut self.index_state, fresh, &mut before, comparer);
        let own = verdict(&self.index_state, number, comparer);
        let gone = replaced_name.iter().cloned().map(DocumentEffect::Gone);
        let changed = self.note(&before, gone.chain([DocumentEffect::Came(own.id.clone())]).collect(), comparer);
        Admission { verdict: own, replaced: replaced_name, unchanged: false, expired: Vec::new(), changed }
    }

    /// Takes living documents out.
    pub fn remove(&mut self, numbers: &[u32], comparer: &mut TextComparer) -> Removal {
        self.steps += 1;
        let mut before = FirstStates::new(&self.index_state.state);
        remove(&mut self.index_state, numbers, &mut before, comparer);
        let removed: Vec<String> = numbers.iter().map(|&number| name(&self.index_state.document_table.row(number))).collect();
        let changed = self.note(&before, removed.iter().cloned().map(DocumentEffect::Gone).collect(), comparer);
        Removal { removed, changed }
    }

    /// Notes a step in the journal, and returns the verdicts that it changed of documents that were there before.
    fn note(&mut self, before: &FirstStates, mut touched: Vec<DocumentEffect>, comparer: &mut TextComparer) -> Vec<Verdict> {
        let changed = before.changed(&self.index_state).into_iter();
        let changed: Vec<Verdict> = changed.map(|(number, _)| verdict(&self.index_state, number, comparer)).collect();
        touched.extend(changed.iter().map(|verdict| DocumentEffect::Changed(verdict.id.clone())));
        self.journal.note(touched);
        changed
    }

    /// The documents that are too old by now.
    pub fn too_old(&mut self, now: i64) -> Vec<u32> {
        let Some(ttl) = self.manifest.settings.ttl_seconds else { return Vec::new() };
        let since = now.saturating_sub_unsigned(ttl);
        self.pass_the_dead();
        // Numbers ascend by arrival, so those that have to go come first.
        let is_old = |number: &u32| self.index_state.document_table.row(*number).arrived < since;
        self.living().take_while(is_old).collect()
    }

    /// The oldest document, while more are kept than there may be.
    pub fn one_too_many(&mut self) -> Option<u32> {
        let most = self.manifest.settings.most?;
        self.pass_the_dead();
        if u64::from(self.index_state.state.kept()) > most { self.living().next() } else { None }
    }

    fn pass_the_dead(&mut self) {
        let state = &self.index_state.state;
        while self.oldest < state.count() && !state.is_alive(self.oldest) {
            self.oldest += 1;
        }
    }

    /// The living documents, the oldest first.
    fn living(&self) -> impl Iterator<Item = u32> {
        let state = &self.index_state.state;
        (self.oldest..state.count()).filter(|&number| state.is_alive(number))
    }

    /// Does a step again that the log at `log` speaks of.
    pub fn replay(&mut self, step: IndexStep<'_>, log: &Path, comparer: &mut TextComparer) -> Result<()> {
        match step {
            IndexStep::Add { arrived, document, received } => {
                if self.same_as(&document).is_some() {
                    return Err(Error::damaged(log, "it adds a document that is there already"));
                }
                self.check_names(slice::from_ref(&document))
                    .map_err(|error| Error::damaged(log, format!("it adds a document that cannot be: {error}")))?;
                let signed = comparer.sign(document.text.as_bytes());
                self.index_state.shards.recall(received);
                self.add(&document, arrived, signed, comparer);
            }
            IndexStep::Remove { serials, received } => {
                let state = &self.index_state.state;
                let number = |serial: &u64| self.index_state.document_table.of_serial(*serial).filter(|&number| state.is_alive(number));
                let numbers: Option<Vec<u32>> = serials.iter().map(number).collect();
                // Serial numbers ascend where a step was taken, so that none is there twice.
                let numbers = numbers.filter(|numbers| numbers.is_sorted_by(|one, other| one < other));
                let numbers = numbers.ok_or_else(|| Error::damaged(log, "it removes a document that is not there"))?;
                self.index_state.shards.recall(received);
                self.remove(&numbers, comparer);
            }
        }
        match self.index_state.shards.is_recalled() {
            true => Ok(()),
            false => Err(Error::damaged(log, "a step asks the other shards something else than it did when it was taken")),
        }
    }
}
