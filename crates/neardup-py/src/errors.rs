//! Errors of the engine as the classes of `neardup.errors`.

use neardup_engine::{Error, Fault};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Makes the Python exception of an engine error.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    of_fault(py, error.fault(), error.to_string())
}

/// Makes the Python exception of an index error.
pub fn raised_live(py: Python<'_>, error: &neardup_live::Error) -> PyErr {
    match error {
        neardup_live::Error::Damaged { .. } => named(py, "DamagedIndex", error.to_string()),
        _ => of_fault(py, Fault::from(error), error.to_string()),
    }
}

fn of_fault(py: Python<'_>, fault: Fault, message: String) -> PyErr {
    match fault {
        Fault::Interrupted => PyKeyboardInterrupt::new_err(()),
        Fault::Usage => named(py, "UsageError", message),
        Fault::Data => named(py, "DataError", message),
        Fault::Environment => named(py, "EnvironmentFault", message),
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
