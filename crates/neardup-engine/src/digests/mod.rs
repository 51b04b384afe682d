//! Digests of tables, by rows as bytes and sums of their hashes. They know no table and no document.

pub(crate) mod row_bytes;
pub(crate) mod row_sum;
