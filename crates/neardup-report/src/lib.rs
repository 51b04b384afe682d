//! The page a run leaves: one HTML file that explains it.
//!
//! Fill a [`Report`] with the figures of a run and some of its texts, and [`render`] makes a page of it that opens
//! offline, runs no script, loads nothing and stays within its [`Limits`]. [`diff::words`] serves the
//! terminal too. An [`Evaluation`] of schemes against labels gets a page of the same kind from [`render_evaluation`],
//! so do the most repeated passages of a corpus from [`render_repeats`], and so does the life of pages over several [`Sweeps`] from [`render_sweeps`].
//!
//! Pages that others make have the same look by [`STYLE`], and the same pieces: [`render_texts`] and
//! [`render_sweeps_plots`].

mod capped;
mod cell;
mod charts;
mod cluster;
mod compare;
mod counts;
pub mod diff;
mod document;
mod error;
mod escape;
mod evaluation;
mod evaluation_page;
mod evidence;
mod fraction;
mod histogram;
mod input;
mod limits;
mod lit;
mod member;
pub mod number;
mod page;
mod pair;
mod phase;
mod recall;
mod repeats;
mod repeats_page;
mod report;
mod step;
mod style;
mod sweeps;
mod sweeps_page;
mod table;
mod view;

pub use capped::{CappedKey, Over};
pub use cluster::Cluster;
pub use compare::render_texts;
pub use counts::Counts;
pub use document::Document;
pub use error::Error;
pub use evaluation::{BCubed, Cost, Curve, CurvePoint, Estimate, Evaluation, PairScore, PhaseTime, SchemeEvaluation, Truth};
pub use evaluation_page::render_evaluation;
pub use evidence::{Decided, Evidence, Rule};
pub use fraction::Fraction;
pub use histogram::{BINS, Histogram};
pub use input::Input;
pub use limits::Limits;
pub use lit::Lit;
pub use member::Member;
pub use page::render;
pub use pair::Pair;
pub use phase::{Phase, Work};
pub use recall::{Chance, Keys, Recall};
pub use repeats::{RepeatedPassage, Repeats};
pub use repeats_page::render_repeats;
pub use report::{Job, Report};
pub use step::Step;
pub use style::STYLE;
pub use sweeps::{Cohort, Interval, Kinds, Sweeps};
pub use sweeps_page::{render_sweeps, render_sweeps_plots};
pub use table::ClusterTable;
