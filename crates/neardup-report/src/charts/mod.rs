//! The drawings of the pages, as places in percent, which the templates draw.
//!
//! Colours and type come from the style sheet, so a drawing follows light and dark, and labels have the same size at any width.

mod amount;
mod chart;
mod clusters;
mod curve;
mod histogram;
mod precision;
mod steps;
mod survival;
mod timeline;

pub(crate) use amount::{amount, changes};
pub(crate) use chart::place;
pub(crate) use clusters::clusters;
pub(crate) use curve::curve;
pub(crate) use histogram::histogram;
pub(crate) use precision::{SERIES, precision};
pub(crate) use steps::steps;
pub(crate) use survival::survival;
pub(crate) use timeline::timeline;
