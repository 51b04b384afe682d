//! Rejects as a file of JSON lines.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::reject::Reject;

/// Writes rejects as JSON lines to `target`, which is created or overwritten.
pub fn write_rejects<'r>(target: &Path, rejects: impl IntoIterator<Item = &'r Reject>) -> Result<()> {
    let failed = || Error::io(target, "write");
    let mut file = BufWriter::new(File::create(target).map_err(failed())?);
    for reject in rejects {
        serde_json::to_writer(&mut file, reject).map_err(|error| failed()(error.into()))?;
        file.write_all(b"\n").map_err(failed())?;
    }
    file.flush().map_err(failed())
}
