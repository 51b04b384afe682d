//! Files of an output that many tasks write.

use crate::distributed::message::{Outbox, Row, StageName};
use crate::distributed::plan::Plan;
use crate::tables::parquet_file;
use crate::tables::table::Table;
use crate::{Error, Result};
use arrow_ipc::writer::StreamWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folder of files that are not finished, in the output.
pub const ATTEMPTS: &str = "attempts";

/// Columns of the place of a document, which has none if it has no order except that of its id.
const PLACE: [&str; 2] = ["source", "row"];

fn fail(error: arrow_schema::ArrowError) -> Error {
    Error::Data(error.to_string())
}

/// Writes the rows of a part of a table as a file of their own, or sends them to the caller.
pub fn write_table(plan: &Plan, name: &str, part: u32, table: &dyn Table, outbox: &mut Outbox) -> Result<()> {
    let schema = table.schema();
    let shown: Vec<usize> = (0..schema.fields().len()).filter(|&at| !(plan.by_id && PLACE.contains(&&**schema.field(at).name()))).collect();
    let schema = Arc::new(schema.project(&shown).map_err(fail)?);
    let slice = |rows| table.slice(rows)?.project(&shown).map_err(fail);
    if let Some(output) = &plan.output {
        let file = PathBuf::from(format!("{name}.parquet")).join(format!("part-{part:05}.parquet"));
        return put(output, &file, |path| parquet_file::write(path, &schema, &table.slices(), table.at_once(), &slice));
    }
    let mut stream = StreamWriter::try_new(Vec::new(), &schema).map_err(fail)?;
    for rows in table.slices() {
        stream.write(&slice(rows)?).map_err(fail)?;
    }
    let packed = stream.into_inner().map_err(fail)?;
    outbox.rows.push(Row { stage: StageName::Table, part, packed });
    Ok(())
}

/// Writes a file of the output aside, and puts it into its place when it is complete: a task may be tried several times at once.
pub fn put(output: &Path, file: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let attempts = output.join(ATTEMPTS);
    let make = |folder: &Path| std::fs::create_dir_all(folder).map_err(Error::file(folder, "make the folder"));
    make(&attempts)?;
    let folder = tempfile::tempdir_in(&attempts).map_err(Error::file(&attempts, "make a folder"))?;
    let (aside, target) = (folder.path().join("part"), output.join(file));
    write(&aside)?;
    target.parent().map_or(Ok(()), make)?;
    std::fs::rename(&aside, &target).map_err(Error::file(&target, "write"))
}
