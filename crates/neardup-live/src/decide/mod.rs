//! The leader rule and components, while documents are added and removed.
//!
//! Verdicts are those of a batch run over the same documents. A text is signed by the same signer as in a run, and its keys are
//! looked up. All comparisons treat documents with one token sequence as one text. One of them is its *representative*, whose keys
//! are in the tables.
//!
//! A verdict depends only on documents that come before in policy order. Inserting, deleting or re-dating a document can invalidate
//! later verdicts; `leader_rule` re-evaluates them in policy order. A document that becomes kept invalidates later rivals. A
//! document that is no longer kept invalidates its followers. `components` grows components by matches, and connects them again
//! after a text was removed. `first_states` remembers the former verdicts, so that every change is reported. A property test
//! compares all of this with the definitions after every step.

pub mod comparer;
pub(crate) mod components;
pub mod document_signer;
pub(crate) mod families;
pub(crate) mod first_states;
pub mod index_state;
pub(crate) mod index_without;
pub(crate) mod insertion;
pub(crate) mod leader_rule;
pub mod passes;
pub(crate) mod removal;
pub mod verdict;
