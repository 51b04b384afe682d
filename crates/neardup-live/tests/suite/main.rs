//! The integration tests of the crate, as one program: each further program would link the crate once more.
//!
//! All of them run on Linux. Modules for Unix start child processes by a shell or write into the middle of files. Modules for
//! Linux need a device that is always full.

#[cfg(unix)]
mod children;
#[cfg(unix)]
mod index_damage;
#[cfg(target_os = "linux")]
mod index_disk;
#[cfg(target_os = "linux")]
mod index_faults;
mod index_forged;
#[cfg(unix)]
mod index_kills;
#[cfg(unix)]
mod index_repair;
#[cfg(unix)]
mod index_sharing;
mod index_texts;
mod living;
mod model;
mod split;
mod split_kills;
#[cfg(unix)]
mod storage_folder;
mod storage_log;
#[cfg(unix)]
mod storage_log_damage;
#[cfg(unix)]
mod storage_sections;
#[cfg(unix)]
mod storage_stops;
