//! The parts of a drawing.

use serde::Serialize;

/// A drawing: x from the left, y from the top, both in percent of the plot.
#[derive(Default, Serialize)]
pub(crate) struct Chart {
    /// The text for readers who cannot see it.
    pub label: String,
    pub x_title: &'static str,
    pub y_title: &'static str,
    pub x: Vec<Tick>,
    pub y: Vec<Tick>,
    pub bars: Vec<Bar>,
    pub paths: Vec<Path>,
    pub dots: Vec<Dot>,
    pub marks: Vec<Mark>,
}

/// A labelled place on an axis.
#[derive(Serialize)]
pub(crate) struct Tick {
    pub at: String,
    pub text: String,
}

/// A bar on the x axis.
#[derive(Serialize)]
pub(crate) struct Bar {
    pub class: &'static str,
    pub x: String,
    pub width: String,
    pub height: String,
    pub title: String,
}

/// A line or area in SVG path notation.
#[derive(Serialize)]
pub(crate) struct Path {
    pub class: &'static str,
    pub d: String,
}

/// A point.
#[derive(Serialize)]
pub(crate) struct Dot {
    pub class: &'static str,
    pub x: String,
    pub y: String,
    pub title: String,
}

/// A named line from top to bottom. Near the right end its name is on the left, so that it fits on a narrow page.
#[derive(Serialize)]
pub(crate) struct Mark {
    pub at: String,
    pub text: String,
    pub before: bool,
}

impl Mark {
    /// Marks the threshold, on an axis from 0 to 1.
    pub fn threshold(tau: f64) -> Mark {
        Mark { at: place(tau * 100.0), text: format!("threshold {tau}"), before: tau > 0.85 }
    }
}

/// Formats a place in percent with two decimals.
pub(crate) fn place(percent: f64) -> String {
    format!("{percent:.2}")
}

/// A logarithmic axis from `low` to `high`, both at least 1, onto 0..=100.
#[derive(Clone, Copy)]
pub(crate) struct LogAxis {
    low: f64,
    span: f64,
}

impl LogAxis {
    /// Creates an axis from `low` to `high` with a little room at both ends.
    pub fn new(low: u64, high: u64) -> LogAxis {
        let from = (low.max(1) as f64).log10() - 0.15;
        let to = (high.max(10) as f64).log10() + 0.15;
        LogAxis { low: from, span: to - from }
    }

    /// Returns the place of a value of at least 1.
    pub fn at(self, value: u64) -> f64 {
        (((value.max(1) as f64).log10() - self.low) / self.span * 100.0).clamp(0.0, 100.0)
    }

    /// Returns the powers of ten on the axis, with 2 and 5 times each if there are few; every other power if there are many.
    pub fn ticks(self) -> Vec<u64> {
        let top = self.low + self.span;
        let powers = top.floor() as u32 + 1;
        let every = if powers > 7 { 2 } else { 1 };
        let steps: &[u64] = if powers <= 3 { &[1, 2, 5] } else { &[1] };
        let mut ticks = Vec::new();
        for power in (0..powers).step_by(every) {
            for &step in steps {
                let Some(value) = 10u64.checked_pow(power).and_then(|p| p.checked_mul(step)) else {
                    continue;
                };
                let log = (value as f64).log10();
                if log >= self.low && log <= top {
                    ticks.push(value);
                }
            }
        }
        ticks
    }
}
