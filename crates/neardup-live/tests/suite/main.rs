//! The tests of the crate from outside, as one program: every further one would link the crate once more.

mod children;
mod index_damage;
mod index_disk;
mod index_faults;
mod index_forged;
mod index_kills;
mod index_sharing;
mod index_texts;
mod living;
mod model;
mod split;
mod storage_folder;
mod storage_log;
mod storage_log_damage;
mod storage_sections;
mod storage_stops;
