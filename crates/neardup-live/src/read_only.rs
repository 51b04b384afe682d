//! Opening an index to be read only, damaged or not.

use crate::decide::passes::IndexPasses;
use crate::index::Index;
use crate::index::sharded::ShardSet;
use crate::repair::Repair;
use crate::snapshot::folder::is_split;
use crate::snapshot::manifest::Settings;
use crate::{Error, Result};
use std::path::Path;

/// Opens the index in `dir` to be read only; of a damaged one what is undamaged, in memory alone, which takes the time and the
/// memory of adding it.
pub fn open_read_only(dir: &Path, unicode: &str, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Vec<Index>> {
    let opened = match is_split(dir) {
        Ok(true) => ShardSet::open(dir, &passes).map(ShardSet::into_shards),
        _ => Index::open(dir, &passes).map(|index| vec![index]),
    };
    match opened {
        Ok(shards) => Ok(shards.into_iter().map(Index::reading_only).collect()),
        Err(Error::Damaged { .. } | Error::File { .. }) => {
            let repair = Repair::look(dir, unicode, passes)?;
            Ok(repair.contents()?.into_iter().map(|contents| Index::of_contents(dir, contents)).collect())
        }
        Err(error) => Err(error),
    }
}
