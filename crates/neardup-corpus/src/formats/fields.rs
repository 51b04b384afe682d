//! Reading of formats with named fields.

use std::io;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, ReadChunks, WorkerPool};
use crate::records::fields::{FieldRoles, Fields};
use crate::reject::RecordError;
use crate::sources::source::Source;
use crate::sources::stream::open;
use crate::texts::fetch::{CorpusTexts, are_in_place};
use crate::texts::spool::Spool;

/// Reads one source whose records have named fields. `chunks` reads its chunks.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    sources: &[Source],
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
    chunks: impl FnOnce(&WorkerPool<'_, T, E>, &Source, &FieldRoles) -> Result<ReadChunks<T>, E>,
) -> Result<Read<T>, E> {
    let source = &sources[0];
    let roles = FieldRoles::of_file(fields, &source.stated_path());
    let spool = if are_in_place(source, fields) { None } else { Some(Spool::open(options.spool, options.resumes)?) };
    let mut pool = WorkerPool::new(vec![&source.name], source.format.unit(), options, roles.html, spool.as_ref(), work);
    pool.given = roles.given;
    pool.note_guess(source);
    let gathered = match refused(source, !pool.stops(), options.control)? {
        Some(refused) => pool.share(1, &|worker, number| {
            let draft = ChunkDraft { number, rows: 1, records: Vec::new(), flaws: vec![refused.clone()] };
            Ok(pool.finish(draft, &mut worker.scratch)?.0)
        })?,
        None => chunks(&pool, source, &roles)?,
    };
    Ok(gathered.with(CorpusTexts::open(sources, fields, options.spool)?))
}

/// Returns the reject of a whole file of text whose bytes are of another kind. `measures` says that its length matters.
fn refused(source: &Source, measures: bool, control: &JobControl) -> Result<Option<RecordError>> {
    let Some(kind) = &source.misnamed else { return Ok(None) };
    let flaw = RecordError::new(1, 0, &[], kind.refuse(&source.name, source.compression));
    if !measures {
        return Ok(Some(flaw));
    }
    if source.is_plain() {
        control.add_bytes(source.bytes);
        return Ok(Some(RecordError { len: source.bytes, ..flaw }));
    }
    let mut bytes = CountedBytes(0);
    let is_whole = io::copy(&mut open(source, control, None)?, &mut bytes).is_ok();
    let flaw = RecordError { len: bytes.0, ..flaw };
    Ok(Some(if is_whole { flaw } else { flaw.open_ended() }))
}

/// Counts the bytes that are written to it.
struct CountedBytes(u64);

impl io::Write for CountedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
