//! A task worker: one thread's signer or counter, and the chunk it fills.

use crate::Result;
use crate::resources::budget::Budget;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::repeated_passages::anchors::Anchors;
use neardup_core::signing::counting::{CountTotals, Counter, Counting};
use neardup_core::signing::segment::{ChunkBuilder, StoredChunk};
use neardup_core::signing::signer::Signer;
use neardup_core::util::store::Store;
use neardup_text::{Text, Tokeniser};

/// What is done with texts while they are read.
pub enum TextTask<'a> {
    /// They are signed.
    Sign(&'a CompiledPass),
    /// It is noted what they are, by their digests.
    Note,
    /// Their digests are taken: what is counted is a sample of them.
    Digest,
    /// The anchors of their N-grams are chosen, of tokens of a unit and seed.
    Anchor(TokenForm, usize),
    /// Their terms are counted, as far as the memory goes.
    Count(&'a Counting, &'a CountTotals, Budget),
}

impl TextTask<'_> {
    /// What texts are cut into, or would be.
    pub fn unit(&self) -> neardup_text::Unit {
        match self {
            TextTask::Sign(pass) => pass.unit,
            TextTask::Anchor(tokens, _) => tokens.unit,
            TextTask::Count(counting, ..) => counting.unit,
            TextTask::Note | TextTask::Digest => neardup_text::Unit::Words,
        }
    }
}

/// What texts are cut into.
#[derive(Clone, Copy, Debug)]
pub struct TokenForm {
    /// The unit.
    pub unit: neardup_text::Unit,
    /// The seed of their hashes.
    pub seed: u64,
}

/// A signer or counter, and what it has made of a chunk so far.
pub struct TaskWorker<'a> {
    tool: WorkerTool<'a>,
    segment: ChunkBuilder,
}

enum WorkerTool<'a> {
    Signer(Box<Signer>),
    Note,
    Anchors(Box<(Tokeniser, Anchors)>),
    Counter(Box<Counter>, &'a CountTotals, Budget),
    Digest,
}

impl<'a> TaskWorker<'a> {
    /// A worker for a task.
    pub fn new(doing: &TextTask<'a>) -> Self {
        let tool = match *doing {
            TextTask::Sign(pass) => WorkerTool::Signer(Box::new(Signer::new(pass))),
            TextTask::Note => WorkerTool::Note,
            TextTask::Digest => WorkerTool::Digest,
            TextTask::Anchor(tokens, n) => WorkerTool::Anchors(Box::new((Tokeniser::new(tokens.unit, tokens.seed), Anchors::new(n)))),
            TextTask::Count(counting, tally, budget) => WorkerTool::Counter(Box::new(Counter::new(counting)), tally, budget),
        };
        TaskWorker { tool, segment: ChunkBuilder::default() }
    }

    /// Takes the text of the next document.
    pub fn take(&mut self, text: Text<'_>) {
        match &mut self.tool {
            WorkerTool::Signer(signer) => signer.sign(text, &mut self.segment),
            WorkerTool::Note => {
                self.segment.tokens.push(0);
                self.segment.raw.push(text.digest());
            }
            WorkerTool::Anchors(tools) => {
                let tokens = tools.0.tokens(text);
                self.segment.tokens.push(tokens.len() as u32);
                tools.1.choose(tokens, &mut self.segment.parts);
                self.segment.part_ends.push(self.segment.parts.len() as u32);
            }
            WorkerTool::Counter(counter, tally, _) => counter.count(text, tally),
            // However the text is written.
            WorkerTool::Digest => self.segment.raw.push(text.decoded_digest()),
        }
    }

    /// Passes the next document over: it is signed as a blank text, which matches nothing, and counts for nothing.
    pub fn pass_over(&mut self) {
        match &mut self.tool {
            WorkerTool::Signer(_) | WorkerTool::Anchors(_) => self.take(Text::Plain(b"")),
            WorkerTool::Counter(..) | WorkerTool::Note => {}
            WorkerTool::Digest => self.segment.raw.push(0),
        }
    }

    /// Ends the chunk, and writes what is left of it to the store: an empty segment when it was only counted.
    pub fn finish(&mut self, store: &Store) -> Result<StoredChunk> {
        if let WorkerTool::Counter(counter, tally, budget) = &mut self.tool {
            counter.flush(tally);
            let terms = tally.terms();
            budget.without(terms * CountTotals::BYTES, || format!("the {terms} distinct terms that were counted so far"))?;
        }
        let segment = self.segment.seal(store).map_err(neardup_core::Error::from)?;
        self.segment.clear();
        Ok(segment)
    }
}
