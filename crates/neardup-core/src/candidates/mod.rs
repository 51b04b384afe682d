//! Candidates: documents that share a key are compared.
//!
//! Keys are stored in tables, and a key is compared only with keys of its own table. A pass may have several kinds of keys.
//! `arrange` processes the tables one after another, so several kinds cost no more than each of them alone. It groups the
//! keys of a table into buckets of two or more documents, and stores the buckets.
//!
//! Exact copies are set aside first (`copies`). In a bucket of fingerprints, only those near another one are kept
//! (`near_fingerprints`).
//!
//! *Common keys.* A bucket above the cap stays whole, and the rule that uses it bounds its cost. The leader rule and the
//! components compare its members with its first leaders; the list of pairs compares them with its first member. The key is
//! listed as capped. If pairs below a resemblance do not count, no cap is needed: `common_keys` gives the documents of a
//! common key new keys, their rarest features first.
//!
//! *The exact join.* Keys that promise every pair are not capped. In a run, the keys of a document are chosen after all
//! documents are signed (`late_keys`): the texts are read twice more, the documents of each feature are counted, and the
//! rarest features become keys. Most features belong to one document and are no keys. A document that no other document can
//! reach, by their sizes, is not arranged.
//!
//! *Memory.* Buckets are split into batches of whole components (`batches`). No chain of buckets connects two batches, so
//! each batch is decided by itself. A component that is too large takes each step slice by slice (`slices`), in policy
//! order. The documents that a document meets are known when its slice begins, so slices change no result.

pub mod arrange;
pub mod batches;
pub mod buckets;
pub mod common_keys;
pub mod copies;
pub(crate) mod large_buckets;
pub mod late_keys;
pub(crate) mod near_fingerprints;
pub mod numbered;
pub mod scope;
pub mod slices;
pub mod texts;
pub mod thin_samples;
