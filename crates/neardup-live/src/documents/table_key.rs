//! Keys with their tables.

/// A key and the table it is in, as one number.
pub type TableKey = u64;

/// Returns the table and the key in a [`TableKey`].
pub fn table_and_key(key: TableKey) -> (usize, u32) {
    ((key >> 32) as usize, key as u32)
}

/// 2^64 divided by the golden ratio. A multiplication by it spreads a key's bits to the highest ones, which select the slot.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
