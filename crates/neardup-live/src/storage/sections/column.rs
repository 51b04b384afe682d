//! Columns: typed values in a mapped file, which keep the map alive.

use crate::Result;
use crate::storage::sections::{Inner, Sections};
use bytemuck::Pod;
use std::ops::Deref;
use std::sync::Arc;
use yoke::Yoke;

/// The values of one section.
pub struct MappedColumn<T: Pod>(Yoke<&'static [T], Arc<Inner>>);

impl<T: Pod> MappedColumn<T> {
    /// Creates the column of the values that `get` returns from the file.
    pub(crate) fn new(sections: &Sections, get: impl FnOnce(&Inner) -> Result<&[T]>) -> Result<Self> {
        Yoke::<&'static [T], _>::try_attach_to_cart(Arc::clone(&sections.0), get).map(MappedColumn)
    }
}

impl<T: Pod> Deref for MappedColumn<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.get()
    }
}
