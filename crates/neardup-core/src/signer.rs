//! The sign kernel: from a text to its keys, sketch and digests in one call.

use crate::features::Features;
use crate::keys::Keys;
use crate::pass::Pass;
use crate::segment::Draft;
use crate::set::Probe;
use crate::signatures::{Signature, Values};
use neardup_text::{Text, Tokeniser, fingerprint};

/// One pass of a scheme, ready to run over texts; owns its scratch, one per thread.
pub struct Signer {
    tokeniser: Tokeniser,
    features: Features,
    signature: Signature,
    keys: Keys,
    seed: u64,
    scratch: Vec<u64>,
    values: Values,
}

impl Signer {
    /// Makes the kernel of `pass`.
    pub fn new(pass: &Pass) -> Self {
        Signer {
            tokeniser: Tokeniser::new(pass.unit, pass.seed),
            features: pass.features.clone(),
            signature: pass.signature.clone(),
            keys: pass.keys.clone(),
            seed: pass.seed,
            scratch: Vec::new(),
            values: Values::default(),
        }
    }

    /// Signs one document and appends it to `segment`.
    pub fn sign(&mut self, text: Text<'_>, segment: &mut Draft) {
        let tokens = self.tokeniser.tokens(text);
        self.features.extract(tokens, &mut self.scratch);
        segment.tokens.push(tokens.len() as u32);
        segment.raw.push(text.digest());
        segment.lexical.push(match tokens {
            [] if text.is_blank() => 0,
            [] => text.decoded_digest(),
            tokens => fingerprint::sequence(tokens, self.seed),
        });
        if self.scratch.is_empty() {
            if self.keys.fixed() {
                segment.keys.resize(segment.keys.len() + self.keys.tables(), 0);
            }
        } else {
            self.signature.sign(&self.scratch, &mut self.values);
            self.keys.keys(&self.values, &mut segment.keys);
        }
        if !self.keys.fixed() {
            segment.key_ends.push(segment.keys.len() as u32);
        }
        segment.push_features(&self.scratch);
    }

    /// Writes the feature set of one text to `out`, distinct, and leaves it in `probe`.
    pub fn set(&mut self, text: Text<'_>, probe: &mut Probe, out: &mut Vec<u64>) {
        let tokens = self.tokeniser.tokens(text);
        self.features.extract(tokens, out);
        probe.distinct(out);
    }
}
