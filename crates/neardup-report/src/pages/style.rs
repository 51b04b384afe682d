//! The style of pages that are made elsewhere from the pieces of this crate.

/// The style sheet for the output of [`render_texts`](crate::render_texts) and
/// [`render_sweeps_plots`](crate::render_sweeps_plots), and for all pages that look like the report: light and dark, loading
/// nothing.
pub const STYLE: &str = concat!(
    include_str!("../templates/report.css"),
    "\n",
    include_str!("../templates/series.css"),
    "\n",
    include_str!("../templates/sweeps.css"),
    "\n",
    include_str!("../templates/texts.css"),
);
