//! The page about the repeated passages of a corpus.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::escape::{EscapedPlace, escape};
use crate::pages::report::templates;
use crate::pages::view::{PhaseView, cut};
use crate::{Error, RepeatedPassage, RepeatedStudy};

/// Number of characters shown of an id, a command or a digest.
const LINE: usize = 2_000;

/// Renders the page of repeated passages: one HTML file without scripts that loads nothing.
///
/// # Errors
/// [`Error::Template`] if a built-in template does not fit its data.
pub fn render_repeats(repeats: &RepeatedStudy) -> Result<String, Error> {
    let phases: Vec<_> = repeats.phases.iter().map(|phase| PhaseView::new(phase, &repeats.phases)).collect();
    let passages: Vec<_> = repeats.passages.iter().map(PassageView::new).collect();
    let context = context! {
        version => &repeats.neardup, command => repeats.command.as_deref().map(|command| cut(command, LINE)),
        unit => &repeats.unit, tokens => repeats.tokens, cut => &repeats.cut, digest => cut(&repeats.digest, LINE),
        documents => repeats.documents, all_tokens => repeats.all_tokens, repeated => repeats.repeated, places => repeats.places,
        repeated_tokens => repeats.repeated_tokens, repeated_documents => repeats.repeated_documents,
        removed_tokens => repeats.removed_tokens, changed => repeats.changed, dropped => repeats.dropped,
        seconds => repeats.phases.iter().map(|phase| phase.seconds).sum::<f64>(),
        phases => Value::from(Serde(phases)), passages => Value::from(Serde(passages)),
    };
    Ok(templates()?.get_template("repeats.html")?.render(context)?)
}

/// A passage, as it is shown.
#[derive(Serialize)]
struct PassageView {
    times: u64,
    documents: u64,
    tokens: u64,
    name: String,
    text: Value,
    is_whole: bool,
}

impl PassageView {
    fn new(passage: &RepeatedPassage) -> PassageView {
        let mut text = String::new();
        escape(&mut text, &passage.text, EscapedPlace::Body);
        let RepeatedPassage { times, documents, tokens, is_whole, .. } = *passage;
        PassageView { times, documents, tokens, name: cut(&passage.id, LINE), text: Value::from_safe_string(text), is_whole }
    }
}
