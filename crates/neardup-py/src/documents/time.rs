//! Times, as documents contain them and as they are returned.

use crate::errors::{data, usage};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// A point in time.
#[derive(IntoPyObject)]
pub enum Time {
    /// Unix seconds.
    Seconds(i64),
    /// A date or date-time.
    Written(String),
}

impl Time {
    /// Returns whole seconds as a number, and any finer time as a date-time.
    pub fn of(micros: i64) -> Time {
        let seconds = Time::Seconds(micros.div_euclid(1_000_000));
        if micros % 1_000_000 == 0 { seconds } else { neardup_corpus::write_time(micros).map_or(seconds, Time::Written) }
    }

    /// Returns the time in microseconds since 1970; the error names the value.
    pub fn micros(&self) -> Result<i64, String> {
        match self {
            Time::Seconds(seconds) => neardup_corpus::parse_seconds(&seconds.to_string()),
            Time::Written(written) => neardup_corpus::parse_time(written),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let written = || given.extract::<String>().map(Time::Written);
        // In Python, True is an integer.
        let is_truth = given.is_instance_of::<PyBool>();
        let time = if is_truth { written() } else { given.extract::<i64>().map(Time::Seconds).or_else(|_| written()) };
        time.map_err(|_| PyValueError::new_err(neardup_corpus::refuse_time(&given.to_string(), neardup_corpus::TimeUnit::S)))
    }
}

#[pyfunction]
pub fn parse_time(py: Python<'_>, text: &str) -> PyResult<i64> {
    neardup_corpus::parse_time(text).map(|micros| micros.div_euclid(1_000_000)).map_err(|reason| usage(py, reason))
}

#[pyfunction]
pub fn to_micros(py: Python<'_>, time: &Bound<'_, PyAny>) -> PyResult<i64> {
    let time: Time = time.extract().map_err(|error: PyErr| data(py, error.value(py).to_string()))?;
    time.micros().map_err(|reason| data(py, reason))
}

#[pyfunction]
pub fn of_micros(micros: i64) -> Time {
    Time::of(micros)
}

#[pyfunction]
pub fn write_time(micros: i64) -> Option<String> {
    neardup_corpus::write_time(micros)
}
