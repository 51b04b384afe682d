//! Numbers of documents, ranks, candidates and buckets: a type for each, so that none is taken for another.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a [`Forest`](crate::util::forest::Forest) connects.
pub trait Id: Copy + Ord {
    /// The one of this number.
    fn new(number: u32) -> Self;

    /// Its number, from 0.
    fn number(self) -> u32;
}

impl Id for u32 {
    fn new(number: u32) -> u32 {
        number
    }

    fn number(self) -> u32 {
        self
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable, Serialize, Deserialize)]
        #[repr(transparent)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The first of all.
            pub const FIRST: Self = Self(0);
            /// A number that none has.
            pub const NONE: Self = Self(u32::MAX);

            /// The first `count`, ascending.
            pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count as u32).map(Self)
            }

            /// It and all behind it, ascending.
            pub fn onwards(self) -> impl Iterator<Item = Self> + Clone {
                (self.0..).map(Self)
            }

            /// The one behind it.
            #[inline]
            pub const fn next(self) -> Self {
                Self(self.0 + 1)
            }

            /// Its place in a column with an entry for each.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Id for $name {
            fn new(number: u32) -> Self {
                Self(number)
            }

            fn number(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(to)
            }
        }
    };
}

id! {
    /// A document of a run, by its place in the input; those of a reference are behind it.
    DocId
}

id! {
    /// A place in policy order, among all documents of a run.
    Rank
}

id! {
    /// A candidate: a document that shares a key with another, by its place in policy order among those in memory.
    CandidateId
}

id! {
    /// A bucket of candidates: those that share a key.
    BucketId
}
