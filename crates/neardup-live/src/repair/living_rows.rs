//! The living documents by serial number, while the log is replayed.

use super::damage::LostDocument;
use super::saved_document::SavedDocument;
use crate::documents::row::hash;
use std::collections::{BTreeMap, HashMap};

/// The living documents.
#[derive(Default)]
pub struct LivingRows {
    /// Documents that were read.
    pub saved: BTreeMap<u64, SavedDocument>,
    /// Documents that are lost and whose serial number is known.
    pub lost: BTreeMap<u64, LostDocument>,
    /// Serial numbers by the hash of the id, and by the hash of the URL.
    names: [HashMap<u64, u64>; 2],
}

impl LivingRows {
    /// Adds a document. Removes an earlier one with the same id or URL: two living documents never share these, so the removal of
    /// the earlier one was lost.
    pub fn add(&mut self, serial: u64, saved: SavedDocument) {
        self.take_names(serial, saved.id(), saved.url());
        self.saved.insert(serial, saved);
    }

    /// Adds a document that is lost.
    pub fn lose(&mut self, serial: u64, lost: LostDocument) {
        self.take_names(serial, lost.id.as_deref().unwrap_or_default(), lost.url.as_deref().unwrap_or_default());
        self.lost.insert(serial, lost);
    }

    /// Removes a document.
    pub fn remove(&mut self, serial: u64) {
        self.saved.remove(&serial);
        self.lost.remove(&serial);
    }

    fn take_names(&mut self, serial: u64, id: &str, url: &str) {
        for (at, name) in [id, url].into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(older) = self.names[at].insert(hash(name.as_bytes()), serial)
                && self.has(older, at, name)
            {
                self.remove(older);
            }
        }
    }

    fn has(&self, serial: u64, at: usize, name: &str) -> bool {
        let saved = self.saved.get(&serial).map(|saved| [saved.id(), saved.url()][at]);
        let lost = || self.lost.get(&serial).and_then(|lost| [lost.id.as_deref(), lost.url.as_deref()][at]);
        saved.or_else(lost) == Some(name)
    }
}
