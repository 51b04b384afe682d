//! Rows: the keys of one kind, document after document.

use super::{Keys, Reach};
use crate::Result;
use crate::signatures::Values;
use crate::util::ids::DocId;
use crate::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};
use std::io;

/// The keys of a chunk while it is signed.
#[derive(Clone, Debug, Default)]
pub struct ChunkKeys {
    /// One document after another.
    pub keys: Vec<u32>,
    /// How far a document reaches from each of its keys, where they record it ([`Keys::reach`]); else empty.
    pub reaches: Vec<Reach>,
    /// Where the keys of each document end; empty when every document has one in each table.
    pub ends: Vec<u32>,
}

/// The keys of a chunk in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredKeys {
    /// Table after table when every document has one in each, else as in the rows.
    keys: StoredColumn<u32>,
    reaches: StoredColumn<Reach>,
    ends: StoredColumn<u32>,
}

impl ChunkKeys {
    /// Adds the keys of one document; None is one without features.
    pub fn push(&mut self, keys: &Keys, values: Option<&Values>) {
        match values {
            Some(values) => keys.keys(values, &mut self.keys),
            None if keys.fixed() => self.keys.resize(self.keys.len() + keys.tables(), 0),
            None => {}
        }
        if !keys.fixed() {
            self.ends.push(self.keys.len() as u32);
        }
    }

    /// Writes the keys of this many documents to the store.
    pub fn store(&self, store: &Store, documents: usize) -> io::Result<StoredKeys> {
        let keys = if self.ends.is_empty() { store.append(&self.transposed(documents))? } else { store.append(&self.keys)? };
        Ok(StoredKeys { keys, reaches: store.append(&self.reaches)?, ends: store.append(&self.ends)? })
    }

    /// Forgets the documents but keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.reaches.clear();
        self.ends.clear();
    }

    // Keys are grouped one table at a time: a table's keys are together.
    fn transposed(&self, documents: usize) -> Vec<u32> {
        let tables = self.keys.len().checked_div(documents).unwrap_or(0);
        let mut keys = vec![0; self.keys.len()];
        for (document, row) in self.keys.chunks_exact(tables.max(1)).enumerate() {
            row.iter().enumerate().for_each(|(table, &key)| keys[table * documents + document] = key);
        }
        keys
    }
}

impl StoredKeys {
    /// See [`Store::let_go`].
    pub fn let_go(&self, store: &Store) {
        store.let_go(self.keys);
        store.let_go(self.reaches);
        store.let_go(self.ends);
    }

    /// How many keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The bytes they take.
    pub fn bytes(&self) -> usize {
        size_of::<u32>() * (self.keys.len() + self.ends.len()) + size_of::<Reach>() * self.reaches.len()
    }

    /// Calls `each` with every key of `table` and the number of its document, which are counted from `first`.
    pub fn each(&self, store: &Store, table: usize, first: DocId, documents: usize, mut each: impl FnMut(u32, DocId)) -> Result<()> {
        if self.ends.is_empty() {
            let keys = store.read(self.keys, table * documents..(table + 1) * documents)?;
            keys.into_iter().zip(first.onwards()).for_each(|(key, document)| each(key, document));
            return Ok(());
        }
        let (keys, ends) = (store.all(self.keys)?, store.all(self.ends)?);
        let mut start = 0;
        for (document, end) in first.onwards().zip(ends) {
            keys[start..end as usize].iter().for_each(|&key| each(key, document));
            start = end as usize;
        }
        Ok(())
    }

    /// How far the documents reach, key by key as [`StoredKeys::each`] goes over them; of keys that record it.
    pub fn reaches(&self, store: &Store) -> Result<Vec<Reach>> {
        Ok(store.all(self.reaches)?)
    }
}
