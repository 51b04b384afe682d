//! The tests of the crate from outside, as one program.

mod output_files;
mod output_folders;
mod owned_folders;
