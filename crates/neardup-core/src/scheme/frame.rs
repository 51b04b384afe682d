//! Frames: the shingles of a host's pages that a scheme ignores.

use super::options::{FeatureHash, Weight};
use super::pass::Pass;
use super::stage::Stage;
use crate::util::ratio::Ratio;
use std::fmt;
use std::path::PathBuf;

/// The value of `frame=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Shingles in more than this share of the documents of one host; the run finds them first.
    Share(Ratio),
    /// Shingles that an earlier run found, from its file.
    File(PathBuf),
}

impl Frame {
    /// Parses the value of `frame=`; the error says what is allowed.
    pub(super) fn read(text: &str) -> Result<Frame, String> {
        let file = text.strip_prefix("file:").filter(|path| !path.is_empty()).map(|path| Frame::File(PathBuf::from(path)));
        let share = || text.parse().ok().filter(|share| *share > Ratio::ZERO && *share < Ratio::ONE).map(Frame::Share);
        file.or_else(share).ok_or_else(|| "frame= is a share of a host's documents above 0 and below 1, as 0.05, or file:PATH".to_owned())
    }
}

/// Checks that the frame of shingles can be found.
pub(super) fn check(stage: &Stage, _: &Pass) -> Result<(), String> {
    let options = stage.options();
    match options.frame() {
        None => Ok(()),
        Some(_) if options.hash() == FeatureHash::Rabin => Err("frame= needs hash=mix: leave hash=rabin out".to_owned()),
        Some(_) if matches!(options.weight(), Weight::Rarity(_)) => {
            Err("idf already gives common features little weight: write frame= or weight=idf, not both".to_owned())
        }
        Some(_) => Ok(()),
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame::Share(share) => share.fmt(out),
            Frame::File(path) => write!(out, "file:{}", path.display()),
        }
    }
}
