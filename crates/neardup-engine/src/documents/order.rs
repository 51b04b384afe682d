//! Policy order: which of several duplicate documents is kept.

use crate::Result;
use crate::documents::catalogue::Catalogue;
use crate::documents::chunk::MISSING;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

/// Which document of a group comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The one with the greatest number in a field; a missing number sorts last.
    Highest(String),
    /// The one with the least number in a field; a missing number sorts last.
    Lowest(String),
}

impl Keep {
    const PLAIN: [(&'static str, Keep); 5] = [
        ("earliest", Keep::Earliest),
        ("first", Keep::First),
        ("latest", Keep::Latest),
        ("longest", Keep::Longest),
        ("shortest", Keep::Shortest),
    ];

    /// Returns the field with the number that decides, if one does.
    pub fn number_field(&self) -> Option<&str> {
        if let Keep::Highest(field) | Keep::Lowest(field) = self { Some(field) } else { None }
    }

    /// Returns the policy key of every document, the least first; `None` if the policy has none, because the order of the input
    /// decides.
    pub fn keys(&self, catalogue: &Catalogue, segments: &Segments) -> Result<Option<Vec<i64>>> {
        Ok(Some(match self {
            Keep::First => return Ok(None),
            Keep::Earliest => catalogue.times()?,
            Keep::Latest => catalogue.times()?.into_iter().map(from_the_greatest).collect(),
            Keep::Highest(_) => catalogue.numbers()?.into_iter().map(from_the_greatest).collect(),
            Keep::Lowest(_) => catalogue.numbers()?,
            Keep::Longest => segments.column(|segment| segment.tokens)?.into_iter().map(|tokens| -i64::from(tokens)).collect(),
            Keep::Shortest => segments.column(|segment| segment.tokens)?.into_iter().map(i64::from).collect(),
        }))
    }

    /// Whether the time of a document decides.
    pub fn is_by_time(&self) -> bool {
        matches!(self, Keep::Earliest | Keep::Latest)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Highest(field) => write!(out, "highest:{field}"),
            Keep::Lowest(field) => write!(out, "lowest:{field}"),
            plain => out.write_str(Keep::PLAIN.iter().find(|(_, keep)| keep == plain).map_or("", |(name, _)| name)),
        }
    }
}

impl FromStr for Keep {
    type Err = crate::Error;

    fn from_str(name: &str) -> Result<Self> {
        if let Some((_, keep)) = Keep::PLAIN.into_iter().find(|(plain, _)| *plain == name) {
            return Ok(keep);
        }
        match name.split_once(':').filter(|(_, field)| !field.is_empty()) {
            Some(("highest", field)) => Ok(Keep::Highest(field.to_owned())),
            Some(("lowest", field)) => Ok(Keep::Lowest(field.to_owned())),
            _ => Err(crate::Error::Usage(format!(
                "keep is `{name}`; allowed are earliest, first, latest, longest, shortest, highest:FIELD, lowest:FIELD"
            ))),
        }
    }
}

/// Returns the place of every document in policy order, by (preference rank, policy key, id); `None` if that is input order.
/// `id_rank` returns the place of every document in the order of ids. Reference documents, numbered from `reference` on, come
/// first.
pub fn positions(
    keep: &Keep,
    catalogue: &Catalogue,
    segments: &Segments,
    id_rank: &dyn Fn() -> Vec<u32>,
    reference: u32,
    prefers: bool,
) -> Result<Option<Vec<Rank>>> {
    let count = segments.len() as u32;
    if *keep == Keep::First && !prefers && reference == count {
        return Ok(None);
    }
    let ranks = if prefers { catalogue.ranks()? } else { vec![0; count as usize] };
    let keys = keep.keys(catalogue, segments)?.unwrap_or_else(|| (0..i64::from(count)).collect());
    let id_rank = if *keep == Keep::First { Vec::new() } else { id_rank() };
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

/// Returns the key of a value of which the greatest comes first and a missing one last.
fn from_the_greatest(value: i64) -> i64 {
    if value == MISSING { MISSING } else { -value }
}
