//! Records: their places, the fields that are used, and the reasons for rejects.

pub(crate) mod archive_record;
pub(crate) mod decimal;
pub(crate) mod field_name;
pub(crate) mod fields;
pub(crate) mod host_name;
pub(crate) mod missing;
pub(crate) mod number;
pub(crate) mod partition;
pub(crate) mod place;
pub(crate) mod preference;
pub(crate) mod record;
pub(crate) mod rejects_file;
pub(crate) mod time;
