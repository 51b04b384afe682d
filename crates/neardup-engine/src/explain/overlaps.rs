//! The number of features that the texts of each of many pairs share.

use crate::Result;
use crate::job::lexicons::compiled;
use neardup_core::measures::Overlap;
use neardup_core::scheme::Scheme;
use neardup_core::sets::set::Set;
use neardup_core::signing::signer::Signer;
use neardup_core::util::threads::on_all;
use neardup_text::Text;
use rayon::prelude::*;

/// Counts the features that each pair of texts shares under the only pass of a scheme. Returns them in the order of the pairs.
///
/// # Errors
/// As a run, for a scheme with several passes or one that must count its own documents.
pub fn overlaps(pairs: &[(&str, &str)], scheme: &Scheme) -> Result<Vec<Overlap>> {
    let pass = compiled(scheme)?;
    let worker = || (Signer::new(&pass), Set::default(), Set::default());
    let count = |(signer, left_set, right_set): &mut (Signer, Set, Set), (left, right): &(&str, &str)| {
        signer.set(Text::Plain(left.as_bytes()), left_set);
        signer.set(Text::Plain(right.as_bytes()), right_set);
        left_set.overlap(right_set.features())
    };
    Ok(on_all(|| pairs.par_iter().map_init(worker, count).collect()))
}
