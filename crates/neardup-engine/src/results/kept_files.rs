//! Writing the kept files: every source is copied without the records that go.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use crate::findings::decisions::DroppedDocuments;
use crate::progress::Watch;
use neardup_core::util::ids::DocId;
use neardup_corpus::{Source, SourceSpan, keep};
use std::path::Path;

/// Writes every source below `folder` without the records that were dropped, set aside or rejected.
pub fn keep_sources(
    signed: &SignedCorpus,
    verdicts: &DroppedDocuments,
    source_of: &[u32],
    sources: &[Source],
    folder: &Path,
    threads: usize,
    watch: &Watch,
) -> Result<()> {
    let mut leaving: Vec<Vec<SourceSpan>> = vec![Vec::new(); sources.len()];
    let leaves = |document: DocId| verdicts.get(document).is_some() || signed.is_set_aside(document);
    signed.catalogue.each_span(|document, span| {
        // Documents of streams have no file to be written to.
        if !signed.is_reference(document)
            && let Some(leaving) = leaving.get_mut(source_of[document.index()] as usize)
            && leaves(document)
        {
            leaving.push(span);
        }
    })?;
    for (source, leaving) in sources.iter().zip(&mut leaving) {
        // A file of the reference may be shown by the same name, so only rejects of the input count.
        let rejects = &signed.rejects[..signed.reference_rejects];
        let rejected = rejects.iter().filter(|reject| reject.source == source.name && reject.len > 0);
        leaving.extend(rejected.map(|reject| SourceSpan { offset: reject.offset, len: reject.len }));
        leaving.sort_unstable();
        leaving.dedup();
        keep(source, leaving, &folder.join(&source.root_relative), threads, &watch.corpus)?;
    }
    Ok(())
}
