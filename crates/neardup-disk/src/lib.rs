//! What systems do differently with files: bytes at a place ([`positioned`]), pages in memory ([`pages`]), and waiting for
//! the disk ([`durable`]); and what of the disk is neardup's: folders that it marks as its own ([`owned`]), and outputs, which
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
