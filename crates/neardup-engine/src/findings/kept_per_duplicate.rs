//! How many documents of a group of duplicates stay.

use crate::documents::signed::SignedCorpus;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::leader_groups::LeaderGroups;
use neardup_core::util::ids::{DocId, Rank};
use rayon::prelude::*;

/// Keeps the first `number` documents of each group of duplicates in policy order, and drops the others.
///
/// The leader rule keeps the first. With 0, the leaders of two or more documents go, too. A document without duplicates stays, and
/// so do documents of the reference, which count as documents of their groups. `positions` are the places of all documents in
/// policy order; `None` means that it is input order.
pub fn keep(verdicts: &mut DroppedDocuments, number: usize, signed: &SignedCorpus, positions: Option<&[Rank]>) {
    if number == 1 {
        return;
    }
    let position = |document: DocId| positions.map_or(Rank(document.0), |positions| positions[document.index()]);
    let groups = LeaderGroups::new(verdicts);
    let reversed: Vec<DocId> = match number {
        0 => groups.par_iter().map(|group| group.leader()).filter(|&leader| !signed.is_reference(leader)).collect(),
        _ => {
            let stay = |group: crate::findings::leader_groups::LeaderGroup<'_>| {
                let mut followers: Vec<DocId> = group.followers().map(|dropped| dropped.document).collect();
                followers.sort_unstable_by_key(|&document| position(document));
                followers.truncate(number - 1);
                followers
            };
            groups.par_iter().flat_map_iter(stay).collect()
        }
    };
    verdicts.reverse(reversed);
}
