//! Identifiers of documents, ranks, candidates and buckets. Each has its own type, so that none is taken for another.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An identifier that a [`Forest`](crate::util::forest::Forest) can connect.
pub trait Id: Copy + Ord {
    /// Creates the identifier with this number.
    fn new(number: u32) -> Self;

    /// Returns its number, from 0.
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
            /// The first identifier.
            pub const FIRST: Self = Self(0);
            /// A value that identifies nothing.
            pub const NONE: Self = Self(u32::MAX);

            /// Returns the first `count` identifiers, ascending.
            pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..count as u32).map(Self)
            }

            /// Returns this identifier and all that follow it, ascending.
            pub fn onwards(self) -> impl Iterator<Item = Self> + Clone {
                (self.0..).map(Self)
            }

            /// Returns the identifier that follows this one.
            #[inline]
            pub const fn next(self) -> Self {
                Self(self.0 + 1)
            }

            /// Returns the identifier `count` places after this one.
            #[inline]
            pub const fn plus(self, count: u32) -> Self {
                Self(self.0 + count)
            }

            /// Returns this identifier and those that follow it, up to but without `end`, ascending.
            pub fn until(self, end: Self) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (self.0..end.0).map(Self)
            }

            /// Returns its index in a column with one entry per identifier.
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
    /// A document of a run, numbered by its place in the input, or of an index, numbered by its arrival. The documents of a
    /// reference follow those of the input.
    DocId
}

id! {
    /// A place in policy order among all documents of a run.
    Rank
}

id! {
    /// A candidate: a document that shares a key with another, numbered by policy order among the candidates in memory.
    CandidateId
}

id! {
    /// A bucket of candidates that share a key.
    BucketId
}
