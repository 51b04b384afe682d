//! Documents on disk: finding them, reading them as records, fetching their texts again, and writing the kept ones.
//!
//! [`discover`] turns the inputs that a user names into [`Source`]s. [`read`] reads the records of one source in parallel
//! [`Chunk`]s. It returns [`CorpusTexts`], which fetches a text again by its [`TextPlace`]. [`keep`] writes a source without its
//! dropped records. [`rewrite`] also replaces the texts of some records.
#![forbid(unsafe_code)]

mod compression;
mod containers;
mod control;
mod dialect;
mod encoding;
mod error;
mod flaws;
mod format;
mod formats;
mod inputs;
mod keep;
mod pages;
mod readers;
mod records;
mod reject;
mod sources;
mod texts;
mod unit;

pub use compression::Compression;
pub use control::JobControl;
pub use dialect::{CsvOptions, Dialect};
pub use encoding::TextEncoding;
pub use error::{Error, Result};
pub use flaws::PassedOver;
pub use format::Format;
pub use formats::archive::{ARCHIVE_ID, dictionary, read_records};
pub use formats::columnar::batches::read_batches;
pub use formats::columnar::columns::{REASONS, field_paths as column_paths, needed_columns};
pub use formats::columnar::guarded::guarded;
pub use formats::keep::{extend, extends, joins, keep, lead, replaces_text, rewrite, rewrites};
pub use formats::list::{ListedFormat, list_formats};
pub use formats::read::{field_names, read, read_together};
pub use formats::sample::{Sample, count_lines, spread};
pub use formats::suffixes::{extended, place_of, rewritten};
pub use inputs::decoded::decode_whole;
pub use inputs::discover::{Discovered, discover};
pub use inputs::find_options::{FindOptions, GivenEncoding};
pub use inputs::spool::spool;
pub use inputs::targets::check_targets;
pub use inputs::unpack::{pack, unpack};
pub use inputs::unread::Unread;
pub use keep::{Added, AddedEdit, AddedField, AddedRow, AddedValue, KeptFile, RecordEdit, lacks_line_end, line_end, outside};
pub use pages::charset::{DecodedPage, REPLACED_BYTES, decode_page};
pub use readers::options::{ArchiveRecords, Extract, Extracted, MemoryLimits, OnError, OversizedPart, ReadArchive, ReadOptions};
pub use readers::read::Read;
pub use readers::worker_pool::{ChunkOutcome, ChunkWork};
pub use records::archive_record::{ArchiveRecord, RecordContent, ResponsePlace};
pub use records::fields::{Fields, GivenKind};
pub use records::host_name::host_name;
pub use records::missing::MissingFields;
pub use records::place::{SourceSpan, TextPlace};
pub use records::preference::{MOST_PREFERENCES, Preference, can_be_ranked, unused_values};
pub use records::record::{Chunk, Record};
pub use records::rejects_file::write_rejects;
pub use records::time::{TimeUnit, parse_seconds, parse_time, refuse as refuse_time, write_time};
pub use reject::{Reject, excerpt};
pub use sources::misnamed::OtherKind;
pub use sources::source::{Source, archives};
pub use texts::fetch::CorpusTexts;
pub use unit::PlaceUnit;
