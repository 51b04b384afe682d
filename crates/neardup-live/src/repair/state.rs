//! Which documents of the segments live, from whichever of two files is as it was written.

use super::damage::Damage;
use super::opened::open;
use crate::documents::roll::Roll;
use crate::documents::state_file::Header;
use crate::snapshot::manifest::Manifest;
use crate::storage::file_kind::Kind;
use std::path::Path;

/// Which documents live.
pub enum Living {
    /// By serial numbers.
    Serials(Roll),
    /// By places in all segments, in order.
    Places {
        /// Whether each lives.
        alive: Vec<bool>,
        /// When the last one arrived, in Unix seconds.
        arrived: i64,
        /// How many steps were taken.
        steps: u64,
    },
    /// Unknown.
    Unknown,
}

/// Reads what the folder says of it, and notes what is wrong with both files.
pub fn read(dir: &Path, manifest: &Manifest, damages: &mut Vec<Damage>) -> Living {
    let roll = manifest.roll.as_ref().and_then(|name| {
        let path = dir.join(name);
        Roll::read(&path, &manifest.identity).map_err(|error| damages.push(Damage::told(&path, error))).ok()
    });
    let alive = manifest.state.as_ref().and_then(|name| alive(&dir.join(name), manifest, damages));
    match (roll, alive, &manifest.state) {
        (Some(roll), _, _) => Living::Serials(roll),
        (None, Some((alive, header)), _) => Living::Places { alive, arrived: header.arrived, steps: header.steps },
        // There is no segment yet.
        (None, None, None) => Living::Places { alive: Vec::new(), arrived: 0, steps: 0 },
        (None, None, Some(_)) => Living::Unknown,
    }
}

fn alive(path: &Path, manifest: &Manifest, damages: &mut Vec<Damage>) -> Option<(Vec<bool>, Header)> {
    let (sections, header) = open(path, Kind::State, |header: &Header| &header.index, &manifest.identity, damages)?;
    let alive = sections.get::<u8>("alive").ok().filter(|_| sections.is_whole("alive"))?;
    Some((alive.iter().map(|&alive| alive != 0).collect(), header))
}
