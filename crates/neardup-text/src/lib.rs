//! Text to tokens: the scan, Unicode rules and fingerprints.
//!
//! * [`Text`] is a view of a document's text: UTF-8, or the inside of a JSON string.
//! * [`Tokeniser`] turns a text into token hashes, at reading speed. [`locate`] does the same slowly and also returns where each
//!   token is in the original. [`places`] returns only these ranges, faster, and [`written_tokens`] the tokens themselves.
//! * [`search_terms`] returns the words of a text and their parts, for a search engine. [`query_terms`] returns those of a query.
//! * [`normal_form`] returns the text that is cut into words.
//! * [`tiles`] cuts a text into lines or sentences that include all white space.
//! * [`fingerprint`] contains the hashes: of a token, of a shingle, of a sequence of tokens.
//! * [`string_end`] finds the end of a JSON string.
//!
//! A text is converted to its normal form before it is cut, by the rules of docs/reference/contract.md, whose version is
//! [`TOKENS_VERSION`]. The Unicode version is that of the pinned data ([`UNICODE_VERSION`]), never that of the compiler.

pub mod fingerprint;
mod fold;
mod json;
mod names;
mod normal;
mod places;
mod scan;
mod search;
#[doc(hidden)]
pub mod simd;
#[doc(hidden)]
pub mod steps;
mod text;
mod tokeniser;
mod unicode;
mod units;
mod version;

pub use fold::{Fold, Folds};
#[doc(hidden)]
pub use json::string_end::string_end_on;
pub use json::string_end::{JsonString, string_end};
pub use places::locate::{Located, WrittenToken, locate, written_tokens};
pub use places::spans::places;
pub use scan::whole::normal_form;
pub use search::{SearchTerm, query_terms, search_terms};
pub use text::Text;
pub use tokeniser::Tokeniser;
pub use unicode::UNICODE_VERSION;
pub use units::comments::{CommentStyle, Comments};
pub use units::given::GivenValue;
pub use units::rules::TokenRules;
pub use units::tiles::tiles;
pub use units::unit::{Unit, UnknownUnit};
pub use version::{TOKENS_VERSION, TokensVersion};
