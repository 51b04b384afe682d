//! The command line.

use std::fmt::Debug;
use std::path::PathBuf;
use std::str::FromStr;

use lexopt::Arg::{Long, Value};
use lexopt::{Parser, ValueExt as _};

use crate::threshold::Threshold;
use crate::tokens::{Rule, Unit};

const USAGE: &str = "usage: truth DOCS.jsonl OUT [--threshold P/Q] [--tokens contract|alnum] [--unit words|chars] \
    [--shingle TOKENS] [--text-field NAME] [--id-field NAME]";

/// The input, the output, and the options of the join.
pub struct Options {
    /// Input file: one JSON object a line; lines end with \n.
    pub docs: PathBuf,
    /// Folder for docs.tsv, pairs.tsv and truth.json; made when absent.
    pub out: PathBuf,
    /// Least resemblance: a fraction p/q with 0 < p <= q.
    pub threshold: Threshold,
    /// The definition of a word: that of the project's contract, or runs of alphanumerics and `_` as in other tools.
    pub tokens: Rule,
    /// The tokens of shingles.
    pub unit: Unit,
    /// Tokens in a shingle, at least 1.
    pub shingle: u16,
    /// Name of the field of the text.
    pub text_field: String,
    /// Name of the field of the id.
    pub id_field: String,
}

impl Options {
    /// Reads the arguments of this process.
    pub fn read() -> Result<Self, String> {
        Self::parse(Parser::from_env()).map_err(|reason| format!("{reason}\n{USAGE}"))
    }

    fn parse(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let mut files = Vec::new();
        let mut options = Self {
            docs: PathBuf::new(),
            out: PathBuf::new(),
            threshold: Threshold::from_str("4/5")?,
            tokens: Rule::Contract,
            unit: Unit::Words,
            shingle: 5,
            text_field: "text".into(),
            id_field: "id".into(),
        };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("threshold") => options.threshold = parser.value()?.parse()?,
                Long("tokens") => options.tokens = parser.value()?.parse_with(|given| choose(&[Rule::Contract, Rule::Alnum], given))?,
                Long("unit") => options.unit = parser.value()?.parse_with(|given| choose(&[Unit::Words, Unit::Chars], given))?,
                Long("shingle") => options.shingle = parser.value()?.parse()?,
                Long("text-field") => options.text_field = parser.value()?.string()?,
                Long("id-field") => options.id_field = parser.value()?.string()?,
                Value(file) => files.push(PathBuf::from(file)),
                other => return Err(other.unexpected()),
            }
        }
        if options.shingle == 0 {
            return Err("a shingle has at least one token".into());
        }
        let Ok([docs, out]) = <[PathBuf; 2]>::try_from(files) else {
            return Err("give a file and a folder".into());
        };
        Ok(Self { docs, out, ..options })
    }
}

/// Returns the name of a choice, as in the command line and in truth.json.
pub fn name(choice: impl Debug) -> String {
    format!("{choice:?}").to_lowercase()
}

/// Returns the choice with a name.
fn choose<T: Copy + Debug>(choices: &[T], given: &str) -> Result<T, String> {
    let names: Vec<String> = choices.iter().map(name).collect();
    let place = names.iter().position(|name| name == given);
    place.map(|place| choices[place]).ok_or_else(|| format!("there are {}, not `{given}`", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(Parser::from_args(line.split(' '))).map_err(|reason| reason.to_string())
    }

    #[test]
    fn options_are_read_in_any_order() {
        let options = parse("--unit chars a.jsonl --shingle=3 --threshold 1/2 b --tokens alnum --id-field key").unwrap();
        assert_eq!((options.docs, options.out), ("a.jsonl".into(), "b".into()));
        assert_eq!((options.unit, options.tokens, options.shingle), (Unit::Chars, Rule::Alnum, 3));
        assert_eq!(options.threshold, Threshold::from_str("1/2").unwrap());
        assert_eq!((options.id_field.as_str(), options.text_field.as_str()), ("key", "text"));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (line, reason) in [
            ("a.jsonl", "give a file and a folder"),
            ("a.jsonl b c", "give a file and a folder"),
            ("a.jsonl b --shingle 0", "at least one token"),
            ("a.jsonl b --unit lines", "words, chars"),
            ("a.jsonl b --tokens own", "contract, alnum"),
            ("a.jsonl b --threshold 5/4", "no fraction"),
            ("a.jsonl b --rounds 3", "--rounds"),
        ] {
            let message = parse(line).err().unwrap();
            assert!(message.contains(reason), "{line}: {message}");
        }
    }
}
