//! Candidates: the documents that share a bucket, numbered in policy order.

use crate::Result;
use crate::candidates::buckets::Buckets;
use crate::sets::sketch::Sketches;
use crate::signing::ignored_keys::Ignored;
use crate::signing::segments::Segments;
use crate::util::ids::{BucketId, CandidateId, DocId, Id, Rank};
use crate::util::rank_bitmap::RankBitmap;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Candidate documents with their buckets and sketches. The number of a candidate is its place in policy order.
#[derive(Debug)]
pub struct Candidates {
    /// The document of every candidate.
    pub documents: Vec<DocId>,
    /// The sketch of every candidate.
    pub sketches: Sketches,
    /// Numbers of the candidates that look for others. The others are present only to be found.
    pub asking: Range<u32>,
    memberships: Memberships,
}

/// The buckets of every candidate, and the members of every bucket.
#[derive(Debug)]
struct Memberships {
    /// Start of every candidate's buckets in `buckets`.
    starts: Vec<usize>,
    buckets: Vec<BucketId>,
    /// Start of every bucket's members in `members`.
    bucket_starts: Vec<usize>,
    members: Vec<CandidateId>,
    /// See [`Buckets::kinds`].
    kinds: Vec<(usize, usize)>,
    /// See [`Buckets::tables`].
    tables: Vec<(usize, usize)>,
    /// See [`Buckets::sizes`].
    sizes: Vec<u32>,
}

impl Candidates {
    /// Approximate bytes per candidate while candidates are led, scored, connected or spanned. Excludes its bitmap, its
    /// set, and 4 bytes per thread.
    pub const BYTES: usize = 232;
    /// The same for each bucket that it is in.
    pub const BYTES_PER_MEMBERSHIP: usize = 24;

    /// Returns the approximate bytes per candidate for `threads` threads, without its sketch and its buckets.
    pub fn weight(threads: usize) -> usize {
        Candidates::BYTES + size_of::<u32>() * threads
    }

    /// Numbers the documents of `buckets` by `position`, their place in policy order. Their sketches exclude the values
    /// that are `ignored`.
    pub fn new(segments: &Segments, buckets: &Buckets, ignored: &Ignored, position: &(dyn Fn(DocId) -> Rank + Sync)) -> Result<Self> {
        let marks = RankBitmap::new(segments.len(), buckets.documents().iter().map(|document| document.0));
        let mut documents: Vec<DocId> = marks.numbers().map(DocId).collect();
        // If policy order is the order of the input, they are sorted already, which a stable sort detects.
        documents.par_sort_by_key(|&document| position(document));
        let mut number = vec![CandidateId::FIRST; documents.len()];
        for (candidate, &document) in CandidateId::first(documents.len()).zip(&documents) {
            number[marks.rank(document.0).unwrap_or(0)] = candidate;
        }
        let number = |document: DocId| number[marks.rank(document.0).unwrap_or(0)];
        let (sketches, memberships) =
            rayon::join(|| segments.sketches(&documents, ignored), || Memberships::new(buckets, &number, documents.len()));
        Ok(Candidates { asking: 0..documents.len() as u32, documents, sketches: sketches?, memberships })
    }

