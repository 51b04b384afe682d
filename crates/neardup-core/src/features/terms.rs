//! Terms: single tokens, or only those that are neither too common nor too rare (Chowdhury, Frieder, Grossman, McCabe 2002).

use crate::terms::lexicon::Lexicon;
use neardup_text::fingerprint;
use neardup_text::simd::Level;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The tokens of a text as features, each as the fingerprint of a shingle of one token.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The band of idf to keep; `None` for all terms.
    pub band: Option<IdfBand>,
}

/// A band of idf.
#[derive(Clone, Debug)]
pub struct IdfBand {
    /// The document counts.
    pub lexicon: Arc<Lexicon>,
    /// The idf of the terms to keep.
    pub idf: RangeInclusive<u32>,
}

impl Terms {
    /// Appends one 64-bit fingerprint for each token in the band, in order, repeats included.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        fingerprint::shingles_on(level, tokens, 1, out);
        if let Some(IdfBand { lexicon, idf }) = &self.band {
            let (low, high) = (*idf.start(), *idf.end());
            let mut kept = 0;
            for at in 0..out.len() {
                let term = out[at];
                let idf = lexicon.idf(term);
                // Without a branch, because the processor could not predict which terms are in the band.
                out[kept] = term;
                kept += usize::from(low <= idf && idf <= high);
            }
            out.truncate(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_leaves_out_what_is_common_and_what_is_rare() {
        let mut terms: Vec<u64> = Vec::new();
        fingerprint::shingles(&[1, 2, 3], 1, &mut terms);
        let mut counted: Vec<(u64, u32)> = terms.iter().copied().zip([9, 4, 1]).collect();
        counted.sort_unstable();
        let (features, counts) = counted.into_iter().unzip();
        let lexicon = Arc::new(Lexicon::new(9, String::new(), features, counts).unwrap());
        let extract = |band: Option<RangeInclusive<u32>>, tokens: &[u64]| {
            let band = band.map(|idf| IdfBand { lexicon: Arc::clone(&lexicon), idf });
            let mut out = Vec::new();
            Terms { band }.extract(Level::best(), tokens, &mut out);
            out
        };
        assert_eq!(extract(None, &[1, 2, 3, 2]), [terms[0], terms[1], terms[2], terms[1]]);
        // log2 of 10/10, 10/5, 10/2; token 4 is in no document.
        assert_eq!(extract(Some(1..=2000), &[1, 2, 3, 4, 2]), [terms[1], terms[1]]);
        assert_eq!(extract(Some(0..=1024), &[1, 2, 3, 4]), [terms[0], terms[1]]);
        assert_eq!(extract(Some(3000..=u32::MAX), &[1, 2, 3, 4]).len(), 1);
        assert!(extract(Some(RangeInclusive::new(1, 0)), &[1, 2, 3, 4]).is_empty());
        assert!(extract(None, &[]).is_empty());
    }
}
