//! Pages and pieces of pages.

pub(crate) mod pages;
pub(crate) mod texts;
