//! Documents on disk: where they stand, reading them as records, fetching their texts again, and writing what is kept.
//!
//! [`discover`] turns what a user names into [`Source`]s. [`read`] gives the records of one source in parallel
//! [`Chunk`]s and leaves [`Texts`], which fetch one text again by its [`Place`]. [`keep`] writes a source
//! without the records that were dropped, [`rewrite`] with other texts in some of them.
#![forbid(unsafe_code)]

mod batches;
mod columns;
mod control;
mod crew;
mod csv;
mod cut;
mod dialect;
mod discover;
mod error;
mod feed;
mod fields;
mod files;
mod finish;
mod format;
mod handle;
mod header;
mod keep;
mod large;
mod library;
mod lines;
mod meaning;
mod options;
mod parquet;
mod place;
mod read;
mod record;
mod records;
mod reject;
mod sample;
mod source;
mod spool;
mod stdin;
mod stream;
mod table;
mod targets;
mod texts;
mod time;
mod unit;
mod unpack;
mod unread;
mod value;
mod walk;

pub use batches::read_batches;
pub use control::Control;
pub use crew::{Outcome, Work};
pub use dialect::Dialect;
pub use discover::{Discovered, discover};
pub use error::{Error, Result};
pub use fields::{Fields, Given, Lacks};
pub use files::read_files;
pub use format::{Compression, Format};
pub use header::field_names;
pub use keep::{Edit, Kept, keep, rewrite, rewrites};
pub use options::{Extent, Extract, Fits, OnError, ReadOptions};
pub use place::{Place, Span};
pub use read::{PassedOver, Read, read};
pub use record::{Chunk, Record};
pub use records::{Arrival, Content, read_records};
pub use reject::{Reject, excerpt, write_rejects};
pub use sample::{Sample, count_lines, spread};
pub use source::Source;
pub use stdin::spool_stdin;
pub use targets::check_targets;
pub use texts::Texts;
pub use time::{parse_bare_time, parse_seconds, parse_time, refuse as refuse_time, write_time};
pub use unit::Unit;
pub use unpack::unpack;
pub use unread::Unread;
