//! Writing the kept documents: every source is copied, and cut documents get their new text.

use super::by_document::ByDocument;
use super::found::DocumentGap;
use super::tables::RepeatTables;
use crate::job::Job;
use crate::job::passage_cuts::without;
use crate::progress::Watch;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use neardup_corpus::{Source, SourceSpan, check_targets, replaces_text, rewrite, rewrites, rewritten};
use rayon::prelude::*;
use std::path::Path;

/// Number of records whose new texts are in memory together, and number of bytes of text at which a block ends.
const BLOCK: usize = 1 << 10;
const BYTES: usize = 4 << 20;

/// Refuses sources that cannot be written with other texts, before any work is done.
pub fn check(job: &Job<'_>, sources: &[Source]) -> Result<()> {
    check_targets(sources)?;
    let advice = format!("written with their texts cut are {}; leave the kept documents out: --no-kept", rewritten());
    if let Some(field) = &job.fields.html {
        return Err(Error::Usage(format!("the text is taken from the HTML of \"{field}\", which cannot be cut; {advice}")));
    }
    if let Some(source) = sources.iter().find(|source| !rewrites(source)) {
        return Err(Error::Usage(format!("{}: files of this kind cannot be cut; {advice}", source.name)));
    }
    for source in sources {
        if !replaces_text(source, &job.fields)? {
            let field = &job.fields.text;
            return Err(Error::Usage(format!(
                "{}: the text \"{field}\" is nested or joined, so that it cannot be cut there; name one field, or leave the kept documents out: --no-kept",
                source.name
            )));
        }
    }
    Ok(())
}

/// A record that changes: the gaps of its document, or `None` if the record is left out.
struct DocumentEdit {
    span: SourceSpan,
    cut: Option<(DocId, Vec<DocumentGap>)>,
}

/// Writes every source below `folder` with cut texts, without the documents that are dropped or set aside and without rejected
/// records.
pub fn write(job: &Job<'_>, tables: &RepeatTables<'_>, sources: &[Source], folder: &Path, watch: &Watch) -> Result<()> {
    let (signed, source_of) = (tables.names.signed, tables.names.source_of);
    let mut changes = ByDocument::new(&tables.found.changes, tables.store, |change| change.document);
    let mut gaps = ByDocument::new(&tables.found.gaps, tables.store, |gap| gap.document);
    // Documents of streams come after the others, and have no file to be written to.
    for (number, source) in (0..).zip(sources) {
        // These include the documents that are set aside.
        let mut gone: Vec<SourceSpan> = signed.rejected_spans(source).collect();
        gone.sort_unstable();
        gone.dedup();
        let last = gone.last().copied();
        let mut gone = gone.into_iter().peekable();
        let mut block = || -> Result<Vec<DocumentEdit>> {
            let (mut block, mut bytes) = (Vec::new(), 0);
            while block.len() < BLOCK && bytes < BYTES {
                let changed = changes.next().filter(|&document| source_of[document.index()] == number);
                let span = changed.map(|document| signed.catalogue.span(document)).transpose()?;
                if let Some(span) = gone.next_if(|gone| span.is_none_or(|span| *gone < span)) {
                    block.push(DocumentEdit { span, cut: None });
                } else if let (Some(document), Some(span)) = (changed, span) {
                    let (change, gaps) = (changes.take(document)?, gaps.take(document)?);
                    bytes += signed.catalogue.place(document)?.1.len();
                    block.push(DocumentEdit { span, cut: change.iter().any(|change| change.goes == 0).then_some((document, gaps)) });
                } else {
                    break;
                }
            }
            Ok(block)
        };
        let text = |edit: &DocumentEdit| -> Result<Option<String>> {
            let Some((document, gaps)) = &edit.cut else { return Ok(None) };
            let gap = |gap: &DocumentGap| (gap.span[0] as usize..gap.span[1] as usize, gap.feed == 1);
            Ok(Some(without(&signed.read(*document)?, gaps.iter().map(gap))))
        };
        let mut edits = std::iter::from_fn(|| match block() {
            Ok(block) if block.is_empty() => None,
            Ok(block) => Some(block.par_iter().map(|edit| Ok((edit.span, text(edit)?))).collect::<Vec<_>>()),
            Err(error) => Some(vec![Err(error)]),
        });
        rewrite(source, &job.fields, &mut edits.by_ref().flatten(), last, &folder.join(&source.root_relative), &watch.corpus)?;
    }
    Ok(())
}
