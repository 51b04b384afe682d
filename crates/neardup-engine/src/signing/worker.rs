//! A bench: one thread's signer or counter, and the segment it fills.

use crate::Result;
use crate::resources::budget::Budget;
use neardup_core::pass::compiled::Pass;
use neardup_core::repeated_passages::anchors::Anchors;
use neardup_core::signing::counting::{Counter, Counting, Tally};
use neardup_core::signing::segment::{Draft, Segment};
use neardup_core::signing::signer::Signer;
use neardup_core::util::store::Store;
use neardup_text::{Text, Tokeniser};

/// What is done with texts while they are read.
pub enum Task<'a> {
    /// They are signed.
    Sign(&'a Pass),
    /// It is noted what they are, by their digests.
    Note,
    /// Their digests are taken: what is counted is a sample of them.
    Digest,
    /// The anchors of their N-grams are chosen, of tokens of a unit and seed.
    Anchor(Tokens, usize),
    /// Their terms are counted, as far as the memory goes.
    Count(&'a Counting, &'a Tally, Budget),
}

impl Task<'_> {
    /// What texts are cut into, or would be.
    pub fn unit(&self) -> neardup_text::Unit {
        match self {
            Task::Sign(pass) => pass.unit,
            Task::Anchor(tokens, _) => tokens.unit,
            Task::Count(counting, ..) => counting.unit,
            Task::Note | Task::Digest => neardup_text::Unit::Words,
        }
    }
}

/// What texts are cut into.
#[derive(Clone, Copy, Debug)]
pub struct Tokens {
    /// The unit.
    pub unit: neardup_text::Unit,
    /// The seed of their hashes.
    pub seed: u64,
}

/// A signer or counter, and what it has made of a chunk so far.
pub struct Bench<'a> {
    tool: Tool<'a>,
    segment: Draft,
}

enum Tool<'a> {
    Signer(Box<Signer>),
    Note,
    Anchors(Box<(Tokeniser, Anchors)>),
    Counter(Box<Counter>, &'a Tally, Budget),
    Digest,
}

impl<'a> Bench<'a> {
    /// A bench for what is to be done.
    pub fn new(doing: &Task<'a>) -> Self {
        let tool = match *doing {
            Task::Sign(pass) => Tool::Signer(Box::new(Signer::new(pass))),
            Task::Note => Tool::Note,
            Task::Digest => Tool::Digest,
            Task::Anchor(tokens, n) => Tool::Anchors(Box::new((Tokeniser::new(tokens.unit, tokens.seed), Anchors::new(n)))),
            Task::Count(counting, tally, budget) => Tool::Counter(Box::new(Counter::new(counting)), tally, budget),
        };
        Bench { tool, segment: Draft::default() }
    }

    /// Takes the text of the next document.
    pub fn take(&mut self, text: Text<'_>) {
        match &mut self.tool {
            Tool::Signer(signer) => signer.sign(text, &mut self.segment),
            Tool::Note => {
                self.segment.tokens.push(0);
                self.segment.raw.push(text.digest());
            }
            Tool::Anchors(tools) => {
                let tokens = tools.0.tokens(text);
                self.segment.tokens.push(tokens.len() as u32);
                tools.1.choose(tokens, &mut self.segment.parts);
                self.segment.part_ends.push(self.segment.parts.len() as u32);
            }
            Tool::Counter(counter, tally, _) => counter.count(text, tally),
            // However the text is written.
            Tool::Digest => self.segment.raw.push(text.decoded_digest()),
        }
    }

    /// Passes the next document over: it is signed as a blank text, which matches nothing, and counts for nothing.
    pub fn pass_over(&mut self) {
        match &mut self.tool {
            Tool::Signer(_) | Tool::Anchors(_) => self.take(Text::Plain(b"")),
            Tool::Counter(..) | Tool::Note => {}
            Tool::Digest => self.segment.raw.push(0),
        }
    }

    /// Ends the chunk, and writes what is left of it to the store: an empty segment when it was only counted.
    pub fn finish(&mut self, store: &Store) -> Result<Segment> {
        if let Tool::Counter(counter, tally, budget) = &mut self.tool {
            counter.flush(tally);
            let terms = tally.terms();
            budget.without(terms * Tally::BYTES, || format!("the {terms} distinct terms that were counted so far"))?;
        }
        let segment = self.segment.seal(store).map_err(neardup_core::Error::from)?;
        self.segment.clear();
        Ok(segment)
    }
}