    /// Returns the candidates that look for others, ascending.
    pub fn asking_ids(&self) -> impl DoubleEndedIterator<Item = CandidateId> + use<> {
        self.asking.clone().map(CandidateId)
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Returns the number of buckets.
    pub fn buckets(&self) -> usize {
        self.memberships.bucket_starts.len() - 1
    }

    /// Returns all buckets, ascending.
    pub fn bucket_ids(&self) -> impl DoubleEndedIterator<Item = BucketId> + ExactSizeIterator + Clone {
        BucketId::first(self.buckets())
    }

    /// Returns the buckets of a candidate.
    #[inline]
    pub fn buckets_of(&self, candidate: CandidateId) -> &[BucketId] {
        let Memberships { starts, buckets, .. } = &self.memberships;
        &buckets[starts[candidate.index()]..starts[candidate.index() + 1]]
    }

    /// Returns the candidates of a bucket, ascending.
    #[inline]
    pub fn bucket(&self, bucket: BucketId) -> &[CandidateId] {
        &self.memberships.members[self.room(bucket)]
    }

    /// Returns the range of a bucket in a column that has one entry per member.
    #[inline]
    pub fn room(&self, bucket: BucketId) -> Range<usize> {
        let starts = &self.memberships.bucket_starts;
        starts[bucket.index()]..starts[bucket.index() + 1]
    }

    /// Returns the number of documents of a bucket, including those that are not in memory ([`crate::candidates::slices`]).
    #[inline]
    pub fn size(&self, bucket: BucketId) -> usize {
        self.memberships.sizes.get(bucket.index()).map_or_else(|| self.room(bucket).len(), |&size| size as usize)
    }

    /// Returns the number of the kind of keys of a bucket.
    #[inline]
    pub fn kind_of(&self, bucket: BucketId) -> usize {
        // One entry per kind; nearly all schemes have only one.
        self.memberships.kinds.iter().find(|(end, _)| bucket.index() < *end).map_or(0, |&(_, kind)| kind)
    }

    /// Returns the table of a bucket, numbered within its kind.
    pub fn table_of(&self, bucket: BucketId) -> usize {
        let tables = &self.memberships.tables;
        tables.get(tables.partition_point(|(end, _)| *end <= bucket.index())).map_or(0, |&(_, table)| table)
    }

    /// Returns the number of members of all buckets together.
    pub fn members(&self) -> usize {
        self.memberships.members.len()
    }
}

/// Number of lists that a thread takes at once.
const GRAIN: usize = 1 << 12;

impl Memberships {
    /// Converts buckets to ascending ranges of `members`, and lists the buckets of every candidate.
    fn new(buckets: &Buckets, number: &(dyn Fn(DocId) -> CandidateId + Sync), candidates: usize) -> Self {
        let mut members: Vec<CandidateId> = buckets.documents().par_iter().map(|&document| number(document)).collect();
        let bucket_starts: Vec<usize> = std::iter::once(0).chain(buckets.ends().iter().copied()).collect();
        sort_lists(&mut members, &bucket_starts);
        let counts: Vec<AtomicUsize> = (0..candidates).into_par_iter().map(|_| AtomicUsize::new(0)).collect();
        members.par_iter().with_min_len(GRAIN).for_each(|&candidate| _ = counts[candidate.index()].fetch_add(1, Ordering::Relaxed));
        // The start of each candidate's list and, while it is filled, its current end.
        let mut end = 0;
        let begin = |count: AtomicUsize| {
            let start = end;
            end += count.into_inner();
            AtomicUsize::new(start)
        };
        let slots: Vec<AtomicUsize> = counts.into_iter().map(begin).collect();
        let listed: Vec<AtomicU32> = members.par_iter().map(|_| AtomicU32::new(0)).collect();
        (0..buckets.len()).into_par_iter().with_min_len(GRAIN).for_each(|bucket| {
            for &candidate in &members[bucket_starts[bucket]..bucket_starts[bucket + 1]] {
                let slot = slots[candidate.index()].fetch_add(1, Ordering::Relaxed);
                listed[slot].store(bucket as u32, Ordering::Relaxed);
            }
        });
        // Each list now ends at the start of the next one.
        let starts: Vec<usize> = std::iter::once(0).chain(slots.into_iter().map(AtomicUsize::into_inner)).collect();
        let mut listed: Vec<BucketId> = listed.into_iter().map(|bucket| BucketId(bucket.into_inner())).collect();
        sort_lists(&mut listed, &starts);
        Memberships {
            starts,
            buckets: listed,
            bucket_starts,
            members,
            kinds: buckets.kinds().to_vec(),
            tables: buckets.tables().to_vec(),
            sizes: buckets.sizes().to_vec(),
        }
    }
}

/// Sorts each of several adjacent lists. `starts` contains their starts, and last the end of the last list.
fn sort_lists<I: Id + Send>(values: &mut [I], starts: &[usize]) {
    if starts.len() > GRAIN {
        let middle = starts.len() / 2;
        let (left, right) = values.split_at_mut(starts[middle] - starts[0]);
        rayon::join(|| sort_lists(left, &starts[..=middle]), || sort_lists(right, &starts[middle..]));
    } else {
        starts.windows(2).for_each(|ends| values[ends[0] - starts[0]..ends[1] - starts[0]].sort_unstable());
    }
}
