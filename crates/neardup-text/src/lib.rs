//! Text to tokens: the scan, Unicode rules and fingerprints.
//!
//! * [`Text`] is a document's text where it stands: UTF-8, or the inside of a JSON string.
//! * [`Tokeniser`] turns a text into token hashes, at the speed of reading; [`locate`] does the same slowly and
//!   says where each token stands in the original; [`places`] says only that, faster.
//! * [`search_terms`] gives the words of a text, and parts of them, to a search engine; [`query_terms`] asks for them.
//! * [`tiles`] cuts a text into lines or sentences, white space and all.
//! * [`fingerprint`] holds the hashes: of a token, of a shingle, of a sequence of tokens.
//! * [`string_end`] finds the end of a JSON string.
//!
//! A text is brought to NFC and lower case before it is cut. The Unicode version is the one of the pinned data
//! ([`UNICODE_VERSION`]), never that of the compiler.

mod chars;
#[doc(hidden)]
pub mod digest;
mod escape;
pub mod fingerprint;
mod given;
mod jamo;
mod letters;
mod locate;
mod lowered;
mod order;
mod pieces;
mod places;
mod room;
mod scan;
mod search;
mod segmented;
mod sentences;
mod sigma;
#[doc(hidden)]
pub mod simd;
#[doc(hidden)]
pub mod steps;
mod string_end;
mod table;
mod text;
mod tiles;
mod tokeniser;
mod unicode;
mod unit;
mod wide;

pub use given::Given;
pub use locate::{Located, locate};
pub use places::places;
pub use search::{SearchTerm, query_terms, search_terms};
#[doc(hidden)]
pub use string_end::string_end_on;
pub use string_end::{JsonString, string_end};
pub use text::Text;
pub use tiles::tiles;
pub use tokeniser::Tokeniser;
pub use unicode::UNICODE_VERSION;
pub use unit::{Unit, UnknownUnit};
