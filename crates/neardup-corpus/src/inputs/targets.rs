use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::sources::source::Source;

/// Checks that no two sources have the same kept output. It must be called before any work is done.
pub fn check_targets(sources: &[Source]) -> Result<()> {
    let mut taken = HashMap::with_capacity(sources.len());
    for source in sources {
        if let Some(first) = taken.insert(&source.root_relative, source) {
            return Err(Error::Target { first: first.name.clone(), second: source.name.clone(), target: source.root_relative.clone() });
        }
    }
    Ok(())
}
