//! Going on: an interrupted run leaves its signed corpus, and the same command takes it up.

use crate::catalogue::{Catalogue, Shelf};
use crate::job::{Input, Job};
use crate::sign::{groups, sign};
use crate::signed::Signed;
use crate::watch::Watch;
use crate::{Error, Result};
use neardup_core::pass::Pass;
use neardup_core::segment::Segment;
use neardup_core::segments::Segments;
use neardup_core::store::Store;
use neardup_corpus::{Reject, Source, Texts};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

const STATE: &str = "signed.json";
const COLUMNS: &str = "columns";

/// What signing left, beside its columns.
#[derive(Serialize, Deserialize)]
struct State {
    key: String,
    end: u64,
    reference: u32,
    names: Vec<String>,
    parts: Vec<(Shelf, Segment)>,
    rejects: Vec<Reject>,
    reference_rejects: usize,
}

/// The signed documents of a job: taken up from `work` if the same job left them there, else signed now.
pub fn signed(job: &mut Job<'_>, pass: &Pass, sources: &[Source], against: &[Source], work: &Path, watch: &Watch) -> Result<Signed> {
    let key = key(job, sources, against)?;
    if let Some(signed) = key.as_deref().and_then(|key| taken_up(key, job, sources, against, work)) {
        return Ok(signed);
    }
    let path = work.join(COLUMNS);
    let file = File::options().create(true).truncate(true).read(true).write(true).open(&path).map_err(Error::file(&path, "write"))?;
    let signed = sign(job, pass, sources, against, Store::new(file, 0), work, watch)?;
    if let Some(key) = key {
        leave(key, &signed, work)?;
    }
    Ok(signed)
}

/// What decides the outcome of signing; None when it cannot be had twice, as with streams.
fn key(job: &Job<'_>, sources: &[Source], against: &[Source]) -> Result<Option<String>> {
    let streams = |input: &Input| matches!(input, Input::Streams(_));
    let stdin = sources.iter().chain(against).any(|source| source.name == "-");
    if job.output.is_none() || stdin || streams(&job.input) || job.against.as_ref().is_some_and(streams) {
        return Ok(None);
    }
    let mut key = format!(
        "{} {} {} {:?} {:?} {}\n",
        env!("CARGO_PKG_VERSION"),
        neardup_text::UNICODE_VERSION,
        job.scheme,
        job.fields,
        job.on_error,
        sources.len()
    );
    for source in sources.iter().chain(against) {
        let changed = fs::metadata(&source.path).and_then(|data| data.modified()).map_err(Error::file(&source.path, "read"))?;
        key += &format!("{} {} {changed:?}\n", source.path.display(), source.bytes);
    }
    Ok(Some(blake3::hash(key.as_bytes()).to_hex().to_string()))
}

fn leave(key: String, signed: &Signed, work: &Path) -> Result<()> {
    let path = work.join(STATE);
    let parts = signed.catalogue.shelves().iter().copied().zip(signed.segments.iter().map(|(_, segment)| *segment)).collect();
    let state = State {
        key,
        end: signed.segments.store().end(),
        reference: signed.reference,
        names: signed.catalogue.sources.clone(),
        parts,
        rejects: signed.rejects.clone(),
        reference_rejects: signed.reference_rejects,
    };
    let text = serde_json::to_vec(&state).map_err(Error::file(&path, "write"))?;
    // Named when it is whole: a state that is there can be trusted.
    let aside = path.with_extension("new");
    fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path)).map_err(Error::file(&path, "write"))
}

// Whatever does not fit is not an error: the work is done again.
fn taken_up(key: &str, job: &Job<'_>, sources: &[Source], against: &[Source], work: &Path) -> Option<Signed> {
    let state: State = serde_json::from_slice(&fs::read(work.join(STATE)).ok()?).ok()?;
    let file = File::options().read(true).write(true).open(work.join(COLUMNS)).ok()?;
    if state.key != key || file.metadata().ok()?.len() < state.end {
        return None;
    }
    let store = Arc::new(Store::new(file, state.end));
    let (shelves, segments): (Vec<Shelf>, Vec<Segment>) = state.parts.into_iter().unzip();
    let mut readings = Vec::new();
    for group in groups(sources).chain(groups(against)) {
        readings.push(Texts::open(group, &job.fields, &work.join(format!("texts-{}", readings.len()))).ok()?);
    }
    Some(Signed {
        segments: Segments::new(Arc::clone(&store), segments),
        catalogue: Catalogue::new(store, shelves, state.names, job.fields.id.is_some()),
        reference: state.reference,
        rejects: state.rejects,
        reference_rejects: state.reference_rejects,
        readings,
        set_aside: Vec::new(),
    })
}
