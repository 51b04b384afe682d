//! Schemes: one line that says how documents become pairs, stage by stage.
//!
//! ```text
//! scheme  = pass *( " ; " pass )            a later pass sees only the representatives of the one before
//! pass    = tokens " | " features " | " signature *( " + " signature ) " | " keys " | " measure
//! stage   = name [ ":" arg *( "," arg ) ] *( " " option "=" value )
//! keys    = stage *( " + " stage )
//! measure = test *( " & " test )            in that order, the cheap one first
//! test    = equal   or   [ "~" ] name ( ">=" | "<=" | "<" | "=" ) number
//! ```

mod check;
pub(crate) mod entries;
mod entry;
mod facts;
mod frame;
mod options;
mod parse;
mod pass;
mod plan;
mod samples;
mod seed;
mod stage;
mod test;
mod words;

use crate::error::Result;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use entries::table;
pub use entry::{Entry, StageKind};
pub(crate) use facts::MakeContext;
pub use frame::Frame;
pub use options::{CORPUS, FeatureHash, SchemeOptions, Weight};
pub use pass::Pass;
pub use seed::{PUBLIC_SEED, Secret, Seed};
pub use stage::{Argument, Stage};
pub use test::Test;
pub(crate) use test::read_measure;
pub use words::WordList;

/// The rules by which documents become pairs: one or more passes, immutable.
///
/// A scheme is parsed with [`FromStr`] and printed as the same line: parsing the printed line returns an equal scheme.
/// `auto` remains until [`Scheme::resolve`] fills it in. The line of a resolved scheme is canonical. It is stored in
/// files, digests and headers.
///
/// ```
/// use neardup_core::scheme::Scheme;
///
/// let scheme: Scheme = "words | shingles:5 | minhash:auto | bands:auto | resemblance>=0.80".parse()?;
/// let canonical = scheme.resolve(&"0.99".parse()?)?.to_string();
/// assert_eq!(canonical, "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8");
/// # Ok::<(), neardup_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    passes: Vec<Pass>,
}

impl Scheme {
    /// Returns the passes, in order; at least one.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// Returns the scheme of one of its passes, from 0.
    ///
    /// # Panics
    /// If there is no such pass.
    #[must_use]
    pub fn only(&self, pass: usize) -> Scheme {
        Scheme { passes: vec![self.passes[pass].clone()] }
    }

    /// Returns the files that its options name.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.passes.iter().flat_map(Pass::stages).flat_map(|stage| stage.options().files())
    }

    /// Whether every choice is filled in: no argument is `auto`.
    pub fn is_resolved(&self) -> bool {
        self.passes.iter().all(|pass| pass.stages().all(|stage| !stage.is_auto()))
    }

    /// Whether every pass decides by an exact measure, so that results are stamped `verified: true`.
    pub fn is_verified(&self) -> bool {
        self.passes.iter().all(Pass::is_verified)
    }

    /// Returns what a user should know before relying on the results, one sentence each. If there are several passes,
    /// the sentences begin with their numbers.
    pub fn notes(&self) -> Vec<String> {
        self.notes_of_run(|_| false)
    }

    /// Returns the same for a run; `is_capped` says of each pass whether it has keys above the cap.
    pub fn notes_of_run(&self, is_capped: impl Fn(usize) -> bool) -> Vec<String> {
        let several = self.passes.len() > 1;
        let number = |at: usize, note: String| {
            if several { format!("pass {}: {note}", at + 1) } else { note }
        };
        let of_pass = |(at, pass): (usize, &Pass)| pass.notes(is_capped(at)).into_iter().map(move |note| number(at, note));
        self.passes.iter().enumerate().flat_map(of_pass).collect()
    }

    /// Returns the same scheme with every secret seed replaced by its check value. This form is stored in files and headers.
    ///
    /// # Errors
    /// [`crate::Error::SeedFile`] or [`crate::Error::Seed`] if a seed file cannot be used.
    pub fn seal(&self) -> Result<Scheme> {
        Ok(Scheme { passes: self.passes.iter().map(Pass::seal).collect::<Result<_>>()? })
    }

    /// Returns the same scheme with the public seed in place of the check value of a secret. It can show which tokens
    /// of two texts are equal, but cannot reproduce anything that was drawn from the secret.
    pub fn without_secrets(&self) -> Scheme {
        Scheme { passes: self.passes.iter().map(Pass::without_secrets).collect() }
    }
}

impl FromStr for Scheme {
    type Err = crate::Error;

    /// Parses and checks a line.
    ///
    /// # Errors
    /// [`crate::Error::Scheme`]: an unknown name, a wrong argument, or stages that cannot work together.
    fn from_str(line: &str) -> Result<Scheme> {
        Ok(Scheme { passes: parse::parse(line)? })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        join(out, &self.passes, " ; ")
    }
}

/// Writes `parts` with `separator` between them.
fn join<T: fmt::Display>(out: &mut fmt::Formatter<'_>, parts: &[T], separator: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.write_str(separator)?;
        }
        part.fmt(out)?;
    }
    Ok(())
}
