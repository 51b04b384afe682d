//! Finding: from the anchors of all texts to the passages.

use crate::Result;
use crate::bench::Tokens;
use crate::budget::Budget;
use crate::signed::Signed;
use crate::watch::{Unit, Watch};
use neardup_core::Error as Core;
use neardup_core::control::Control;
use neardup_core::repeats::anchors::Anchors;
use neardup_core::repeats::dealt::{Dealer, Dealt};
use neardup_core::repeats::first::{self, Gram, place};
use neardup_core::repeats::grams::Grams;
use neardup_core::repeats::passages::{self, Passage};
use neardup_core::repeats::shared::{self, PARTS, is_shared, part};
use neardup_core::segment::Segment;
use neardup_core::store::{Column, Store};
use neardup_text::Tokeniser;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Bytes a repeated place takes while its block is sorted.
const BYTES_PER_PLACE: usize = 32;
/// Bytes a passage takes: itself and its span, its original and that one's, the order of both, and what is cut of it.
const BYTES_PER_PASSAGE: usize = 144;
/// Blocks of documents that each thread has to sort, at least.
const BLOCKS_PER_THREAD: usize = 4;
/// N-grams that are dealt out together.
const GATHERED: usize = 1 << 16;

/// What was looked at, in numbers that depend on the documents alone.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Anchors that were chosen.
    pub anchors: u64,
    /// Those that share their fingerprint with another.
    pub shared: u64,
    /// N-grams that were fingerprinted, for theirs is among those.
    pub fingerprinted: u64,
}

/// The shared anchors.
#[derive(Serialize, Deserialize)]
pub struct Shared {
    bits: Column<u64>,
    /// How many there are.
    effort: Effort,
}

/// The documents, and how they are searched.
pub struct Finder<'a> {
    /// Signed by their anchors.
    pub signed: &'a Signed,
    /// Their tokens.
    pub tokens: Tokens,
    /// Tokens of an N-gram.
    pub n: usize,
    /// The memory.
    pub budget: Budget,
    /// Who watches.
    pub watch: &'a Watch,
}

impl Finder<'_> {
    fn store(&self) -> &Store {
        self.signed.catalogue.store()
    }

    /// Every segment with its first document and the number of its first anchor.
    fn segments(&self) -> (Vec<(u32, &Segment, u64)>, usize) {
        let mut anchors = 0;
        let numbered = self.signed.segments[0].iter().map(|(first, segment)| {
            let before = anchors;
            anchors += segment.parts.len() as u64;
            (first, segment, before)
        });
        (numbered.collect(), anchors as usize)
    }

    /// Which anchors are shared.
    pub fn shared(&self) -> Result<Shared> {
        let (segments, anchors) = self.segments();
        let room = self.budget.without(anchors.div_ceil(8), || format!("the bits of {anchors} anchors"))?;
        self.watch.phase("arrange", self.signed.len() as u64, Unit::Documents, || {
            let pieces: Vec<Dealt<_>> = segments
                .par_iter()
                .map_init(Dealer::default, |dealer, &(_, segment, before)| {
                    self.watch.check()?;
                    let chosen = self.store().all(segment.parts).map_err(Core::from)?;
                    let entries: Vec<[u64; 2]> = chosen.into_iter().zip(before..).map(Into::into).collect();
                    self.watch.advance(segment.len() as u64);
                    Ok(dealer.deal(self.store(), &entries, PARTS, |entry| part(entry[0])).map_err(Core::from)?)
                })
                .collect::<Result<_>>()?;
            let bits = shared::shared(self.store(), &join(pieces), anchors, room, self.watch)?;
            let shared = bits.iter().map(|word| u64::from(word.count_ones())).sum();
            Ok(Shared {
                bits: self.store().append(&bits).map_err(Core::from)?,
                effort: Effort { anchors: anchors as u64, shared, ..Effort::default() },
            })
        })
    }

    /// The passages at all later places, in order, and what was looked at for them.
    pub fn passages(&self, shared: &Shared) -> Result<(Vec<Passage>, Effort)> {
        let bits = self.store().all(shared.bits).map_err(Core::from)?;
        let room = self.budget.without(bits.len() * 8, || format!("the bits of {} anchors", shared.effort.anchors))?;
        let chunks = self.watch.phase("fingerprint", self.signed.len() as u64, Unit::Documents, || self.grams(&bits))?;
        drop(bits);
        let spread = Spread::new(&self.segments().0, &chunks);
        let grams = join(chunks);
        self.watch.phase("connect", grams.len() as u64, Unit::Documents, || {
            let threads = rayon::current_num_threads();
            let wanted = grams.len().saturating_mul(BYTES_PER_PLACE * threads).div_ceil(room.max(1));
            let blocks = wanted.max(threads * BLOCKS_PER_THREAD).min(self.signed.len().max(1));
            let block = |document: u32| spread.block(document, blocks);
            let later = first::later(self.store(), &grams, (blocks, &block), room, self.watch)?;
            let found: Vec<_> = (0..blocks).into_par_iter().map(|block| passages::passages(self.store(), &later, block, self.n)).collect();
            let mut passages = Vec::new();
            for block in found {
                passages.append(&mut block?);
            }
            let count = passages.len();
            self.budget.without(count * BYTES_PER_PASSAGE, || format!("the {count} repeated passages, which stay in memory"))?;
            Ok((passages, Effort { fingerprinted: grams.len() as u64, ..shared.effort }))
        })
    }

    /// The N-grams of all places whose anchor is shared, chunk by chunk.
    fn grams(&self, bits: &[u64]) -> Result<Vec<Dealt<Gram>>> {
        let segments = self.segments().0;
        let shelves = self.signed.catalogue.shelves();
        let fresh = || Reader {
            finder: self,
            bits,
            tokeniser: Tokeniser::new(self.tokens.unit, self.tokens.seed),
            anchors: Anchors::new(self.n),
            grams: Grams::new(self.n),
            dealer: Dealer::default(),
            entries: Vec::new(),
            buffer: Vec::new(),
        };
        let chunks = shelves.par_iter().zip(&segments);
        chunks
            .map_init(fresh, |reader, (shelf, &(first, segment, before))| {
                self.watch.check()?;
                let grams = reader.chunk(shelf, first, segment, before);
                self.watch.advance(segment.len() as u64);
                grams
            })
            .collect()
    }
}

