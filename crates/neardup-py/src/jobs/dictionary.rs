//! A dictionary of options from Python.

use crate::errors::usage;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Display;
use std::str::FromStr;

/// Options by name.
pub struct Dictionary<'py> {
    py: Python<'py>,
    given: Bound<'py, PyDict>,
}

impl<'py> Dictionary<'py> {
    /// Wraps a dictionary.
    pub fn new(given: &Bound<'py, PyDict>) -> Self {
        Dictionary { py: given.py(), given: given.clone() }
    }

    /// Returns a value as a Python object; `None` if it is missing or None.
    pub fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.given.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// Returns a value of a type; `None` if it is missing or None. A value of another type is a usage error.
    pub fn get<T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        let read = value.extract::<T>().map(Some);
        read.map_err(|error| usage(self.py, format!("{name} is {value}: {}", error.into().value(self.py))))
    }

    /// Returns a value that is written as its name; `None` if it is missing or None.
    pub fn parse<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        let value = self.get::<String>(name)?;
        value.map(|value| value.parse()).transpose().map_err(|error: T::Err| usage(self.py, error.to_string()))
    }
}
