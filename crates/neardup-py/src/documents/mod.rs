//! Documents from Python: tables, files, streams, archives.

pub(crate) mod archive;
pub(crate) mod charset;
pub(crate) mod collect;
pub(crate) mod columns;
pub(crate) mod decoded;
pub(crate) mod extract;
pub(crate) mod formats;
pub(crate) mod labels;
pub(crate) mod places;
pub(crate) mod table;
pub(crate) mod time;
