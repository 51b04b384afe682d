//! Loading: what the files of an index contain.

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

/// The contents of the index in `dir`, and its log; segments that are open already are not opened again.
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
        // A writer may have gone over to other files meanwhile, and removed these.
        if loaded.is_ok() || Manifest::read(dir)?.generation == generation {
            return loaded;
        }
    }
}

/// Replays what the log has beyond what is known.
pub fn replay(contents: &mut Snapshot, dir: &Path, reader: &LogReader, comparer: &mut TextComparer) -> Result<()> {
    let path = dir.join(&contents.manifest.log);
    for record in reader.read(contents.position) {
        let (_, payload) = record?;
        contents.replay(IndexStep::read(&payload, &path)?, &path, comparer)?;
    }
    contents.position = reader.committed();
    Ok(())
}
