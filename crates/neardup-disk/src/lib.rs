//! What systems do differently with files: bytes at a place ([`positioned`]), pages in memory ([`pages`]), and waiting for
//! the disk ([`lasting`]).

pub mod lasting;
pub mod pages;
pub mod positioned;
