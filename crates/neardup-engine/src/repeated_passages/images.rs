//! Imaging: reads the texts with a passage, and finds the earlier places of the pieces that can be cut.

use super::by_document::ByDocument;
use super::connection::Connected;
use super::finder::Finder;
use super::found::token_digest;
use crate::Result;
use crate::checkpoint::stage::LedgerStage;
use crate::job::passage_cuts::{PassageUnit, pieces};
use crate::progress::ProgressUnit;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::composed::{Composed, candidates, composed, composed_order, copies};
use neardup_core::repeated_passages::images::{TokenRun, images};
use neardup_core::repeated_passages::originals::Original;
use neardup_core::repeated_passages::passages::LaterPassage;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, ListBuilder};
use neardup_text::{Text, Tokeniser, Unit as TextUnit, places};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Number of documents in a block that is read together, and number of passages at which a block ends.
const BLOCK: usize = 1 << 12;
const PASSAGES: usize = 1 << 16;

/// Earlier places of the pieces that can be cut, in the store.
#[derive(Default, Serialize, Deserialize)]
pub struct PassageImages {
    /// Earlier places, which stay, in order.
    pub images: List<TokenRun>,
    /// Pieces that are in no single passage and are copies of an earlier piece, in order.
    pub copies: List<TokenRun>,
}

/// A block in the journal: the number of its documents, the number of its passages, its images, and the pieces that may be
/// copies.
type ImagedBlock = (u64, usize, List<TokenRun>, List<Composed>);

/// A document with passages, and its originals.
type RepeatingText = (DocId, Vec<LaterPassage>, Vec<Original>);

impl Finder<'_> {
    /// Returns the images of all pieces that can be cut; none if tokens are cut, because originals then stay whole.
    pub(super) fn imaged(&self, connected: &Connected, cut: PassageUnit) -> Result<PassageImages> {
        let Some(unit) = cut.unit() else { return Ok(PassageImages::default()) };
        let (store, room) = (self.store(), self.budget.room() / 3);
        self.ledger.once(LedgerStage::Imaged, store, || {
            let journal = self.ledger.journal(LedgerStage::Imaged, "blocks of texts, with composed pieces".to_owned(), store)?;
            self.watch.phase("image", self.signed.len() as u64, ProgressUnit::Documents, || {
                let mut images = Sorter::new(store, |image: &TokenRun| *image, room);
                let order = |piece: &Composed| composed_order(piece, self.reference);
                let mut composed = Sorter::new(store, order, room);
                let mut take = |(documents, _, found, pieces): ImagedBlock| -> Result<()> {
                    self.watch.advance(documents);
                    found.values(store).try_for_each(|image| images.push(image?))?;
                    Ok(pieces.values(store).try_for_each(|piece| composed.push(piece?))?)
                };
                let before: Vec<ImagedBlock> = journal.take()?;
                let done = before.iter().map(|(_, passages, ..)| passages).sum();
                before.into_iter().try_for_each(&mut take)?;
                let mut all = connected.passages.clone();
                all.extend(connected.in_reference.clone());
                let mut passages = ByDocument::behind(&all, done, store, |passage| passage.document);
                let mut originals = ByDocument::new(&connected.originals.all, store, |original| original.document);
                loop {
                    self.watch.check()?;
                    let block = block(&mut passages, &mut originals)?;
                    if block.is_empty() {
                        break;
                    }
                    let piece = self.image_all(&block, unit)?;
                    journal.add(&piece)?;
                    take(piece)?;
                }
                let copies = copies(&composed.finish()?, self.reference, store, room, |image| images.push(image))?;
                Ok(PassageImages { images: images.finish()?, copies })
            })
        })
    }

    fn image_all(&self, block: &[RepeatingText], unit: TextUnit) -> Result<ImagedBlock> {
        let (tokens, store) = (self.tokens, self.store());
        let image = |tokeniser: &mut Tokeniser, (document, passages, originals): &RepeatingText| {
            let text = self.signed.read(*document)?;
            let (_, pieces) = pieces(unit, &text, &places(tokens.rules, &text));
            let candidates = candidates(self.n, &pieces, passages, originals);
            let hashes = if candidates.is_empty() { &[] } else { tokeniser.tokens(Text::Plain(text.as_bytes())) };
            let whole = |&number: &usize| composed(token_digest(&hashes[pieces[number].clone()]), *document, &pieces[number]);
            Ok((images(*document, &pieces, passages, self.reference), candidates.iter().map(whole).collect()))
        };
        let fresh = || Tokeniser::new(tokens.rules, tokens.seed);
        let found: Vec<(Vec<TokenRun>, Vec<Composed>)> = block.par_iter().map_init(fresh, image).collect::<Result<_>>()?;
        let (mut images, mut composed) = (ListBuilder::new(store), ListBuilder::new(store));
        for (found, pieces) in found {
            images.extend(found).map_err(Core::from)?;
            composed.extend(pieces).map_err(Core::from)?;
        }
        let count = block.iter().map(|(_, passages, _)| passages.len()).sum();
        Ok((block.len() as u64, count, images.finish().map_err(Core::from)?, composed.finish().map_err(Core::from)?))
    }
}

/// Returns the next block of documents with a passage.
fn block(passages: &mut ByDocument<'_, LaterPassage>, originals: &mut ByDocument<'_, Original>) -> Result<Vec<RepeatingText>> {
    let (mut block, mut count) = (Vec::new(), 0);
    while block.len() < BLOCK && count < PASSAGES {
        let Some(document) = passages.next() else { break };
        let (own, originals) = (passages.take(document)?, originals.skip_to(document)?);
        count += own.len() + originals.len();
        block.push((document, own, originals));
    }
    Ok(block)
}
