//! The report page of a run: one HTML file that explains it.
//!
//! Fill a [`Report`] with the figures of a run and some of its texts, and [`render`] makes a page of it. The page opens offline,
//! runs no script, loads nothing and stays within its [`PageLimits`]. [`texts::diff::words`] serves the terminal, too. Four
//! other pages are of the same kind: [`render_evaluation`] renders an [`Evaluation`] of schemes against labels,
//! [`render_repeats`] the most repeated passages of a corpus, [`render_sweeps`] the life of pages over several [`Sweeps`], and
//! [`render_changes`] the [`SweepChanges`] between them, page by page.
//!
//! Pages that are made elsewhere get the same look from [`STYLE`], and the same pieces from [`render_texts`] and
//! [`render_sweeps_plots`].

mod charts;
mod content;
mod error;
mod escape;
pub mod number;
mod pages;
mod studies;
pub mod texts;

pub use content::capped::{CappedFate, CappedKey};
pub use content::cluster::Cluster;
pub use content::cluster_table::ClusterTable;
pub use content::counts::Counts;
pub use content::document::ShownDocument;
pub use content::evidence::{Decided, Evidence, Rule};
pub use content::fraction::Fraction;
pub use content::group::ReportedGroup;
pub use content::histogram::{BINS, Histogram};
pub use content::input::InputFile;
pub use content::limits::PageLimits;
pub use content::member::ClusterMember;
pub use content::pair::ShownPair;
pub use content::phase::{Phase, PhaseWork};
pub use content::recall::{Chance, KeyRequirement, Recall};
pub use content::report::{Report, ReportedJob};
pub use content::step::ThresholdStep;
pub use error::Error;
pub use pages::changes::render_changes;
pub use pages::evaluation::render_evaluation;
pub use pages::repeated_passages::render_repeats;
pub use pages::report::render;
pub use pages::style::STYLE;
pub use pages::sweeps::{render_sweeps, render_sweeps_plots};
pub use studies::changes::{ChangedInterval, ListedStep, StepList, SweepChanges};
pub use studies::evaluation::{
    BCubed, Curve, CurvePoint, Evaluation, PairScore, PhaseTime, Proportion, SchemeCost, SchemeEvaluation, Truth,
};
pub use studies::repeated_passages::{RepeatedPassage, RepeatedStudy};
pub use studies::sweeps::{Cohort, Kinds, SweepInterval, Sweeps};
pub use texts::highlight::HighlightedText;
pub use texts::side_by_side::render_texts;
