//! Common keys: replaces them by the rarest features of their documents, without losing a pair.
//!
//! If many documents share a block of text, they share the keys that are cut from it, and one key proposes as many pairs as
//! the square of their number. The bucket of such a key is dropped. The documents that contain it get new keys, as all
//! documents do in an exact join ([`crate::candidates::late_keys`]). If two documents met only by the common key, both get
//! new keys, and these propose every pair that reaches the threshold. All other documents meet as before.

use crate::Result;
use crate::candidates::arrange::{Arranged, arrange_kind};
use crate::candidates::buckets::Buckets;
use crate::candidates::late_keys::{LateKeys, OpenTexts};
use crate::keys::{KeyKind, Keys, Rarest};
use crate::pass::compiled::CompiledPass;
use crate::signing::segments::Segments;
use crate::util::ids::DocId;

/// Maximum number of counters, which take 128 MiB. It does not depend on the memory budget: the counters determine the
/// order of features, and that decides what remains of a list that is cut short.
const COUNTERS: usize = 1 << 27;

/// Replaces the buckets of more than [`crate::keys::RareKeys::above`] documents for which `takes_part` returns true, within
/// about `memory` bytes.
pub fn rearrange(
    arranged: Arranged,
    segments: &Segments,
    pass: &CompiledPass,
    takes_part: &(dyn Fn(DocId) -> bool + Sync),
    texts_of: &OpenTexts<'_>,
    memory: usize,
) -> Result<Arranged> {
    let mut arranged = arranged;
    let mut table = 0;
    for (number, kind) in pass.kinds.iter().enumerate() {
        let tables = kind.keys.tables();
        if let (Some(common), Some(above)) = (kind.common, kind.common_above()) {
            // Every capped key is dropped here. New keys that are capped, too, are reported.
            arranged.capped.retain(|capped| !(table..table + tables).contains(&capped.table));
            let mut holds = take_common(&mut arranged, segments, number, above as usize)?;
            mark_foreseen(&mut holds, segments, number, kind)?;
            let takes_part = |document: DocId| holds[document.index()] && takes_part(document);
            let rarest = Rarest::new(common.threshold);
            let kinds = [(number, rarest.clone())];
            let rekey = LateKeys { kinds: &kinds, segments, pass, takes_part: &takes_part, texts_of, counters: COUNTERS };
            if holds.contains(&true)
                && let Some(rekeyed) = rekey.run()?
            {
                let mut pass = pass.clone();
                pass.kinds[number].keys = Keys::Rarest(rarest);
                let mut anew = arrange_kind(&rekeyed, &pass, number, &takes_part, memory)?;
                // They get a table of their own after those of the kind. Pairs that meet there are certain to be found.
                anew.parts.iter_mut().for_each(|part| part.table = tables);
                arranged.append(anew, table);
            }
        }
        table += tables;
    }
    arranged.parts.sort_by_key(|part| part.kind);
    arranged.capped.sort_unstable();
    Ok(arranged)
}

/// Marks the documents that contain a key known in advance to be common, because documents that are not in this run contain
/// it.
fn mark_foreseen(holds: &mut [bool], segments: &Segments, number: usize, kind: &KeyKind) -> Result<()> {
    let tables = if kind.foreseen.is_empty() { 0 } else { kind.keys.tables() };
    for table in 0..tables {
        for (first, segment) in segments.iter() {
            let Some(rows) = segment.rows(number) else { continue };
            rows.each(segments.store(), table, first, segment.len(), |key, document| {
                holds[document.index()] |= kind.is_known_common(table, key);
            })?;
        }
    }
    Ok(())
}

/// Removes the buckets of more than `common` documents from those of one kind. Returns whether each document was in such a
/// bucket.
fn take_common(arranged: &mut Arranged, segments: &Segments, kind: usize, common: usize) -> Result<Vec<bool>> {
    let mut holds = vec![false; segments.len()];
    for part in arranged.parts.iter_mut().filter(|part| part.kind == kind && part.largest > common) {
        let buckets = Buckets::load(segments.store(), [&*part])?;
        let mut rare = Buckets::default();
        for bucket in buckets.iter() {
            if bucket.len() <= common {
                rare.push(bucket.iter().copied());
            } else {
                bucket.iter().for_each(|&document| holds[document.index()] = true);
            }
        }
        *part = rare.store(segments.store(), kind, part.table)?;
    }
    Ok(holds)
}
