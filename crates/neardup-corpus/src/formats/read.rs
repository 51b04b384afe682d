use crate::error::{Error, Result};
use crate::format::{Compression, Format};
use crate::formats::whole_files::read_files;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{Work, WorkerPool};
use crate::records::fields::{FieldRoles, Fields};
use crate::sources::source::Source;
use crate::texts::fetch::{Texts, stand_in_place};
use crate::texts::spool::Spool;

/// Reads one source and does `work` on each chunk of its records, in parallel; results come in the order of the source.
///
/// The records, their rows and the first error do not depend on the number of threads nor on the size of chunks.
/// Errors: a bad record (by `on_error`), a file that cannot be read, a missing column, what `work` gives, cancelling.
pub fn read<T: Send, E: From<Error> + Send>(
    source: &Source,
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn Work<T, E>,
) -> Result<Read<T>, E> {
    if source.is_stdin() {
        return Err(unsupported(source, "the standard input must be spooled before it is read"));
    }
    match source.format {
        Format::Plain | Format::Markup => {
            return read_files(std::slice::from_ref(source), options, work);
        }
        Format::Archive => {
            return Err(unsupported(source, "the records of an archive must be read by an archive reader"));
        }
        Format::Jsonl | Format::Csv(_) | Format::Parquet => {}
    }
    let roles = FieldRoles::new(fields);
    let spool = if stand_in_place(source, fields) { None } else { Some(Spool::open(options.spool, options.goes_on)?) };
    let mut crew = WorkerPool::new(vec![&source.name], source.format.unit(), options, roles.html, spool.as_ref(), work);
    crew.given = roles.given;
    let gathered = match (source.format, source.compression) {
        (Format::Csv(dialect), _) => crate::formats::csv::reader::read(&crew, source, &roles, fields.dialect(dialect)),
        (Format::Parquet, _) => crate::formats::parquet::read(&crew, source, &roles),
        (_, Compression::None) => crate::formats::json::reader::read(&crew, source, &roles),
        _ => crate::formats::json::stream::read(&crew, source, &roles),
    }?;
    Ok(gathered.with(Texts::open(std::slice::from_ref(source), fields, options.spool)?))
}

fn unsupported<E: From<Error>>(source: &Source, reason: &'static str) -> E {
    Error::Unsupported { name: source.name.clone(), reason }.into()
}
