//! The page a run leaves: one HTML file that explains it.
//!
//! Fill a [`Report`] with the figures of a run and some of its texts, and [`render`] makes a page of it that opens
//! offline, runs no script, loads nothing and stays within its [`Limits`]. [`texts::diff::words`] serves the
//! terminal too. An [`Evaluation`] of schemes against labels gets a page of the same kind from [`render_evaluation`],
//! so do the most repeated passages of a corpus from [`render_repeats`], and so does the life of pages over several [`Sweeps`] from [`render_sweeps`].
//!
//! Pages that others make have the same look by [`STYLE`], and the same pieces: [`render_texts`] and
//! [`render_sweeps_plots`].

mod charts;
mod content;
mod error;
mod escape;
pub mod number;
mod pages;
mod studies;
pub mod texts;

pub use content::capped::{CappedKey, Over};
pub use content::cluster::Cluster;
pub use content::cluster_table::ClusterTable;
pub use content::counts::Counts;
pub use content::document::Document;
pub use content::evidence::{Decided, Evidence, Rule};
pub use content::fraction::Fraction;
pub use content::histogram::{BINS, Histogram};
pub use content::input::Input;
pub use content::limits::Limits;
pub use content::member::Member;
pub use content::pair::Pair;
pub use content::phase::{Phase, Work};
pub use content::recall::{Chance, Keys, Recall};
pub use content::report::{Job, Report};
pub use content::step::Step;
pub use error::Error;
pub use pages::evaluation::render_evaluation;
pub use pages::repeated_passages::render_repeats;
pub use pages::report::render;
pub use pages::style::STYLE;
pub use pages::sweeps::{render_sweeps, render_sweeps_plots};
pub use studies::evaluation::{BCubed, Cost, Curve, CurvePoint, Estimate, Evaluation, PairScore, PhaseTime, SchemeEvaluation, Truth};
pub use studies::repeated_passages::{RepeatedPassage, Repeats};
pub use studies::sweeps::{Cohort, Interval, Kinds, Sweeps};
pub use texts::highlight::Lit;
pub use texts::side_by_side::render_texts;
