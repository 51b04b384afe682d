//! The leader rule and components while documents come and go.

pub(crate) mod adding;
pub(crate) mod before;
pub mod comparer;
pub mod document_signer;
pub(crate) mod families;
pub mod index_state;
pub(crate) mod leading;
pub(crate) mod linking;
pub mod passes;
pub(crate) mod removal;
pub mod verdict;
pub(crate) mod without;
