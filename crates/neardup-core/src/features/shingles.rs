//! Shingles: runs of w consecutive tokens (Broder, Glassman, Manasse, Zweig 1997).

use crate::terms::lexicon::Lexicon;
use neardup_text::fingerprint;
use neardup_text::simd::Level;
use std::sync::Arc;

/// w-shingling. A text of fewer than w tokens has one shingle of all of them, and a text without tokens has none.
#[derive(Clone, Debug)]
pub struct Shingles {
    /// w, the number of tokens in a shingle, 1 to 64.
    pub width: usize,
    /// Shingles that are ignored: the frames of hosts; `None` if all count.
    pub frame: Option<Arc<Lexicon>>,
}

impl Shingles {
    /// Appends one 64-bit fingerprint for each shingle, in order, repeats included. A text that consists of frame only
    /// keeps all its shingles: otherwise it would not even match its copy.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        fingerprint::shingles_on(level, tokens, self.width, out);
        if let Some(frame) = &self.frame
            && !out.iter().all(|&shingle| frame.has(shingle))
        {
            out.retain(|&shingle| !frame.has(shingle));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_frame_is_left_out_unless_nothing_remains(tokens in proptest::collection::vec(1u64..6, 0..20), framed in proptest::collection::vec(1u64..6, 0..12)) {
            let plain = |tokens: &[u64], frame| {
                let mut out = Vec::new();
                Shingles { width: 2, frame }.extract(Level::best(), tokens, &mut out);
                out
            };
            let mut frame = plain(&framed, None);
            frame.sort_unstable();
            frame.dedup();
            let lexicon = Lexicon::new(1, String::new(), frame.clone(), vec![1; frame.len()]).unwrap();
            let all = plain(&tokens, None);
            let rest: Vec<u64> = all.iter().copied().filter(|shingle| !frame.contains(shingle)).collect();
            prop_assert_eq!(plain(&tokens, Some(Arc::new(lexicon))), if rest.is_empty() { all } else { rest });
        }
    }
}
