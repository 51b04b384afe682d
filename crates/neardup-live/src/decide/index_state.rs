//! Index state: the documents of an index with their state, and the candidates for a comparison.

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
use neardup_core::util::ids::DocId;
use std::borrow::Cow;
use std::sync::Arc;

/// The documents of an index, and how they are compared.
pub struct IndexState {
    /// The passes by which documents are signed and compared.
    pub passes: IndexPasses,
    /// The policy, which determines which document is kept.
    pub policy: Policy,
    /// The documents.
    pub document_table: DocumentTable,
    /// The state of the documents.
    pub state: DocumentStates,
    /// Keys whose documents are all connected.
    pub families: Families,
    /// The other shards, if the index is split.
    pub shards: Arc<Shards>,
}

impl IndexState {
    /// Returns the row of a document as it is written to a segment. A dead document keeps its number until segments are merged, but
    /// its id, URL, text, bitmap and parts are empty.
    pub fn remains(&self, number: DocId) -> DocumentRow<'_> {
        let row = self.document_table.row(number);
        if self.state.is_alive(number) { row } else { DocumentRow { id: b"", url: b"", text: b"", bitmap: &[], parts: &[], ..row } }
    }

    /// Returns the place of a text in policy order, which is that of its first document.
    pub fn place(&self, representative: DocId) -> PolicyPlace<'_> {
        self.policy.place(&self.document_table, self.state.first_document(representative))
    }

    /// Whether the text `left` comes before `right` in policy order.
    pub fn is_before(&self, left: DocId, right: DocId) -> bool {
        self.place(left) < self.place(right)
    }

    /// Returns the representative of the living text with this token sequence; `None` for a blank text.
    pub fn representative_of(&self, lexical: u128) -> Option<DocId> {
        let mut living = self.document_table.of_tokens(lexical).filter(|&number| lexical != 0 && self.state.is_alive(number));
        living.next().map(|number| self.state.representative(number))
    }

    /// Returns the documents that all shards found, in policy order. `own` are those that this shard found, in policy order.
    pub fn gather(&self, own: Vec<DocId>) -> Vec<DocId> {
        if !self.shards.are_several() {
            return own;
        }
        let mut all = self.documents_of_all(own);
        self.arrange(&mut all);
        all
    }

    /// Does the same without sorting. Some documents may occur several times.
    pub fn documents_of_all(&self, own: Vec<DocId>) -> Vec<DocId> {
        if !self.shards.are_several() {
            return own;
        }
        let own = own.into_iter().map(|number| self.called(number)).collect();
        let all = self.shards.gather(Topic::Documents, own);
        all.into_iter().filter_map(|name| self.named(name)).collect()
    }

    /// Returns the number that identifies a document in messages between shards.
    pub fn called(&self, number: DocId) -> u64 {
        self.document_table.row(number).serial
    }

    /// Returns the living document that `name` identifies in messages between shards. If there is none, reports that the answers of
    /// the shards cannot be used.
    pub fn named(&self, name: u64) -> Option<DocId> {
        let number = match self.shards.name_serials() {
            true => self.document_table.of_serial(name),
            false => u32::try_from(name).ok().map(DocId).filter(|&number| number < self.document_table.end()),
        };
        let living = number.filter(|&number| self.state.is_alive(number));
        if living.is_none() {
            let why = format!("the shards of the index do not have the same documents (number {name}): run neardup index verify");
            self.shards.refuse(Error::Usage(why));
        }
        living
    }

    /// Returns the first document in policy order that any shard found. `own` is the one that this shard found.
    pub fn first(&self, own: Option<DocId>) -> Option<DocId> {
        self.gather(own.into_iter().collect()).first().copied()
    }

    /// Sorts representatives into policy order and removes repeats.
    pub fn arrange(&self, representatives: &mut Vec<DocId>) {
        representatives.sort_unstable();
        representatives.dedup();
        if self.policy != Policy::First || representatives.iter().any(|&representative| self.state.members(representative).len() > 1) {
            representatives.sort_by_cached_key(|&representative| self.place(representative));
        }
    }

    /// Returns the keys of a document. If they are not in memory, signs its text again.
    pub fn keys_of(&self, number: DocId, comparer: &mut TextComparer) -> Cow<'_, [TableKey]> {
        match self.document_table.keys(number) {
            Some(keys) => Cow::Borrowed(keys),
            None => Cow::Owned(comparer.sign(self.document_table.row(number).text).keys.into_vec()),
        }
    }

    /// Returns the kept texts that share a key of the main pass and that `admits` accepts, in policy order. If there are more under
    /// a key than its cap, returns only the first ones.
    pub fn leaders_by(&self, keys: &[TableKey], admits: impl Fn(DocId) -> bool) -> Vec<DocId> {
        let mut found = Vec::new();
        self.document_table.look_up(self.main(keys), |under| self.lead(&under, &admits, &mut found));
        self.arrange(&mut found);
        found
    }

    /// Does the same as [`IndexState::under`], in policy order.
    pub fn all_by(&self, keys: &[TableKey], admits: impl Fn(DocId) -> bool) -> Vec<DocId> {
        let mut found = self.under(keys, admits);
        self.arrange(&mut found);
        found
    }

    /// Returns the living texts that share a key of the main pass and that `admits` accepts, without repeats. If a key has more
    /// documents than its cap, returns only the first kept ones.
    pub fn under(&self, keys: &[TableKey], admits: impl Fn(DocId) -> bool) -> Vec<DocId> {
        let mut found = Vec::new();
        self.document_table.look_up(self.main(keys), |under| {
            let (start, mut count) = (found.len(), 0);
            under.all(|number| {
                count += 1;
                if self.state.is_representative(number) && admits(number) {
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

    /// Appends the leaders under a key that `admits` accepts to `found`. If there are more than the cap, appends only the first
    /// ones in policy order; otherwise, all of them in any order.
    pub fn lead(&self, under: &KeyPostings<'_>, admits: impl Fn(DocId) -> bool, found: &mut Vec<DocId>) {
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

    /// Returns the keys of the main pass, which come first.
    pub fn main<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        let tables = self.passes.main_tables();
        &keys[..keys.partition_point(|&key| table_and_key(key).0 < tables)]
    }

    /// Returns the keys of the pass for parts.
    pub fn parts<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        &keys[self.main(keys).len()..]
    }
}
