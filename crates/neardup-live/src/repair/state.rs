//! The living documents of the segments, from the roll or from the state, whichever is undamaged.

use super::damage::Damage;
use super::opened::open;
use crate::documents::living_documents::LivingDocuments;
use crate::documents::state_file::StateHeader;
use crate::snapshot::manifest::Manifest;
use crate::storage::file_kind::FileKind;
use std::path::Path;

/// The living documents.
pub enum LivingState {
    /// The living documents by serial number.
    Serials(LivingDocuments),
    /// The living documents by position in all segments, in order.
    Places {
        /// Whether each document lives.
        alive: Vec<bool>,
        /// When the last document arrived, in Unix seconds.
        arrived: i64,
        /// Number of steps in the life of the index.
        steps: u64,
    },
    /// The living documents are unknown.
    Unknown,
}

/// Reads the living documents from the roll or the state, and records the damage of both files.
pub fn read(dir: &Path, manifest: &Manifest, damages: &mut Vec<Damage>) -> LivingState {
    let roll = manifest.roll.as_ref().and_then(|name| {
        let path = dir.join(name);
        LivingDocuments::read(&path, &manifest.identity).map_err(|error| damages.push(Damage::of_error(&path, error))).ok()
    });
    let alive = manifest.state.as_ref().and_then(|name| alive(&dir.join(name), manifest, damages));
    match (roll, alive, &manifest.state) {
        (Some(roll), _, _) => LivingState::Serials(roll),
        (None, Some((alive, header)), _) => LivingState::Places { alive, arrived: header.arrived, steps: header.steps },
        // No segment was written yet.
        (None, None, None) => LivingState::Places { alive: Vec::new(), arrived: 0, steps: 0 },
        (None, None, Some(_)) => LivingState::Unknown,
    }
}

fn alive(path: &Path, manifest: &Manifest, damages: &mut Vec<Damage>) -> Option<(Vec<bool>, StateHeader)> {
    let (sections, header) = open(path, FileKind::State, |header: &StateHeader| &header.index, &manifest.identity, damages)?;
    let alive = sections.get::<u8>("alive").ok().filter(|_| sections.is_whole("alive"))?;
    Some((alive.iter().map(|&alive| alive != 0).collect(), header))
}
