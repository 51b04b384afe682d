//! Lexicons as bytes, for tasks.

use crate::{Error, Result};
use neardup_core::terms::lexicon::Lexicon;
use std::sync::{Arc, Mutex, PoisonError};

/// Packs a lexicon.
///
/// # Errors
/// [`Error::Data`] if it cannot be encoded, which is a fault inside neardup.
pub fn pack_lexicon(lexicon: &Lexicon) -> Result<Vec<u8>> {
    let contents = (lexicon.documents(), lexicon.counted(), lexicon.terms(), lexicon.counts());
    postcard::to_stdvec(&contents).map_err(|error| Error::Data(format!("the lexicon cannot be packed: {error}")))
}

/// The lexicon that the last task of this process used, with the digest of its bytes: tasks of one step have the same.
static LAST: Mutex<Option<(blake3::Hash, Arc<Lexicon>)>> = Mutex::new(None);

/// Reads a packed lexicon.
///
/// # Errors
/// [`Error::Data`] for bytes that are none.
pub fn unpack_lexicon(packed: &[u8]) -> Result<Arc<Lexicon>> {
    let (digest, mut last) = (blake3::hash(packed), LAST.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some((known, lexicon)) = &*last
        && *known == digest
    {
        return Ok(Arc::clone(lexicon));
    }
    let fail = |why: String| Error::Data(format!("the lexicon cannot be read: {why}"));
    let (documents, counted, terms, counts) = postcard::from_bytes(packed).map_err(|error| fail(error.to_string()))?;
    let lexicon = Arc::new(Lexicon::new(documents, counted, terms, counts).map_err(fail)?);
    *last = Some((digest, Arc::clone(&lexicon)));
    Ok(lexicon)
}
