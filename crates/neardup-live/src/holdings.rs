//! Holdings: the documents of an index with their state, and who may meet whom.

use crate::bench::Bench;
use crate::passes::Passes;
use crate::policy::{Place, Policy};
use crate::signed::{TableKey, table_and_key};
use crate::state::State;
use crate::stock::Stock;
use std::borrow::Cow;

/// What an index holds.
pub struct Holdings {
    /// How documents are signed.
    pub passes: Passes,
    /// Which document is kept.
    pub policy: Policy,
    /// The documents.
    pub stock: Stock,
    /// Their state.
    pub state: State,
}

impl Holdings {
    /// The place of a text in policy order: that of its front.
    pub fn place(&self, carrier: u32) -> Place<'_> {
        self.policy.place(&self.stock, self.state.front(carrier))
    }

    /// Whether a text comes before another in policy order.
    pub fn is_before(&self, left: u32, right: u32) -> bool {
        self.place(left) < self.place(right)
    }

    /// Brings carriers into policy order, without repeats.
    pub fn arrange(&self, carriers: &mut Vec<u32>) {
        carriers.sort_unstable();
        carriers.dedup();
        if self.policy != Policy::First || carriers.iter().any(|&carrier| self.state.members(carrier).len() > 1) {
            carriers.sort_by_cached_key(|&carrier| self.place(carrier));
        }
    }

    /// The keys of a document; its text is signed again when they are not at hand.
    pub fn keys_of(&self, number: u32, bench: &mut Bench) -> Cow<'_, [TableKey]> {
        match self.stock.keys(number) {
            Some(keys) => Cow::Borrowed(keys),
            None => Cow::Owned(bench.sign(self.stock.row(number).text).keys.into_vec()),
        }
    }

    /// Texts that are kept and share a key of the main pass, among those that `admits`, in policy order; of each key the first
    /// up to its cap.
    pub fn leaders_by(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        for &key in self.main(keys) {
            let start = found.len();
            self.stock.leaders(key, |number| {
                if self.state.leads(number) && admits(number) {
                    found.push(number);
                }
            });
            self.cut(key, start, &mut found);
        }
        self.arrange(&mut found);
        found
    }

    /// As [`Holdings::under`], in policy order.
    pub fn all_by(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = self.under(keys, admits);
        self.arrange(&mut found);
        found
    }

    /// Living texts that share a key of the main pass, among those that `admits`, without repeats; under a key that more than
    /// its cap hold only the first ones that are kept.
    pub fn under(&self, keys: &[TableKey], admits: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        for &key in self.main(keys) {
            let (start, mut count) = (found.len(), 0);
            self.stock.all(key, |number| {
                count += 1;
                if self.state.carries(number) && admits(number) {
                    found.push(number);
                }
            });
            if count > self.passes.cap_of(table_and_key(key).0) {
                found.truncate(start);
                self.stock.leaders(key, |number| {
                    if self.state.leads(number) && admits(number) {
                        found.push(number);
                    }
                });
                self.cut(key, start, &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Keeps what was found under a key up to its cap.
    fn cut(&self, key: TableKey, start: usize, found: &mut Vec<u32>) {
        let cap = self.passes.cap_of(table_and_key(key).0);
        if found.len() - start > cap {
            let mut under = found.split_off(start);
            self.arrange(&mut under);
            under.truncate(cap);
            found.append(&mut under);
        }
    }

    /// The keys of the main pass, which stand first.
    pub fn main<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        let tables = self.passes.main_tables();
        &keys[..keys.partition_point(|&key| table_and_key(key).0 < tables)]
    }

    /// The keys of parts.
    pub fn parts<'k>(&self, keys: &'k [TableKey]) -> &'k [TableKey] {
        &keys[self.main(keys).len()..]
    }
}
