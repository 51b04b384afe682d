//! Rows: the keys of one kind, document by document.

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
    /// The keys, document by document.
    pub keys: Vec<u32>,
    /// How far a document reaches from each of its keys, if the keys store it ([`Keys::reach`]); otherwise empty.
    pub reaches: Vec<Reach>,
    /// End of the keys of each document. Empty if every document has one key in each table.
    pub ends: Vec<u32>,
}

/// The keys of a chunk in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredKeys {
    /// By table if every document has one key in each; otherwise by document, as in [`ChunkKeys`].
    keys: StoredColumn<u32>,
    reaches: StoredColumn<Reach>,
    ends: StoredColumn<u32>,
}

impl ChunkKeys {
    /// Appends the keys of one document. `None` is a document without features.
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

    /// Writes the keys to the store. `documents` is the number of documents.
    pub fn store(&self, store: &Store, documents: usize) -> io::Result<StoredKeys> {
        let keys = if self.ends.is_empty() { store.append(&self.transposed(documents))? } else { store.append(&self.keys)? };
        Ok(StoredKeys { keys, reaches: store.append(&self.reaches)?, ends: store.append(&self.ends)? })
    }

    /// Removes all documents but keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.reaches.clear();
        self.ends.clear();
    }

    // Keys are grouped one table at a time, so the keys of a table are stored together.
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

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the size of the columns in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<u32>() * (self.keys.len() + self.ends.len()) + size_of::<Reach>() * self.reaches.len()
    }

    /// Calls `each` with every key of `table` and its document. The documents are numbered from `first`.
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

    /// Returns how far the documents reach, in the order in which [`StoredKeys::each`] visits the keys. Only for keys that
    /// store it.
    pub fn reaches(&self, store: &Store) -> Result<Vec<Reach>> {
        Ok(store.all(self.reaches)?)
    }
}
