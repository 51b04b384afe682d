//! Identities: the index that a file belongs to, so that a file of another index is never used by mistake.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The identity of an index, stored in all of its files: 128 random bits, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity(String);

impl Identity {
    /// Draws a new random identity.
    pub fn draw(dir: &Path) -> Result<Identity> {
        let half = || getrandom::u64().map_err(Error::file(dir, "draw random numbers for"));
        Ok(Identity(format!("{:016x}{:016x}", half()?, half()?)))
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Refuses a file whose identity `found` is that of another index.
    pub fn check(&self, found: &Identity, file: &Path) -> Result<()> {
        if self == found { Ok(()) } else { Err(Error::damaged(file, "it belongs to another index")) }
    }
}
