//! Documents on disk: where they stand, reading them as records, fetching their texts again, and writing what is kept.
//!
//! [`discover`] turns what a user names into [`Source`]s. [`read`] gives the records of one source in parallel
//! [`Chunk`]s and leaves [`Texts`], which fetch one text again by its [`Place`]. [`keep`] writes a source
//! without the records that were dropped, [`rewrite`] with other texts in some of them.
#![forbid(unsafe_code)]

mod control;
mod dialect;
mod error;
mod format;
mod formats;
mod keep;
mod readers;
mod records;
mod reject;
mod sources;
mod texts;
mod unit;

pub use control::Control;
pub use dialect::Dialect;
pub use error::{Error, Result};
pub use format::{Compression, Format};
pub use formats::archive::{ArchiveRecord, Content, read_records};
pub use formats::arrow::read_batches;
pub use formats::guarded::guarded;
pub use formats::header::field_names;
pub use formats::read::read;
pub use formats::sample::{Sample, count_lines, spread};
pub use formats::whole_files::read_files;
pub use keep::{Edit, Kept, keep, rewrite, rewrites};
pub use readers::options::{Extract, MemoryLimits, OnError, OversizedPart, ReadOptions};
pub use readers::read::{PassedOver, Read};
pub use readers::worker_pool::{Outcome, Work};
pub use records::fields::{Fields, Given, MissingFields};
pub use records::place::{Place, Span};
pub use records::record::{Chunk, Record};
pub use records::rejects_file::write_rejects;
pub use records::time::{parse_bare_time, parse_seconds, parse_time, refuse as refuse_time, write_time};
pub use reject::{Reject, excerpt};
pub use sources::discover::{Discovered, discover};
pub use sources::source::Source;
pub use sources::stdin::spool_stdin;
pub use sources::targets::check_targets;
pub use sources::unpack::unpack;
pub use sources::unread::Unread;
pub use texts::fetch::Texts;
pub use unit::Unit;
