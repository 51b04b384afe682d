//! Candidates: the documents that share a bucket, numbered in policy order.

use crate::Result;
use crate::buckets::Buckets;
use crate::ignored::Ignored;
use crate::marks::Marks;
use crate::segments::Segments;
use crate::sketch::Sketches;
use rayon::prelude::*;
use std::ops::Range;

/// Candidate documents with their buckets and sketches. A candidate number is a place in policy order.
#[derive(Debug)]
pub struct Candidates {
    /// The document of every candidate.
    pub documents: Vec<u32>,
    /// The sketch of every candidate.
    pub sketches: Sketches,
    /// Those who ask whom they meet; the others are here to be met.
    pub asking: Range<u32>,
    memberships: Memberships,
}

/// Who stands where.
#[derive(Debug)]
struct Memberships {
    /// Where the buckets of every candidate begin in `buckets`.
    starts: Vec<usize>,
    buckets: Vec<u32>,
    /// Where the members of every bucket begin in `members`.
    bucket_starts: Vec<usize>,
    members: Vec<u32>,
    /// See [`Buckets::kinds`].
    kinds: Vec<(usize, usize)>,
    /// See [`Buckets::tables`].
    tables: Vec<(usize, usize)>,
    /// See [`Buckets::sizes`].
    sizes: Vec<u32>,
}

impl Candidates {
    /// About how many bytes a candidate takes while it is led, scored, connected or spanned, beside its bitmap, its set, and
    /// 4 for every thread.
    pub const BYTES: usize = 232;
    /// The same for every bucket it stands in.
    pub const BYTES_PER_MEMBERSHIP: usize = 24;

    /// Numbers the documents of `buckets` by `position`, their place in policy order; sketches are without what is `ignored`.
    pub fn new(segments: &Segments, buckets: &Buckets, ignored: &Ignored, position: &(dyn Fn(u32) -> u32 + Sync)) -> Result<Self> {
        let marks = Marks::new(segments.len(), buckets.documents().iter().copied());
        let mut documents: Vec<u32> = marks.numbers().collect();
        // In the order of the input nothing is left to do, and a stable sort sees that.
        documents.par_sort_by_key(|&document| position(document));
        let mut number = vec![0; documents.len()];
        for (candidate, &document) in (0..).zip(&documents) {
            number[marks.rank(document).unwrap_or(0)] = candidate;
        }
        let number = |document: u32| number[marks.rank(document).unwrap_or(0)];
        let (sketches, memberships) =
            rayon::join(|| segments.sketches(&documents, ignored), || Memberships::new(buckets, &number, documents.len()));
        Ok(Candidates { asking: 0..documents.len() as u32, documents, sketches: sketches?, memberships })
    }

    /// How many candidates.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// How many buckets.
    pub fn buckets(&self) -> usize {
        self.memberships.bucket_starts.len() - 1
    }

    /// The buckets of a candidate.
    #[inline]
    pub fn buckets_of(&self, candidate: u32) -> &[u32] {
        let Memberships { starts, buckets, .. } = &self.memberships;
        &buckets[starts[candidate as usize]..starts[candidate as usize + 1]]
    }

    /// The candidates of a bucket, ascending.
    #[inline]
    pub fn bucket(&self, bucket: u32) -> &[u32] {
        &self.memberships.members[self.room(bucket)]
    }

    /// Where a bucket stands in a column that has one entry per member.
    #[inline]
    pub fn room(&self, bucket: u32) -> Range<usize> {
        let starts = &self.memberships.bucket_starts;
        starts[bucket as usize]..starts[bucket as usize + 1]
    }

    /// How many documents a bucket has, with those that are not here ([`crate::slices`]).
    #[inline]
    pub fn size(&self, bucket: u32) -> usize {
        self.memberships.sizes.get(bucket as usize).map_or_else(|| self.room(bucket).len(), |&size| size as usize)
    }

    /// The number of the kind of keys that made a bucket.
    #[inline]
    pub fn kind_of(&self, bucket: u32) -> usize {
        // One entry for each kind, in nearly all schemes one.
        self.memberships.kinds.iter().find(|(end, _)| (bucket as usize) < *end).map_or(0, |&(_, kind)| kind)
    }

    /// The table of a bucket, counted among those of its kind.
    pub fn table_of(&self, bucket: u32) -> usize {
        let tables = &self.memberships.tables;
        tables.get(tables.partition_point(|(end, _)| *end <= bucket as usize)).map_or(0, |&(_, table)| table)
    }

    /// How many members all buckets have together.
    pub fn members(&self) -> usize {
        self.memberships.members.len()
    }
}

impl Memberships {
    /// Buckets become ranges of `members`, ascending; every candidate lists the buckets it stands in.
    fn new(buckets: &Buckets, number: &(dyn Fn(u32) -> u32 + Sync), candidates: usize) -> Self {
        let mut members: Vec<u32> = buckets.documents().par_iter().map(|&document| number(document)).collect();
        let mut bucket_starts = Vec::with_capacity(buckets.len() + 1);
        bucket_starts.push(0);
        for bucket in buckets.iter() {
            let start = bucket_starts[bucket_starts.len() - 1];
            members[start..start + bucket.len()].sort_unstable();
            bucket_starts.push(start + bucket.len());
        }
        let mut counts = vec![0usize; candidates + 1];
        members.iter().for_each(|&candidate| counts[candidate as usize + 1] += 1);
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        let starts = counts.clone();
        let mut buckets_of = vec![0; members.len()];
        for bucket in 0..bucket_starts.len() - 1 {
            for &candidate in &members[bucket_starts[bucket]..bucket_starts[bucket + 1]] {
                let slot = &mut counts[candidate as usize];
                buckets_of[*slot] = bucket as u32;
                *slot += 1;
            }
        }
        Memberships {
            starts,
            buckets: buckets_of,
            bucket_starts,
            members,
            kinds: buckets.kinds().to_vec(),
            tables: buckets.tables().to_vec(),
            sizes: buckets.sizes().to_vec(),
        }
    }
}
