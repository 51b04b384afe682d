//! Signing one text at a time.

use crate::decide::passes::IndexPasses;
use crate::documents::signed::SignedText;
use crate::documents::table_key::TableKey;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segment::{ChunkBuilder, range};
use neardup_core::signing::signer::Signer;
use neardup_text::Text;

/// Signs texts one at a time. Each thread has its own signer.
pub struct DocumentSigner {
    main: Signer,
    parts: Option<Signer>,
    passes: IndexPasses,
    draft: ChunkBuilder,
}

impl DocumentSigner {
    /// Creates a signer for the passes of an index.
    pub fn new(passes: &IndexPasses) -> Self {
        let parts = passes.parts.as_ref().map(Signer::new);
        DocumentSigner { main: Signer::new(&passes.main), parts, passes: passes.clone(), draft: ChunkBuilder::default() }
    }

    /// Signs a text.
    pub fn sign(&mut self, text: &[u8]) -> SignedText {
        let text = Text::Plain(text);
        let mut keys = Vec::new();
        self.draft.clear();
        self.main.sign(text, &mut self.draft);
        collect(&self.passes.main, &self.draft, 0, &mut keys);
        let draft = &self.draft;
        let mut signed = SignedText {
            tokens: draft.tokens[0],
            features: draft.features[0],
            raw: draft.raw[0],
            lexical: draft.lexical[0],
            bitmap: draft.bitmaps[range(&draft.bitmap_ends, 0)].into(),
            parts: draft.parts[range(&draft.part_ends, 0)].into(),
            keys: Box::default(),
        };
        if let (Some(signer), Some(pass)) = (&mut self.parts, &self.passes.parts) {
            self.draft.clear();
            signer.sign(text, &mut self.draft);
            collect(pass, &self.draft, self.passes.main_tables(), &mut keys);
        }
        if let Some(shard) = &self.passes.shard {
            keys.retain(|&key| shard.holds(key));
        }
        signed.keys = keys.into();
        signed
    }

    /// The signer of the main pass.
    pub fn signer(&mut self) -> &mut Signer {
        &mut self.main
    }
}

/// Appends the keys of the only document of a draft. Its tables are numbered from `first`.
fn collect(pass: &CompiledPass, draft: &ChunkBuilder, first: usize, keys: &mut Vec<TableKey>) {
    // A document without features has no keys, although its row of fixed width is filled.
    if draft.features[0] == 0 {
        return;
    }
    let mut first = first as u64;
    for (kind, rows) in pass.kinds.iter().zip(&draft.keys) {
        let tables = kind.keys.tables() as u64;
        // Several tables have one key each; a single table has all keys.
        keys.extend((0..).zip(&rows.keys).map(|(at, &key)| (first + if tables == 1 { 0 } else { at }) << 32 | u64::from(key)));
        first += tables;
    }
}
