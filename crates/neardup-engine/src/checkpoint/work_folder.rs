//! The folder in which a run works.

use crate::checkpoint::ledger;
use crate::checkpoint::output::{Output, WORK};
use crate::resources::threads::with_threads;
use crate::{Error, Result};
use std::path::Path;

/// Calls `work` with `threads` threads and a work folder. With a `target` the folder is in its unfinished output, which appears
/// when all is done; otherwise it is temporary.
pub fn at_work<T: Send>(
    target: Option<&Path>,
    overwrite: bool,
    threads: usize,
    work: impl FnOnce(&Path, Option<&Output>) -> Result<T> + Send,
) -> Result<T> {
    let Some(target) = target else {
        let folder = tempfile::tempdir().map_err(|error| Error::file(&std::env::temp_dir(), "make a work folder")(error))?;
        return with_threads(threads, || work(folder.path(), None)).map_err(|error| error.in_folder(folder.path(), || false));
    };
    let aside = Output::aside(target)?;
    let with_folder = |error: Error| error.in_folder(&aside, || ledger::has_entries(&aside.join(WORK)));
    let output = Output::open(target, overwrite).map_err(with_folder)?;
    let folder = output.work().map_err(with_folder)?;
    match with_threads(threads, || work(&folder, Some(&output))) {
        Ok(outcome) => {
            ledger::clean_up(&folder)?;
            output.finish().map_err(with_folder)?;
            Ok(outcome)
        }
        Err(error) => {
            let error = with_folder(error.at(&folder));
            if !ledger::has_entries(&folder) {
                // Of two errors, the first is the one to be reported.
                let _ = output.give_up();
            }
            Err(error)
        }
    }
}
