//! Loading an index from its files.

use crate::Result;
use crate::decide::comparer::TextComparer;
use crate::decide::passes::IndexPasses;
use crate::documents::segment::Segment;
use crate::shards::peers::Shards;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::manifest::{COPY, Manifest};
use crate::snapshot::step::IndexStep;
use crate::storage::log::LogReader;
use std::path::Path;
use std::sync::Arc;

/// Loads the index in `dir` without replaying its log, and opens the log. Segments in `open` are not opened again.
pub fn load(dir: &Path, passes: &IndexPasses, shards: &Arc<Shards>, open: &[Arc<Segment>]) -> Result<(Snapshot, LogReader)> {
    loop {
        let manifest = Manifest::read(dir)?;
        let (generation, identity) = (manifest.generation, manifest.identity.clone());
        let log = dir.join(&manifest.log);
        let loaded = LogReader::open(&log).and_then(|reader| {
            manifest.identity.check(&reader.header()?, &log)?;
            if let Some(copy) = Manifest::read_copy(dir)? {
                identity.check(&copy.identity, &dir.join(COPY))?;
            }
            Ok((Snapshot::load(dir, manifest, passes.clone(), shards, open)?, reader))
        });
        // Meanwhile, a writer may have replaced the files by others and removed them.
        if loaded.is_ok() || Manifest::read(dir)?.generation == generation {
            return loaded;
        }
    }
}

/// Replays the records of the log that `contents` does not include yet.
pub fn replay(contents: &mut Snapshot, dir: &Path, reader: &LogReader, comparer: &mut TextComparer) -> Result<()> {
    let path = dir.join(&contents.manifest.log);
    for record in reader.read(contents.position) {
        let (_, payload) = record?;
        contents.replay(IndexStep::read(&payload, &path)?, &path, comparer)?;
    }
    contents.position = reader.committed();
    Ok(())
}