fn join<T: bytemuck::Pod>(pieces: Vec<Dealt<T>>) -> Dealt<T> {
    let mut all = Dealt::default();
    pieces.into_iter().for_each(|piece| all.append(piece));
    all
}

/// How N-grams are spread over the documents, chunk by chunk: repeated ones mostly stand in few.
struct Spread {
    /// The first document of every chunk, and the N-grams before it.
    chunks: Vec<(u32, u64)>,
    total: u64,
}

impl Spread {
    fn new(segments: &[(u32, &Segment, u64)], chunks: &[Dealt<Gram>]) -> Self {
        let mut total = 0;
        let before = segments.iter().zip(chunks).map(|(segment, grams)| {
            let before = total;
            total += grams.len() as u64;
            (segment.0, before)
        });
        Spread { chunks: before.collect(), total }
    }

    /// The block of a document, of `blocks` that have about as many N-grams; no chunk is parted.
    fn block(&self, document: u32, blocks: usize) -> usize {
        let before = self.chunks[self.chunks.partition_point(|chunk| chunk.0 <= document) - 1].1;
        (u128::from(before) * blocks as u128 / u128::from(self.total.max(1))) as usize
    }
}

/// One thread's tools.
struct Reader<'a> {
    finder: &'a Finder<'a>,
    bits: &'a [u64],
    tokeniser: Tokeniser,
    anchors: Anchors,
    grams: Grams,
    dealer: Dealer<Gram>,
    entries: Vec<Gram>,
    buffer: Vec<u8>,
}

impl Reader<'_> {
    /// Reads the texts of a chunk again that have a shared anchor.
    fn chunk(&mut self, shelf: &crate::catalogue::Shelf, first: u32, segment: &Segment, before: u64) -> Result<Dealt<Gram>> {
        let (store, signed) = (self.finder.store(), self.finder.signed);
        let (reading, places) = shelf.places(store)?;
        let ends = store.all(segment.part_ends).map_err(Core::from)?;
        let (mut dealt, mut start) = (Dealt::default(), before);
        for ((document, place_of_text), end) in (first..).zip(places).zip(ends) {
            let range = std::mem::replace(&mut start, before + u64::from(end))..before + u64::from(end);
            if signed.is_set_aside(document) || !range.clone().any(|number| is_shared(self.bits, number)) {
                continue;
            }
            let tokens = self.tokeniser.tokens(signed.readings[reading as usize].fetch(place_of_text, &mut self.buffer)?);
            let gram = self.grams.of(tokens);
            let (bits, entries) = (self.bits, &mut self.entries);
            self.anchors.each(tokens, |begin, number, _| {
                if is_shared(bits, range.start + number as u64) {
                    let [first, second] = gram(begin);
                    entries.push([first, second, place(document, begin as u32)]);
                }
            });
            drop(gram);
            if self.entries.len() >= GATHERED {
                dealt.append(self.deal(store)?);
            }
        }
        dealt.append(self.deal(store)?);
        Ok(dealt)
    }

    fn deal(&mut self, store: &Store) -> Result<Dealt<Gram>> {
        let dealt = self.dealer.deal(store, &self.entries, PARTS, |gram| part(gram[0])).map_err(Core::from)?;
        self.entries.clear();
        Ok(dealt)
    }
}
