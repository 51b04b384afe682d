//! Files and folders on disk.
//!
//! Some file operations differ between systems: bytes at an offset ([`positioned`]), pages in memory ([`pages`]), and waiting for
//! the disk ([`durable`]). The other modules decide which files are neardup's: it marks its folders ([`owned`]), and its outputs
//! appear when they are complete ([`OutputFolder`], [`OutputFile`]).

mod claims;
pub mod durable;
mod error;
mod marker;
mod output_file;
mod output_folder;
pub mod owned;
pub mod pages;
pub mod positioned;
pub mod regular;

pub use claims::Claim;
pub use error::{Error, Result};
pub use output_file::OutputFile;
pub use output_folder::OutputFolder;
