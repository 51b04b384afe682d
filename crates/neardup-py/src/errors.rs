//! Errors of the engine as the classes of `neardup.errors`.

use neardup_engine::{Error, Fault};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Makes the Python exception of an engine error.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    match error.fault() {
        Fault::Interrupted => PyKeyboardInterrupt::new_err(()),
        Fault::Usage => named(py, "UsageError", error.to_string()),
        Fault::Data => named(py, "DataError", error.to_string()),
        Fault::Environment => named(py, "EnvironmentFault", error.to_string()),
    }
}

/// Makes the Python exception of an index error.
pub fn raised_live(py: Python<'_>, error: &neardup_live::Error) -> PyErr {
    use neardup_live::Error as Live;
    match error {
        Live::Usage(_) | Live::Core(_) => named(py, "UsageError", error.to_string()),
        Live::Data(_) | Live::Damaged { .. } => named(py, "DataError", error.to_string()),
        _ => named(py, "EnvironmentFault", error.to_string()),
    }
}

/// Makes a `UsageError`.
pub fn usage(py: Python<'_>, message: impl Into<String>) -> PyErr {
    named(py, "UsageError", message.into())
}

/// Makes a `DataError`.
pub fn data(py: Python<'_>, message: impl Into<String>) -> PyErr {
    named(py, "DataError", message.into())
}

fn named(py: Python<'_>, class: &str, message: String) -> PyErr {
    let made = py.import("neardup.errors").and_then(|module| module.getattr(class)?.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}
