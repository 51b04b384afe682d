//! Reading of formats with named fields.

use crate::error::{Error, Result};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, ReadChunks, WorkerPool};
use crate::records::fields::{FieldRoles, Fields};
use crate::sources::source::Source;
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
    let gathered = chunks(&pool, source, &roles)?;
    Ok(gathered.with(CorpusTexts::open(sources, fields, options.spool)?))
}
