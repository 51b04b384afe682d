//! Parsing: words with their columns, split at words that are `;`, `|`, `+` or `&`.

use super::check::check;
use super::entry::StageKind;
use super::options::SchemeOptions;
use super::pass::{Pass, StagePlace};
use super::stage::Stage;
use super::test::Test;
use crate::error::{Error, Result};

/// A word of the line.
#[derive(Clone, Copy)]
struct Word<'a> {
    /// Column at which it starts, in characters, from 1.
    column: usize,
    text: &'a str,
}

/// Words between two separators, and the column at which they start. A missing stage has a column, too.
#[derive(Clone, Copy)]
struct SchemeWords<'w, 'a> {
    column: usize,
    words: &'w [Word<'a>],
}

/// Parses and checks all passes of a line.
pub(super) fn parse(line: &str) -> Result<Vec<Pass>> {
    let words = words(line);
    let whole = SchemeWords { column: 1, words: &words };
    whole.split(";").into_iter().map(pass).collect()
}

fn words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    for (column, (at, character)) in line.char_indices().chain([(line.len(), ' ')]).enumerate() {
        match (start, character.is_whitespace()) {
            (None, false) => start = Some((column + 1, at)),
            (Some((column, from)), true) => {
                words.push(Word { column, text: &line[from..at] });
                start = None;
            }
            _ => {}
        }
    }
    words
}

impl<'w, 'a> SchemeWords<'w, 'a> {
    /// Returns the pieces between the words that equal `separator`; at least one.
    fn split(self, separator: &str) -> Vec<SchemeWords<'w, 'a>> {
        let mut column = self.column;
        let piece = |words: &'w [Word<'a>]| {
            // An empty piece starts after the separator before it.
            let piece = SchemeWords { column: words.first().map_or(column, |word| word.column), words };
            column = words.last().map_or(column, Word::end) + separator.len() + 1;
            piece
        };
        self.words.split(|word| word.text == separator).map(piece).collect()
    }

    fn written(&self) -> String {
        self.words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
    }

    fn refuse(&self, stage: &'static str) -> impl Fn(String) -> Error {
        move |reason| Error::Scheme { stage, written: self.written(), column: self.column, reason }
    }
}

impl Word<'_> {
    /// Returns the column at which a separator may follow, after one space.
    fn end(&self) -> usize {
        self.column + self.text.chars().count() + 1
    }
}

const STAGES: &str =
    "a pass is `tokens | features | signature | keys | measure`, as `words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8`";

fn pass(piece: SchemeWords<'_, '_>) -> Result<Pass> {
    let pieces = piece.split("|");
    let [tokens, features, signatures, keys, measure] = pieces[..] else {
        return Err(piece.refuse("pass")(format!("{STAGES}, five stages with ` | ` between them; here {}", counted(pieces.len(), &piece))));
    };
    let (signatures, keys, tests) = (signatures.split("+"), keys.split("+"), measure.split("&"));
    let pass = Pass {
        tokens: stage(StageKind::Tokens, tokens)?,
        features: stage(StageKind::Features, features)?,
        signatures: signatures.iter().map(|&piece| stage(StageKind::Signature, piece)).collect::<Result<_>>()?,
        keys: keys.iter().map(|&piece| stage(StageKind::Keys, piece)).collect::<Result<_>>()?,
        measure: tests.iter().map(|&piece| test(piece)).collect::<Result<_>>()?,
    };
    check(&pass).map_err(|(StagePlace { kind, index }, reason)| {
        let piece = match kind {
            StageKind::Tokens => tokens,
            StageKind::Features => features,
            StageKind::Signature => signatures[index],
            StageKind::Keys => keys[index],
            StageKind::Measure => tests[index],
        };
        piece.refuse(kind.name())(reason)
    })?;
    Ok(pass)
}

fn counted(stages: usize, piece: &SchemeWords<'_, '_>) -> String {
    match (stages, piece.words) {
        (_, []) => "is none".to_owned(),
        (1, _) => "is 1".to_owned(),
        _ => format!("are {stages}"),
    }
}

fn stage(kind: StageKind, piece: SchemeWords<'_, '_>) -> Result<Stage> {
    let refuse = piece.refuse(kind.name());
    let Some((first, rest)) = piece.words.split_first() else {
        return Err(refuse(missing(kind)));
    };
    let (name, arguments) = first.text.split_once(':').map_or((first.text, None), |(name, arguments)| (name, Some(arguments)));
    let entry = kind.find(name).map_err(&refuse)?;
    let arguments: Vec<&str> = arguments.map_or_else(Vec::new, |arguments| arguments.split(',').collect());
    let args = entry.read(&arguments).map_err(&refuse)?;
    let options = SchemeOptions::read(rest.iter().map(|word| word.text), entry.options).map_err(&refuse)?;
    Ok(Stage { entry, args, options })
}

fn test(piece: SchemeWords<'_, '_>) -> Result<Test> {
    let refuse = piece.refuse(StageKind::Measure.name());
    let text: String = piece.words.iter().map(|word| word.text).collect();
    if text.is_empty() { Err(refuse(missing(StageKind::Measure))) } else { Test::read(&text).map_err(refuse) }
}

fn missing(kind: StageKind) -> String {
    let forms: Vec<String> = kind.entries().iter().map(|entry| entry.form()).collect();
    format!("nothing is written here; there are {}", forms.join(", "))
}
