//! The pass of a job as tasks sign by it.

use crate::Result;
use crate::job::Job;
use crate::job::given::given;
use crate::job::lexicons::compiled_for;
use crate::pipeline::passes::default_cap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::terms::lexicon::Lexicon;
use neardup_corpus::GivenKind;
use std::sync::Arc;

/// Compiles the pass `number` of a job for signing, with the lexicon of that pass. Unlike an ordinary run, it uses no keys that
/// depend on other documents ([`neardup_core::keys::Keys::of_run`]).
pub fn signing_pass(job: &Job<'_>, number: usize, lexicon: Option<&Arc<Lexicon>>) -> Result<CompiledPass> {
    let mut pass = compiled_for(&job.scheme.passes()[number], lexicon)?;
    for kind in pass.kinds.iter_mut().filter(|kind| kind.cap.is_none()) {
        kind.cap = default_cap(job, kind);
    }
    Ok(pass)
}

/// Returns the kind of values that a job reads instead of texts, if it does: see [`given`].
pub fn given_values(job: &Job<'_>) -> Result<Option<GivenKind>> {
    let passes = (0..job.scheme.passes().len()).map(|number| signing_pass(job, number, None));
    given(&passes.collect::<Result<Vec<_>>>()?)
}
