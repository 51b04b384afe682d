//! The tests of the crate from outside, as one program: every further one would link the crate once more.

mod diff;
mod evaluation;
mod html;
mod page;
mod sweeps;
mod texts;
