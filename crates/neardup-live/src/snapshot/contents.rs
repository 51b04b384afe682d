//! The contents of an index after a step of its log.

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
use neardup_core::util::ids::DocId;
use std::path::Path;
use std::slice;
use std::sync::Arc;

/// The contents of an index, in one consistent state.
pub struct Snapshot {
    /// The manifest that names the files it was loaded from.
    pub manifest: Manifest,
    /// The documents.
    pub index_state: IndexState,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// Number of steps in the life of the index: additions of a document, and removals. The serial number of a document is the
    /// number of the step that added it.
    pub steps: u64,
    /// The documents that the last steps affected.
    pub journal: RecentSteps,
    /// Number of bytes of the log that were replayed.
    pub position: u64,
    /// The failure to write a segment, if none was written since.
    pub failure: Option<FlushFailure>,
    /// Lower bound of the living documents: no document with a smaller number is alive.
    oldest: DocId,
    /// Number of bytes of the texts in memory.
    fresh_bytes: usize,
}

impl Snapshot {
    /// Loads the segments and the state of a manifest, without its log. Reuses the segments in `open`, and checks every byte of all
    /// others.
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
            oldest: DocId::FIRST,
            fresh_bytes: 0,
        };
        contents.enter_changed();
        Ok(contents)
    }

    /// The settings of the index.
    pub fn settings(&self) -> &Settings {
        &self.manifest.settings
    }

    /// Number of bytes of the texts that are in no segment yet.
    pub fn fresh_bytes(&self) -> usize {
        self.fresh_bytes
    }

    /// Enters documents that now represent a text or lead, but are not entered as such in the tables of their segment.
    fn enter_changed(&mut self) {
        let IndexState { passes, document_table, state, .. } = &mut self.index_state;
        let mut comparer = TextComparer::new(passes);
        let mut changed = Vec::new();
        for (segment, &start) in document_table.segments().iter().zip(document_table.starts()) {
            for document in 0..segment.count() {
                let (number, keyed) = (start.plus(document), segment.keyed(document));
                if !state.is_representative(number) || segment.row(document).features == 0 {
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

    /// Returns the living document of this id.
    pub fn of_id(&self, id: &str) -> Option<DocId> {
        self.index_state.document_table.of_id(id).find(|&number| self.index_state.state.is_alive(number))
    }

    /// Returns the living document of this URL.
    pub fn of_url(&self, url: &str) -> Option<DocId> {
        self.index_state.document_table.of_url(url).find(|&number| self.index_state.state.is_alive(number))
    }

    /// Returns the living documents with the serial number `serial` or a higher one, in order of arrival.
    pub fn living_from(&self, serial: u64) -> impl Iterator<Item = DocId> {
        let IndexState { document_table, state, .. } = &self.index_state;
        let (mut low, mut high) = (0, document_table.count());
        while low < high {
            let middle = low.midpoint(high);
            if document_table.row(DocId(middle)).serial < serial { low = middle + 1 } else { high = middle }
        }
        DocId(low).until(document_table.end()).filter(|&number| state.is_alive(number))
    }

    /// Returns the ids of all documents that are connected with this one, including its own, in byte order. The first id names the
    /// cluster.
    pub fn cluster(&self, number: DocId) -> Vec<String> {
        self.sorted_names(self.index_state.state.connected(number))
    }

    /// Returns the ids of all documents with the same original as this one: first the original, then the others in byte order.
    pub fn group(&self, number: DocId) -> Vec<String> {
        let state = &self.index_state.state;
        let original = state.original(number);
        // All documents of one original are connected with it.
        let others = state.connected(original).filter(|&other| other != original && state.original(other) == original);
        let mut names = vec![name(&self.index_state.document_table.row(original))];
        names.extend(self.sorted_names(others));
        names
    }

    fn sorted_names(&self, numbers: impl Iterator<Item = DocId>) -> Vec<String> {
        let mut names: Vec<String> = numbers.map(|number| name(&self.index_state.document_table.row(number))).collect();
        names.sort_unstable();
        names
    }

    /// Returns the document that `document` would replace: that of its URL.
    pub fn replaced_by(&self, document: &Document) -> Option<DocId> {
        self.of_url(document.url.as_deref().filter(|url| !url.is_empty())?)
    }

    /// Returns the document that is exactly the same as `document`: that of its URL, or that of its id.
    pub fn same_as(&self, document: &Document) -> Option<DocId> {
        let of_id = || self.of_id(document.id.as_deref()?);
        self.replaced_by(document).or_else(of_id).filter(|&number| ExactKey::of(self.index_state.document_table.row(number)).is(document))
    }

    /// Adds a document; `signed` are its digests and keys.
    pub fn add(&mut self, document: &Document, arrived: i64, signed: SignedText, comparer: &mut TextComparer) -> Admission {
        self.steps += 1;
        let mut before = FirstStates::new(&self.index_state.state);
        let replaced = self.replaced_by(document);
        let replaced_name = replaced.map(|number| name(&self.index_state.document_table.row(number)));
        if let Some(number) = replaced {
            remove(&mut self.index_state, &[number], &mut before, comparer);
        }
        self.arrived = self.arrived.max(arrived);
        // A shard stores only the texts that have keys in it.
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
        let removed_effects = replaced_name.iter().cloned().map(DocumentEffect::Removed);
        let changed = self.note(&before, removed_effects.chain([DocumentEffect::Added(own.id.clone())]).collect(), comparer);
        Admission { verdict: own, replaced: replaced_name, unchanged: false, expired: Vec::new(), changed }
    }

    /// Removes living documents.
    pub fn remove(&mut self, numbers: &[DocId], comparer: &mut TextComparer) -> Removal {
        self.steps += 1;
        let mut before = FirstStates::new(&self.index_state.state);
        remove(&mut self.index_state, numbers, &mut before, comparer);
        let removed: Vec<String> = numbers.iter().map(|&number| name(&self.index_state.document_table.row(number))).collect();
        let changed = self.note(&before, removed.iter().cloned().map(DocumentEffect::Removed).collect(), comparer);
        Removal { removed, changed }
    }

    /// Records a step in the journal, and returns the verdicts on earlier documents that it changed.
    fn note(&mut self, before: &FirstStates, mut touched: Vec<DocumentEffect>, comparer: &mut TextComparer) -> Vec<Verdict> {
        let changed = before.changed(&self.index_state).into_iter();
        let changed: Vec<Verdict> = changed.map(|(number, _)| verdict(&self.index_state, number, comparer)).collect();
        touched.extend(changed.iter().map(|verdict| DocumentEffect::Changed(verdict.id.clone())));
        self.journal.note(touched);
        changed
    }

    /// Returns the living documents that are older than the time to live at `now`.
    pub fn too_old(&mut self, now: i64) -> Vec<DocId> {
        let Some(ttl) = self.manifest.settings.ttl_seconds else { return Vec::new() };
        let since = now.saturating_sub_unsigned(ttl);
        self.pass_the_dead();
        // Numbers ascend by arrival, so the oldest documents come first.
        let is_old = |number: &DocId| self.index_state.document_table.row(*number).arrived < since;
        self.living().take_while(is_old).collect()
    }

    /// Returns the oldest living document if more documents are kept than the settings allow.
    pub fn one_too_many(&mut self) -> Option<DocId> {
        let most = self.manifest.settings.most?;
        self.pass_the_dead();
        if u64::from(self.index_state.state.kept()) > most { self.living().next() } else { None }
    }

    fn pass_the_dead(&mut self) {
        let state = &self.index_state.state;
        while self.oldest < state.end() && !state.is_alive(self.oldest) {
            self.oldest = self.oldest.next();
        }
    }

    /// Returns the living documents, the oldest first.
    fn living(&self) -> impl Iterator<Item = DocId> {
        let state = &self.index_state.state;
        self.oldest.until(state.end()).filter(|&number| state.is_alive(number))
    }

    /// Replays a step that was read from the log at `log`.
    pub fn replay(&mut self, step: IndexStep<'_>, log: &Path, comparer: &mut TextComparer) -> Result<()> {
        match step {
            IndexStep::Add { arrived, document, received } => {
                if self.same_as(&document).is_some() {
                    return Err(Error::damaged(log, "it adds a document that is there already"));
                }
                self.check_names(slice::from_ref(&document))
                    .map_err(|error| Error::damaged(log, format!("it adds an invalid document: {error}")))?;
                let signed = comparer.sign(document.text.as_bytes());
                self.index_state.shards.recall(received);
                self.add(&document, arrived, signed, comparer);
            }
            IndexStep::Remove { serials, received } => {
                let state = &self.index_state.state;
                let number = |serial: &u64| self.index_state.document_table.of_serial(*serial).filter(|&number| state.is_alive(number));
                let numbers: Option<Vec<DocId>> = serials.iter().map(number).collect();
                // A step lists serial numbers in ascending order, so that none occurs twice.
                let numbers = numbers.filter(|numbers| numbers.is_sorted_by(|one, other| one < other));
                let numbers = numbers.ok_or_else(|| Error::damaged(log, "it removes a document that is not there"))?;
                self.index_state.shards.recall(received);
                self.remove(&numbers, comparer);
            }
        }
        match self.index_state.shards.is_recalled() {
            true => Ok(()),
            false => Err(Error::damaged(log, "a step asks the other shards other questions than when it was first taken")),
        }
    }
}
