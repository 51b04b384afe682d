//! Opening an index for reading only, even if it is damaged.

use crate::decide::passes::IndexPasses;
use crate::index::Index;
use crate::index::sharded::ShardSet;
use crate::repair::Repair;
use crate::snapshot::folder::is_split;
use crate::snapshot::manifest::Settings;
use crate::{Error, Result};
use std::path::Path;

/// Opens the index in `dir` for reading only. If it is damaged, rebuilds its undamaged documents in memory only. That takes as much
/// time and memory as adding them.
pub fn open_read_only(dir: &Path, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Vec<Index>> {
    let opened = match is_split(dir) {
        Ok(true) => ShardSet::open(dir, &passes).map(ShardSet::into_shards),
        _ => Index::open(dir, &passes).map(|index| vec![index]),
    };
    match opened {
        Ok(shards) => Ok(shards.into_iter().map(Index::reading_only).collect()),
        Err(Error::Damaged { .. } | Error::File { .. }) => {
            let repair = Repair::look(dir, passes)?;
            Ok(repair.contents()?.into_iter().map(|contents| Index::of_contents(dir, contents)).collect())
        }
        Err(error) => Err(error),
    }
}
