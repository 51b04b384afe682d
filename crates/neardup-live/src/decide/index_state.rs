//! Index state: the documents of an index with their state, and which of them may meet.

use crate::Error;
use crate::decide::comparer::TextComparer;
use crate::decide::families::Families;
use crate::decide::passes::IndexPasses;
use crate::documents::document_table::{DocumentTable, KeyPostings};
use crate::documents::policy::{Policy, PolicyPlace};
use crate::documents::row::DocumentRow;
use crate::documents::state::DocumentStates;
use crate::documents::table_key::{TableKey, table_and_key};
use crate::shards::peers::Shards;
use crate::shards::topic::Topic;
use std::borrow::Cow;
use std::sync::Arc;

/// What an index holds.
pub struct IndexState {
    /// How documents are signed.
    pub passes: IndexPasses,
    /// Which document is kept.
    pub policy: Policy,
    /// The documents.
    pub document_table: DocumentTable,
    /// Their state.
    pub state: DocumentStates,
    /// Keys under which all are connected.
    pub families: Families,
    /// The other shards, when the index is split.
    pub shards: Arc<Shards>,
}

impl IndexState {
    /// What of a document is written: the dead keep their number until segments are merged, and leave nothing else.
    pub fn remains(&self, number: u32) -> DocumentRow<'_> {
        let row = self.document_table.row(number);
        if self.state.is_alive(number) { row } else { DocumentRow { id: b"", url: b"", text: b"", bitmap: &[], parts: &[], ..row } }
    }

    /// The place of a text in policy order: that of its front.
    pub fn place(&self, representative: u32) -> PolicyPlace<'_> {
        self.policy.place(&self.document_table, self.state.first_document(representative))
    }

    /// Whether a text comes before another in policy order.
    pub fn is_before(&self, left: u32, right: u32) -> bool {
        self.place(left) < self.place(right)
    }

    /// The document that carries the living text of this token sequence; none that of a blank one.
    pub fn representative_of(&self, lexical: u128) -> Option<u32> {
        let mut living = self.document_table.of_tokens(lexical).filter(|&number| lexical != 0 && self.state.is_alive(number));
        living.next().map(|number| self.state.representative(number))
    }

    /// All that the shards found, in policy order, when this one found `own`, in policy order.
    pub fn gather(&self, own: Vec<u32>) -> Vec<u32> {
        if !self.shards.are_several() {
            return own;
        }
        let mut all = self.documents_of_all(own);
        self.arrange(&mut all);
        all
    }

    /// The same as they come, some several times.
    pub fn documents_of_all(&self, own: Vec<u32>) -> Vec<u32> {
        if !self.shards.are_several() {
            return own;
        }
        let own = own.into_iter().map(|number| self.called(number)).collect();
        let all = self.shards.gather(Topic::Documents, own);
        all.into_iter().filter_map(|name| self.named(name)).collect()
    }

    /// By what name the shards call a document.
    pub fn called(&self, number: u32) -> u64 {
        self.document_table.row(number).serial
    }

    /// The living document that the shards call so; without one, what they said cannot be used.
    pub fn named(&self, name: u64) -> Option<u32> {
        let number = match self.shards.name_serials() {
            true => self.document_table.of_serial(name),
            false => u32::try_from(name).ok().filter(|&number| number < self.document_table.count()),
        };
        let living = number.filter(|&number| self.state.is_alive(number));
        if living.is_none() {
            let why = format!("the shards of the index do not know the same documents (number {name}): run neardup index verify");
            self.shards.refuse(Error::Usage(why));
        }
        living
    }

    /// The first of what the shards found, when this one found `own`.
    pub fn first(&self, own: Option<u32>) -> Option<u32> {
        self.gather(own.into_iter().collect()).first().copied()
    }

    /// Brings representatives into policy order, without repeats.
    pub fn arrange(&self, representatives: &mut Vec<u32>) {
        representatives.sort_unstable();
        representatives.dedup();
        if self.policy != Policy::First || representatives.iter().any(|&representative| self.state.members(representative).len() > 1) {
            representatives.sort_by_cached_key(|&representative| self.place(representative));
        }
    }

    /// The keys of a document; its text is signed again when they are not at hand.
    pub fn keys_of(&self, number: u32, comparer: &mut TextComparer) -> Cow<'_, [TableKey]> {
        match self.document_table.keys(number) {
            Some(keys) => Cow::Borrowed(keys),
            None => Cow::Owned(comparer.sign(self.document_table.row(number).text).keys.into_vec()),
        }
    }

    /// Texts that are kept and share a key of the main pass, among those that `admits`, in policy order; of each key the first
    /// up to its cap.
    pub fn leaders_by(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        self.document_table.look_up(self.main(keys), |under| self.lead(&under, &admits, &mut found));
        self.arrange(&mut found);
        found
    }

    /// As [`IndexState::under`], in policy order.
    pub fn all_by(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = self.under(keys, admits);
        self.arrange(&mut found);
        found
    }

    /// Living texts that share a key of the main pass, among those that `admits`, without repeats; under a key that more than
    /// its cap hold only the first ones that are kept.
    pub fn under(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        self.document_table.look_up(self.main(keys), |under| {
            let (start, mut count) = (found.len(), 0);
            under.all(|number| {
                count += 1;
                if self.state.carries(number) && admits(number) {
                    found.push(number);
                }
            });
            if count > self.passes.cap_of(under.key) {
                found.truncate(start);
                self.lead(&under, &admits, &mut found);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those of the leaders under a key that `admits`, in policy order up to its cap, in any order without.
    pub fn lead(&self, under: &KeyPostings<'_>, admits: impl Fn(u32) -> bool, found: &mut Vec<u32>) {
        let (start, cap) = (found.len(), self.passes.cap_of(under.key));
        under.leaders(|number| {
            if self.state.leads(number) && admits(number) {
                found.push(number);
            }
        });
        if found.len() - start > cap {
            let mut leaders = found.split_off(start);
            self.arrange(&mut leaders);
            leaders.truncate(cap);
            found.append(&mut leaders);
        }
    }

    /// The keys of the main pass, which are first.
    pub fn main<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        let tables = self.passes.main_tables();
        &keys[..keys.partition_point(|&key| table_and_key(key).0 < tables)]
    }

    /// The keys of parts.
    pub fn parts<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        &keys[self.main(keys).len()..]
    }
}
