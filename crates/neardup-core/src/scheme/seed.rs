//! Seeds: the source of a signature's randomness.

use super::entry::whole;
use crate::error::{Error, Result};
use std::fmt;
use std::path::PathBuf;

/// The default seed. Sketches made with it anywhere can be compared, and anyone can predict them.
pub const PUBLIC_SEED: u64 = 0;

/// A seed as a scheme names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seed {
    /// A number.
    Number(u64),
    /// A file whose content is the secret.
    File(PathBuf),
    /// The check value of a secret, which replaces the secret in files and headers.
    Check([u8; 8]),
}

/// An opened seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The number from which hashes and permutations are drawn.
    pub seed: u64,
    /// The check value that identifies the secret; `None` for a number, which is not secret.
    pub check: Option<[u8; 8]>,
}

/// The minimum length of a secret, in bytes: 128 bits cannot be found by trial.
const LEAST: usize = 16;

// Contexts of the two uses of a secret. They are part of the file format and must never change.
const SEED_CONTEXT: &str = "neardup 2026 seed of hashes and permutations";
const CHECK_CONTEXT: &str = "neardup 2026 check value of a secret seed";

const ALLOWED: &str = "seed= is a whole number below 2^64, or file:PATH for a secret (check:VALUE represents it in headers)";

impl Seed {
    /// Parses the value of `seed=`; the error says what is allowed.
    pub(super) fn read(text: &str) -> Result<Seed, String> {
        let seed = match text.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Some(Seed::File(PathBuf::from(path))),
            Some(("check", value)) => check_value(value).map(Seed::Check),
            _ => whole(text).map(Seed::Number),
        };
        seed.ok_or_else(|| ALLOWED.to_owned())
    }

    /// Returns the number of the seed. For a file, BLAKE3 derives 64 bits from all its bytes, and 64 other bits as the
    /// check value.
    ///
    /// # Errors
    /// [`Error::SeedFile`] if the file cannot be read; [`Error::Seed`] if it contains fewer than 16 bytes, or if only
    /// the check value is known.
    pub fn open(&self) -> Result<Secret> {
        let refuse = |reason: String| Err(Error::Seed { written: self.to_string(), reason });
        match self {
            Seed::Number(seed) => Ok(Secret { seed: *seed, check: None }),
            Seed::Check(_) => refuse("this is the check value of a secret, not the secret: name its file with seed=file:PATH".to_owned()),
            Seed::File(path) => {
                let secret = neardup_disk::regular::read(path).map_err(|source| Error::SeedFile { path: path.clone(), source })?;
                if secret.len() < LEAST {
                    return refuse(format!("the file holds {} bytes; a secret needs {LEAST} random ones or more", secret.len()));
                }
                let seed = u64::from_le_bytes(derive(SEED_CONTEXT, &secret));
                Ok(Secret { seed, check: Some(derive(CHECK_CONTEXT, &secret)) })
            }
        }
    }

    /// Returns the seed for files and headers, in which a check value replaces a secret.
    ///
    /// # Errors
    /// As [`Seed::open`], for a file.
    pub fn seal(&self) -> Result<Seed> {
        match self {
            Seed::File(_) => Ok(self.open()?.check.map_or_else(|| self.clone(), Seed::Check)),
            _ => Ok(self.clone()),
        }
    }
}

fn derive(context: &str, secret: &[u8]) -> [u8; 8] {
    let mut value = [0; 8];
    value.copy_from_slice(&blake3::derive_key(context, secret)[..8]);
    value
}

fn check_value(text: &str) -> Option<[u8; 8]> {
    let lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let value = (text.len() == 16 && text.bytes().all(lower)).then(|| u64::from_str_radix(text, 16).ok())?;
    value.map(u64::to_be_bytes)
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::Number(PUBLIC_SEED)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seed::Number(number) => number.fmt(out),
            Seed::File(path) => write!(out, "file:{}", path.display()),
            Seed::Check(value) => write!(out, "check:{:016x}", u64::from_be_bytes(*value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &[u8]) -> (tempfile::NamedTempFile, Seed) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        let seed = Seed::File(file.path().to_owned());
        (file, seed)
    }

    #[test]
    fn golden_secret() {
        let (_file, seed) = file(b"sixteen bytes ok");
        let secret = seed.open().unwrap();
        assert_eq!(secret.seed, 3_836_132_107_311_050_070);
        assert_eq!(seed.seal().unwrap().to_string(), "check:72b100fae99ea556");
    }

    #[test]
    fn a_sealed_seed_names_the_secret_without_holding_it() {
        let (_file, seed) = file(b"a secret of more than sixteen bytes");
        let sealed = seed.seal().unwrap();
        assert_eq!(Seed::read(&sealed.to_string()), Ok(sealed.clone()));
        assert_eq!(sealed.seal().unwrap(), sealed);
        assert!(sealed.open().unwrap_err().to_string().contains("name its file"));
        let (_other, other) = file(b"a secret of more than sixteen bytes.");
        assert_ne!(other.seal().unwrap(), sealed);
        assert_ne!(other.open().unwrap().seed, seed.open().unwrap().seed);
    }

    #[test]
    fn refuses_what_is_no_secret() {
        let (_file, short) = file(b"too short");
        assert!(short.open().unwrap_err().to_string().contains("holds 9 bytes"));
        let missing = Seed::File(PathBuf::from("no/such/secret"));
        assert!(missing.seal().unwrap_err().to_string().contains("no/such/secret"));
        assert_eq!(Seed::Number(7).seal().unwrap(), Seed::Number(7));
    }
}
