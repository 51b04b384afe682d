//! The integration tests of the crate, as one program.

mod output_files;
mod output_folders;
mod owned_folders;
