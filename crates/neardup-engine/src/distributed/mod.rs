//! A run that an engine spreads over many machines: its driver, and its tasks over packed messages.
//!
//! Documents are signed at their homes, which send rows of keys. Documents that share a key are linked, unless their sketches prove
//! that they cannot match. A family of linked documents is compared in one task by an ordinary run, in policy order, and the verdicts
//! are sent home. Each such run receives two facts of the whole corpus that it cannot compute itself: the keys above their cap, and
//! the lexicon.

mod driver;
mod family;
mod home;
mod key_limits;
mod known;
mod message;
mod met_hashes;
mod output;
mod packed_lexicon;
mod past;
mod plan;
mod records;
mod sent_tables;
mod signing_pass;
mod sources;
mod stages;
mod tally;

pub use driver::{Division, Driver, ROWS, StageStep, Step};
pub use message::{Row, StageName};
pub use packed_lexicon::{pack_lexicon, unpack_lexicon};
pub use plan::Plan;
pub use sent_tables::{SentTables, TableSize, needed, pack};
pub use sources::Sources;
pub use stages::StageTask;
