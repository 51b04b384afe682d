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

/// A task that is done with texts while they are read.
pub enum TextTask<'a> {
    /// Signs them.
    Sign(&'a CompiledPass),
    /// Stores their digests, so that they can be recognised again.
    Note,
    /// Stores the digests of the decoded texts. A sample of the texts is counted later.
    Digest,
    /// Chooses the anchors of their N-grams, of tokens of a unit and seed.
    Anchor(TokenForm, usize),
    /// Counts their terms, as far as the memory suffices.
    Count(&'a Counting, &'a CountTotals, Budget),
}

impl TextTask<'_> {
    /// Returns the unit that texts are cut into, or would be.
    pub fn unit(&self) -> neardup_text::Unit {
        match self {
            TextTask::Sign(pass) => pass.rules.unit,
            TextTask::Anchor(tokens, _) => tokens.rules.unit,
            TextTask::Count(counting, ..) => counting.rules.unit,
            TextTask::Note | TextTask::Digest => neardup_text::Unit::Words,
        }
    }
}

/// How texts are cut into tokens.
#[derive(Clone, Copy, Debug)]
pub struct TokenForm {
    /// The rules.
    pub rules: neardup_text::TokenRules,
    /// The seed of the tokens' hashes.
    pub seed: u64,
}

/// A signer or counter, and the chunk that it has filled so far.
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
    /// Creates a worker for a task.
    pub fn new(doing: &TextTask<'a>) -> Self {
        let tool = match *doing {
            TextTask::Sign(pass) => WorkerTool::Signer(Box::new(Signer::new(pass))),
            TextTask::Note => WorkerTool::Note,
            TextTask::Digest => WorkerTool::Digest,
            TextTask::Anchor(tokens, n) => WorkerTool::Anchors(Box::new((Tokeniser::new(tokens.rules, tokens.seed), Anchors::new(n)))),
            TextTask::Count(counting, tally, budget) => WorkerTool::Counter(Box::new(Counter::new(counting)), tally, budget),
        };
        TaskWorker { tool, segment: ChunkBuilder::default() }
    }

    /// Processes the text of the next document.
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
            // The digest is that of the decoded text, however the text is escaped.
            WorkerTool::Digest => self.segment.raw.push(text.decoded_digest()),
        }
    }

    /// Passes the next document over: it is signed as a blank text, which matches nothing, and it is not counted.
    pub fn pass_over(&mut self) {
        match &mut self.tool {
            WorkerTool::Signer(_) | WorkerTool::Anchors(_) => self.take(Text::Plain(b"")),
            WorkerTool::Counter(..) | WorkerTool::Note => {}
            WorkerTool::Digest => self.segment.raw.push(0),
        }
    }

    /// Ends the chunk and writes its result to the store: an empty segment if the chunk was only counted.
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
