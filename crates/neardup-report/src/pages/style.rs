//! The style of pages that others make of our pieces.

/// The style sheet for what [`render_texts`](crate::render_texts) and [`render_sweeps_plots`](crate::render_sweeps_plots)
/// give, and for all that looks like the report: light and dark, loading nothing.
pub const STYLE: &str = concat!(
    include_str!("../templates/report.css"),
    "\n",
    include_str!("../templates/series.css"),
    "\n",
    include_str!("../templates/sweeps.css"),
    "\n",
    include_str!("../templates/texts.css"),
);
