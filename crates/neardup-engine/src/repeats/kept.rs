//! Writing what is kept: every source again, with the text of documents that were cut in the place of their own.

use super::cutting::without;
use super::found::{Change, Gap};
use super::tables::Tables;
use crate::job::Job;
use crate::watch::Watch;
use crate::{Error, Result};
use neardup_core::Error as Core;
use neardup_corpus::{Source, Span, check_targets, rewrite, rewrites};
use rayon::prelude::*;
use std::path::Path;

/// Documents whose new texts are in memory together.
const BLOCK: usize = 1 << 10;

/// Refuses sources that cannot be written with other texts, before any work is done.
pub fn check(job: &Job<'_>, sources: &[Source]) -> Result<()> {
    check_targets(sources)?;
    let advice = "written with their texts cut are JSONL, CSV, TSV, Parquet and text files; leave the kept documents out: --no-kept";
    if let Some(field) = &job.fields.html {
        return Err(Error::Usage(format!("the text is taken from the HTML of \"{field}\", which cannot be cut; {advice}")));
    }
    match sources.iter().find(|source| !rewrites(source)) {
        None => Ok(()),
        Some(source) => Err(Error::Usage(format!("{}: files of this kind cannot be cut; {advice}", source.name))),
    }
}

/// Writes every source below `folder`, cut, without documents that go, are set aside or were rejected.
pub fn write(job: &Job<'_>, tables: &Tables<'_>, sources: &[Source], folder: &Path, watch: &Watch) -> Result<()> {
    let (signed, source_of) = (tables.names.signed, tables.names.source_of);
    let spans = signed.catalogue.spans()?;
    let changes: Vec<Change> = tables.found.changes.all(tables.store).map_err(Core::from)?;
    let gaps: Vec<Gap> = tables.found.gaps.all(tables.store).map_err(Core::from)?;
    // Documents of streams have no file to be written to.
    let changed = changes.iter().map(|change| change.document).filter(|&document| (source_of[document as usize] as usize) < sources.len());
    let mut edits: Vec<Vec<Edit>> = vec![Vec::new(); sources.len()];
    for document in changed {
        edits[source_of[document as usize] as usize].push(Edit { span: spans[document as usize], document: Some(document) });
    }
    for (source, edits) in sources.iter().zip(&mut edits) {
        let rejected = signed.rejects.iter().filter(|reject| reject.source == source.name && reject.len > 0);
        // Documents that are set aside are among them.
        edits.extend(rejected.map(|reject| Edit { span: Span { offset: reject.offset, len: reject.len }, document: None }));
        edits.sort_unstable();
        edits.dedup_by_key(|edit| edit.span);
        let text = |edit: &Edit| -> Result<Option<String>> {
            let Some(document) = edit.document else { return Ok(None) };
            let change = changes.binary_search_by_key(&document, |change| change.document).ok().map(|at| changes[at]);
            if change.is_none_or(|change| change.goes == 1) {
                return Ok(None);
            }
            let start = gaps.partition_point(|gap| gap.document < document);
            let own = gaps[start..].iter().take_while(|gap| gap.document == document);
            let gap = |gap: &Gap| (gap.span[0] as usize..gap.span[1] as usize, gap.feed == 1);
            Ok(Some(without(&signed.read(document)?, own.map(gap))))
        };
        let mut blocks = edits.chunks(BLOCK).map(|block| {
            let texts: Vec<Result<_>> = block.par_iter().map(|edit| Ok((edit.span, text(edit)?))).collect();
            texts.into_iter()
        });
        rewrite(source, &job.fields, &mut blocks.by_ref().flatten(), &folder.join(&source.root_relative), &watch.corpus)?;
    }
    Ok(())
}

/// A record that is written otherwise or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edit {
    span: Span,
    document: Option<u32>,
}
