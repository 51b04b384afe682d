use std::collections::BTreeMap;
use std::fs::File;

use crate::crew::{Crew, Desk, Failure, Gathered, Outcome, Work};
use crate::cut::{Cutter, Piece};
use crate::error::{Error, Result};
use crate::fields::{Fields, Roles};
use crate::files::read_files;
use crate::finish::Draft;
use crate::format::{Compression, Format};
use crate::lines::Lines;
use crate::options::ReadOptions;
use crate::record::reuse;
use crate::reject::Reject;
use crate::source::Source;
use crate::spool::Spool;
use crate::texts::{Texts, stand_in_place};
use crate::unit::Unit;

/// What reading left.
#[derive(Debug)]
pub struct Read<T> {
    /// What rows are counted in.
    pub unit: Unit,
    /// What the work gave for each chunk, in the order of the source.
    pub chunks: Vec<T>,
    /// For each chunk the rows before it: add it to [`crate::Record::row`].
    pub rows_before: Vec<u64>,
    /// All rows of the source.
    pub rows: u64,
    /// All records that were worked on.
    pub records: u64,
    /// The records that could not be used, in order; empty when such records stop the run.
    pub rejects: Vec<Reject>,
    /// Records that are no documents, by what they are.
    pub passed_over: PassedOver,
    /// The texts, to be fetched again.
    pub texts: Texts,
}

/// How many records of a source are no documents, by what they are.
pub type PassedOver = BTreeMap<String, u64>;

impl<T> Gathered<T> {
    pub fn with(self, texts: Texts) -> Read<T> {
        let Gathered { unit, chunks, rows_before, rows, records, rejects } = self;
        Read { unit, chunks, rows_before, rows, records, rejects, passed_over: PassedOver::new(), texts }
    }
}

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
    let roles = Roles::new(fields);
    let spool = if stand_in_place(source, fields) { None } else { Some(Spool::open(options)?) };
    let mut crew = Crew::new(vec![&source.name], source.format.unit(), options, roles.html, spool.as_ref(), work);
    crew.given = roles.given;
    let gathered = match (source.format, source.compression) {
        (Format::Csv(dialect), _) => crate::csv::read(&crew, source, &roles, fields.dialect(dialect)),
        (Format::Parquet, _) => crate::parquet::read(&crew, source, &roles),
        (_, Compression::None) => read_lines(&crew, source, &roles),
        _ => crate::stream::read(&crew, source, &roles),
    }?;
    Ok(gathered.with(Texts::open(std::slice::from_ref(source), fields, options.spool)?))
}

fn unsupported<E: From<Error>>(source: &Source, reason: &'static str) -> E {
    Error::Unsupported { name: source.name.clone(), reason }.into()
}

/// JSON lines of an uncompressed file: each thread reads the part of its chunk itself.
fn read_lines<T: Send, E: From<Error> + Send>(crew: &Crew<'_, T, E>, source: &Source, roles: &Roles) -> Result<Gathered<T>, E> {
    let file = File::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let len = file.metadata().map_err(Error::io(&source.path, "read"))?.len();
    let longest = crew.options.max_record();
    let lines = Lines { roles, longest };
    let cutter = Cutter { file: &file, len, chunk: crew.options.chunk_bytes() as u64, longest };
    let count = usize::try_from(len.div_ceil(cutter.chunk)).unwrap_or(usize::MAX);
    let only = crew.options.only;
    crew.share(only.map_or(count, <[usize]>::len), &|desk: &mut Desk<T, E>, place| {
        let number = only.map_or(place, |only| only[place]);
        let outcome = match crew.recall(number) {
            Some(outcome) => outcome,
            None => {
                let mut permit = None;
                let mut grow = |bytes: usize| {
                    if permit.is_none() {
                        permit = crew.permit(bytes);
                    }
                };
                let piece = cutter.cut(number as u64, &mut desk.buffer, &mut grow).map_err(Error::io(&source.path, "read"))?;
                let outcome = work_on(crew, &lines, number, piece, &desk.buffer, &mut desk.records, &mut desk.scratch);
                crew.trim(&mut desk.buffer);
                outcome?
            }
        };
        crew.options.control.add_bytes(cutter.share(number as u64));
        Ok(outcome)
    })
}

/// Reads the records of whole lines and finishes them; `piece` says what of `buffer` they are.
pub(crate) fn work_on<T: Send, E: From<Error> + Send>(
    crew: &Crew<'_, T, E>,
    lines: &Lines<'_>,
    number: usize,
    piece: Piece,
    buffer: &[u8],
    spare: &mut Vec<crate::record::Record<'static>>,
    scratch: &mut Vec<u8>,
) -> Result<Outcome<T>, Failure<E>> {
    let mut records = reuse(std::mem::take(spare));
    let mut flaws = Vec::new();
    let mut rows = lines.read(&buffer[piece.start..piece.end], piece.offset, &mut records, &mut flaws);
    if let Some(mut flaw) = piece.tail {
        rows += 1;
        flaw.row = rows;
        flaws.push(flaw);
    }
    let (outcome, emptied) = crew.finish(Draft { number, rows, records, flaws }, scratch)?;
    *spare = emptied;
    Ok(outcome)
}
