//! The integration tests of the crate, as one program: each further program would link the crate once more.

mod changes;
mod diff;
mod evaluation;
mod html;
mod page;
mod sweeps;
mod texts;
