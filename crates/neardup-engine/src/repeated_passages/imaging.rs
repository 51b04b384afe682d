//! Imaging: texts with a passage are read, and it is found where the pieces that can go stand at an earlier place.

use super::by_document::ByDocument;
use super::finder::Finder;
use crate::Result;
use crate::checkpoint::stage::Stage;
use crate::job::cutting::{Cut, pieces};
use crate::progress::Unit;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::images::{Image, images};
use neardup_core::repeated_passages::passages::Passage;
use neardup_core::util::control::Control;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::store::{Growing, List};
use neardup_text::places;
use rayon::prelude::*;

/// Documents that are read together, and passages of theirs.
const BLOCK: usize = 1 << 12;
const PASSAGES: usize = 1 << 16;

/// A block in the journal: how many documents and passages it has, and its images.
type Piece = (u64, usize, List<Image>);

impl Finder<'_> {
    /// The images of all pieces that can go, in order; none where tokens are cut, since originals stay whole then.
    pub(super) fn imaged(&self, passages: &List<Passage>, cut: Cut) -> Result<List<Image>> {
        let Some(unit) = cut.unit() else { return Ok(List::default()) };
        let store = self.store();
        self.ledger.once(Stage::Imaged, store, || {
            let journal = self.ledger.journal(Stage::Imaged, "blocks of texts".to_owned(), store)?;
            self.watch.phase("image", self.signed.len() as u64, Unit::Documents, || {
                let mut sorter = Sorter::new(store, |image: &Image| *image, self.budget.room() / 2);
                let mut take = |(documents, _, found): Piece| -> Result<()> {
                    self.watch.advance(documents);
                    found.values(store).try_for_each(|image| Ok(sorter.push(image.map_err(Core::from)?)?))
                };
                let before: Vec<Piece> = journal.take()?;
                let done = before.iter().map(|(_, passages, _)| passages).sum();
                before.into_iter().try_for_each(&mut take)?;
                let mut passages = ByDocument::behind(passages, done, store, |passage| passage.document);
                loop {
                    self.watch.check()?;
                    let block = block(&mut passages)?;
                    if block.is_empty() {
                        return Ok(sorter.finish()?);
                    }
                    let of = |(document, passages): &(u32, Vec<Passage>)| {
                        let text = self.signed.read(*document)?;
                        let (_, pieces) = pieces(unit, &text, &places(self.tokens.unit, &text));
                        Ok(images(*document, &pieces, passages))
                    };
                    let found: Vec<Vec<Image>> = block.par_iter().map(of).collect::<Result<_>>()?;
                    let mut list = Growing::new(store);
                    list.extend(found.into_iter().flatten()).map_err(Core::from)?;
                    let count = block.iter().map(|(_, passages)| passages.len()).sum();
                    let piece: Piece = (block.len() as u64, count, list.finish().map_err(Core::from)?);
                    journal.add(&piece)?;
                    take(piece)?;
                }
            })
        })
    }
}

/// The next documents with a passage.
fn block(passages: &mut ByDocument<'_, Passage>) -> Result<Vec<(u32, Vec<Passage>)>> {
    let (mut block, mut count) = (Vec::new(), 0);
    while block.len() < BLOCK && count < PASSAGES {
        let Some(document) = passages.next() else { break };
        let own = passages.take(document)?;
        count += own.len();
        block.push((document, own));
    }
    Ok(block)
}
