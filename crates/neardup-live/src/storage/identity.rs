//! Identities: which index a file belongs to, so that a file of another index is never taken for one of this.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What is in every file of one index and in no other index: 128 random bits, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity(String);

impl Identity {
    /// One that no index has.
    pub fn draw(dir: &Path) -> Result<Identity> {
        let half = || getrandom::u64().map_err(Error::file(dir, "draw random numbers for"));
        Ok(Identity(format!("{:016x}{:016x}", half()?, half()?)))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Refuses a file of another index.
    pub fn check(&self, found: &Identity, file: &Path) -> Result<()> {
        if self == found { Ok(()) } else { Err(Error::damaged(file, "it belongs to another index")) }
    }
}
