//! Columns: typed values in a mapped file, held beside the map they stand in.

use crate::sections::Sections;
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ops::{Deref, Range};

/// The values of one section.
pub struct Column<T> {
    sections: Sections,
    bytes: Range<usize>,
    kind: PhantomData<T>,
}

impl<T: Pod> Column<T> {
    /// The values in these bytes of the file, which hold a whole number of them, aligned.
    pub(crate) fn new(sections: Sections, bytes: Range<usize>) -> Self {
        Column { sections, bytes, kind: PhantomData }
    }
}

impl<T: Pod> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.sections.bytes()[self.bytes.clone()])
    }
}
