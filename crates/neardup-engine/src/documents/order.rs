//! Policy order: which of several duplicate documents is kept.

use crate::Result;
use crate::documents::catalogue::{Catalogue, NO_TIME};
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use rayon::prelude::*;
use std::str::FromStr;

/// Which document of a group comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The one with the smallest time; a missing time sorts last.
    Earliest,
    /// The first in input order.
    First,
    /// The one with the greatest time; a missing time sorts last.
    Latest,
    /// The one with the most tokens.
    Longest,
    /// The one with the fewest tokens.
    Shortest,
}

impl FromStr for Keep {
    type Err = crate::Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "earliest" => Ok(Keep::Earliest),
            "first" => Ok(Keep::First),
            "latest" => Ok(Keep::Latest),
            "longest" => Ok(Keep::Longest),
            "shortest" => Ok(Keep::Shortest),
            _ => Err(crate::Error::Usage(format!("keep: `{name}`; allowed are earliest, first, latest, longest, shortest"))),
        }
    }
}

/// Returns the place of every document in policy order, by (preference rank, policy key, id); `None` if that is input order.
/// `id_rank` returns the place of every document in the order of ids. Reference documents, numbered from `reference` on, come
/// first.
pub fn positions(
    keep: Keep,
    catalogue: &Catalogue,
    segments: &Segments,
    id_rank: &dyn Fn() -> Vec<u32>,
    reference: u32,
    prefers: bool,
) -> Result<Option<Vec<Rank>>> {
    let count = segments.len() as u32;
    if keep == Keep::First && !prefers && reference == count {
        return Ok(None);
    }
    let ranks = if prefers { catalogue.ranks()? } else { vec![0; count as usize] };
    let keys: Vec<i64> = match keep {
        Keep::First => (0..i64::from(count)).collect(),
        Keep::Earliest => catalogue.times()?,
        Keep::Latest => catalogue.times()?.into_iter().map(|time| if time == NO_TIME { NO_TIME } else { -time }).collect(),
        Keep::Longest => segments.column(|segment| segment.tokens)?.into_iter().map(|tokens| -i64::from(tokens)).collect(),
        Keep::Shortest => segments.column(|segment| segment.tokens)?.into_iter().map(i64::from).collect(),
    };
    let id_rank = if keep == Keep::First { Vec::new() } else { id_rank() };
    let mut order: Vec<DocId> = DocId::first(count as usize).collect();
    order.par_sort_unstable_by_key(|&document| {
        let index = document.index();
        (document.0 < reference, ranks[index], keys[index], id_rank.get(index).copied().unwrap_or(0))
    });
    let mut positions = vec![Rank::FIRST; count as usize];
    for (position, document) in Rank::FIRST.onwards().zip(order) {
        positions[document.index()] = position;
    }
    Ok(Some(positions))
}
