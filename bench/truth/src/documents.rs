//! Reading documents: one JSON object a line.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Map, Value};

/// Calls `visit(id, text)` for every line of the file, in order.
///
/// A numeric id is taken as it is written. Fails, with file and line, on a line that is not a JSON object, on a missing or
/// wrongly typed field, and on an id that occurred before.
pub fn read(path: &Path, id_field: &str, text_field: &str, mut visit: impl FnMut(&str, &str)) -> Result<(), String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut line, mut number) = (Vec::new(), 0_u64);
    let mut seen = HashSet::new();
    loop {
        line.clear();
        number += 1;
        let place = |what: String| format!("{}:{number}: {what}", path.display());
        if reader.read_until(b'\n', &mut line).map_err(|error| place(error.to_string()))? == 0 {
            return Ok(());
        }
        let record: Map<String, Value> = serde_json::from_slice(&line).map_err(|error| place(error.to_string()))?;
        let id = match record.get(id_field) {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => {
                return Err(place(format!("the field `{id_field}` must be a string or a number")));
            }
        };
        let Some(Value::String(text)) = record.get(text_field) else {
            return Err(place(format!("the field `{text_field}` must be a string")));
        };
        visit(&id, text);
        if let Some(id) = seen.replace(id) {
            return Err(place(format!("the id {id:?} occurs twice")));
        }
    }
}
