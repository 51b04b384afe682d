//! The identity of a run. Two runs of one identity have the same outcome, so one can resume the other.

use crate::checkpoint::file_state;
use crate::digests::row_sum::DIGEST_VERSION;
use crate::job::{Input, Job};
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_corpus::Source;
use neardup_text::TokensVersion;

/// Returns the version of the tokens, and a digest of everything that decides the outcome of a job, including the contents of the files
/// that the scheme names.
/// Threads, chunks and memory do not decide it. Returns `None` if the run cannot be repeated: it has no output folder, or reads
/// the standard input or a stream.
pub fn key(job: &Job<'_>, passes: &[CompiledPass], sources: &[Source], against: &[Source]) -> Result<Option<String>> {
    let streams = |input: &Input| matches!(input, Input::Streams(_));
    let stdin = sources.iter().chain(against).any(|source| source.name == "-");
    if job.folder().is_none() || stdin || streams(&job.input) || job.against.as_ref().is_some_and(streams) {
        return Ok(None);
    }
    // The last stage saves the digest.
    let versions = format!("{} {DIGEST_VERSION}", env!("CARGO_PKG_VERSION"));
    let mut key = format!("{versions} {:?} {} {passes:?} {} {}\n", job.verb, job.scheme, job.options.identity(), sources.len());
    for source in sources.iter().chain(against) {
        let state = file_state::state(source.given()).map_err(Error::file(source.given(), "read"))?;
        key += &format!("{} {} {state}\n", source.given().display(), source.root_relative.display());
    }
    Ok(Some(format!("{}: {}", TokensVersion::current(), blake3::hash(key.as_bytes()).to_hex())))
}

/// Returns the version of the tokens in a key. A key of the first version is a digest alone.
pub fn version_of(key: &str) -> String {
    let version = key.split_once(": ").map(|(version, _)| version).filter(|version| version.starts_with(TokensVersion::NAME));
    version.map_or_else(|| format!("{} {}", TokensVersion::NAME, TokensVersion::first()), str::to_owned)
}
