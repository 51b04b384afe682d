//! The measures that a scheme can name: one file and one name in the list for each.

mod agree;
mod bag;
mod containment;
mod cosine;
mod distinct;
mod equal;
mod euclidean;
mod hamming;
mod lcs;
mod levenshtein;
mod resemblance;
mod sim;

use crate::scheme::entry::Entry;

pub(crate) static ALL: &[Entry] =
    list![resemblance, containment, bag, cosine, lcs, levenshtein, distinct, euclidean, sim, hamming, agree, equal];
