//! Writing what is kept: every source again, without the records that go.

use crate::Result;
use crate::signed::Signed;
use crate::verdicts::Verdicts;
use crate::watch::Watch;
use neardup_corpus::{Source, Span, keep};
use std::path::Path;

/// Writes every source below `folder` without the records that were dropped, set aside or rejected.
pub fn keep_sources(
    signed: &Signed,
    verdicts: &Verdicts,
    source_of: &[u32],
    sources: &[Source],
    folder: &Path,
    threads: usize,
    watch: &Watch,
) -> Result<()> {
    let spans = signed.catalogue.spans()?;
    let mut leaving: Vec<Vec<Span>> = vec![Vec::new(); sources.len()];
    // Documents of streams have no file to be written to.
    for document in (0..signed.reference).filter(|&document| (source_of[document as usize] as usize) < sources.len()) {
        if verdicts.get(document).is_some() || signed.is_set_aside(document) {
            leaving[source_of[document as usize] as usize].push(spans[document as usize]);
        }
    }
    for (source, leaving) in sources.iter().zip(&mut leaving) {
        // A file of the reference may be shown by the same name.
        let rejects = &signed.rejects[..signed.reference_rejects];
        let rejected = rejects.iter().filter(|reject| reject.source == source.name && reject.len > 0);
        leaving.extend(rejected.map(|reject| Span { offset: reject.offset, len: reject.len }));
        leaving.sort_unstable();
        leaving.dedup();
        keep(source, leaving, &folder.join(&source.root_relative), threads, &watch.corpus)?;
    }
    Ok(())
}
