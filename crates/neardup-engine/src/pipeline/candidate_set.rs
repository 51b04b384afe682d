//! The candidate set of a pass: exact copies are set aside, and all other documents are arranged by key.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::documents::signed::CandidateTexts;
use crate::findings::pass_context::PassContext;
use crate::progress::ProgressUnit;
use neardup_core::candidates::arrange::{Arranged, arrange};
use neardup_core::candidates::buckets::{Buckets, StoredBuckets};
use neardup_core::candidates::common_keys::rearrange;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::late_keys::LateKeys;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{Store, StoredColumn};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Candidate documents, in the store: exact copies set aside, the others arranged by key.
#[derive(Serialize, Deserialize)]
pub struct CandidateSet {
    pub(crate) copies: StoredColumn<[DocId; 2]>,
    pub(crate) classes: StoredColumn<[DocId; 2]>,
    pub(crate) kin: StoredColumn<[DocId; 2]>,
    /// Buckets and capped keys.
    pub arranged: Arranged,
}

impl CandidateSet {
    /// Sets exact copies aside and arranges the others.
    pub fn new(context: &PassContext<'_>) -> Result<Self> {
        let PassContext { signed, pass, budget, .. } = *context;
        context.watch.phase("arrange", signed.len() as u64, ProgressUnit::Documents, || {
            let (segments, store) = (context.segments(), context.store());
            let counts = |document: DocId| !signed.is_alone(document);
            let copies = Copies::find(segments, &counts, &|document| context.position(document), budget.room())?;
            let groups = CopyGroups::new(signed, segments, copies)?;
            let groups = match signed.partial_scope() {
                Some(scope) => groups.split(scope, signed.len(), &|document| context.position(document)),
                None => groups,
            };
            let features = segments.column(|segment| segment.features)?;
            let takes_part: Vec<bool> = (features.into_par_iter().zip(0..signed.len() as u32))
                .map(|(features, document)| (features, DocId(document)))
                .map(|(features, document)| features > 0 && counts(document) && !groups.copies.is_copy(document))
                .collect();
            let takes_part = |document: DocId| takes_part[document.index()];
            let texts_of = |documents: &[DocId]| {
                context.watch.check()?;
                let texts = CandidateTexts::new(signed, documents).map_err(|error| neardup_core::Error::Text(Box::new(error)))?;
                Ok(Box::new(texts) as Box<dyn TextAccess>)
            };
            let late = pass.late();
            let rekey = LateKeys { kinds: &late, segments, pass, takes_part: &takes_part, texts_of: &texts_of, counters: usize::MAX };
            budget.without(rekey.bytes()?, || "counting in how many documents each feature occurs, a byte for each".to_owned())?;
            let rekeyed = match rekey.counted()? {
                None => None,
                Some(mut counted) => {
                    let keys = counted.sample()?;
                    context.forecast.more(
                        "the keys of the exact join",
                        keys + keys * BUCKETS_OF_KEYS.0 / BUCKETS_OF_KEYS.1,
                        context.watch,
                    )?;
                    Some(counted.cut()?)
                }
            };
            let arranged = arrange(rekeyed.as_ref().unwrap_or(segments), pass, &takes_part, budget.room())?;
            let mut arranged = rearrange(arranged, segments, pass, &takes_part, &texts_of, budget.room())?;
            arranged.parts.extend(buckets_of_kin(&groups, pass, store)?);
            arranged.parts.sort_by_key(|part| part.kind);
            segments.iter().for_each(|(_, segment)| segment.let_go_of_keys(store));
            let column = |pairs: &[(DocId, DocId)]| {
                let rows: Vec<[DocId; 2]> = pairs.iter().map(|&(left, right)| [left, right]).collect();
                store.append(&rows).map_err(neardup_core::Error::from)
            };
            Ok(CandidateSet {
                copies: column(&groups.copies.pairs)?,
                classes: column(&groups.classes)?,
                kin: column(&groups.kin)?,
                arranged,
            })
        })
    }
}

/// Returns buckets of the documents with equal token sequences that are no copies of each other, so that they meet whatever their
/// keys. As those of rarer keys, the buckets follow the tables of the first kind.
fn buckets_of_kin(groups: &CopyGroups, pass: &CompiledPass, store: &Store) -> Result<Option<StoredBuckets>> {
    let mut kin: Vec<(DocId, DocId)> = groups.kin.iter().map(|&(first, root)| (root, first)).collect();
    kin.sort_unstable();
    let mut buckets = Buckets::default();
    kin.chunk_by(|one, other| one.0 == other.0).for_each(|bucket| buckets.push(bucket.iter().map(|kin| kin.1)));
    let Some(kind) = pass.kinds.first().filter(|_| !buckets.is_empty()) else { return Ok(None) };
    Ok(Some(buckets.store(store, 0, kind.keys.tables())?))
}

/// Bytes of the buckets, arranged and split into batches, as a fraction of the bytes of late keys. Buckets store document
/// numbers; late keys store keys and how far each reaches.
const BUCKETS_OF_KEYS: (u64, u64) = (1, 2);
