//! Claims: the names below a folder that neardup writes. neardup never removes anything else.

use std::collections::BTreeSet;
use std::path::{Component, Path};

/// The files that a claim covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// One file, named by its path below the folder.
    File(String),
    /// A folder and everything in it.
    Tree(String),
    /// The files of one folder whose names begin with this path's last part.
    Family(String),
}

impl Claim {
    /// Claims one file.
    pub fn file(path: &Path) -> Claim {
        Claim::File(written(path))
    }

    /// Claims a folder and everything in it.
    pub fn tree(path: &Path) -> Claim {
        Claim::Tree(written(path))
    }

    /// Claims the files whose names begin with the name of `path`, in the same folder.
    pub fn family(path: &Path) -> Claim {
        Claim::Family(written(path))
    }

    /// Parses a line of a marker, such as `kept/a.jsonl`, `work/` or `segment-*`.
    pub fn read(line: &str) -> Claim {
        match (line.strip_suffix('/'), line.strip_suffix('*')) {
            (Some(tree), _) => Claim::Tree(tree.to_owned()),
            (_, Some(family)) => Claim::Family(family.to_owned()),
            _ => Claim::File(line.to_owned()),
        }
    }

    /// The line that a marker stores for the claim, without its line break.
    pub fn line(&self) -> String {
        match self {
            Claim::File(name) => name.clone(),
            Claim::Tree(name) => format!("{name}/"),
            Claim::Family(name) => format!("{name}*"),
        }
    }
}

/// The lower bound of all families, which sort after all other claims.
const FAMILIES: Claim = Claim::Family(String::new());

/// The claims of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims(BTreeSet<Claim>);

impl Claims {
    /// Adds a claim; returns whether it is new.
    pub fn add(&mut self, claim: Claim) -> bool {
        self.0.insert(claim)
    }

    /// All claims, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.0.iter()
    }

    /// Whether the file at `name`, a path as [`written`] returns it, is neardup's.
    pub fn covers_file(&self, name: &str) -> bool {
        let starts = |claim: &Claim| match claim {
            Claim::Family(start) => name.strip_prefix(start.as_str()).is_some_and(|rest| !rest.contains('/')),
            _ => false,
        };
        self.0.contains(&Claim::File(name.to_owned())) || self.0.range(FAMILIES..).any(starts)
    }

    /// Whether everything in the folder at `name`, a path as [`written`] returns it, is neardup's.
    pub fn covers_tree(&self, name: &str) -> bool {
        self.0.contains(&Claim::Tree(name.to_owned()))
    }
}

impl FromIterator<Claim> for Claims {
    fn from_iter<C: IntoIterator<Item = Claim>>(claims: C) -> Claims {
        Claims(claims.into_iter().collect())
    }
}

/// Returns a path below a folder in the form that claims store. Names are joined by `/`. `%`, `*`, control characters and bytes
/// that are not UTF-8 become `%` and two hexadecimal digits.
pub fn written(path: &Path) -> String {
    let names = path.components().filter_map(|part| if let Component::Normal(name) = part { Some(name) } else { None });
    let names = names.map(|name| {
        let mut line = String::new();
        for chunk in name.as_encoded_bytes().utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '%' | '*' | '\0'..='\x1f' | '\x7f' => line += &format!("%{:02x}", u32::from(character)),
                    other => line.push(other),
                }
            }
            chunk.invalid().iter().for_each(|byte| line += &format!("%{byte:02x}"));
        }
        line
    });
    names.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_covers_what_it_names_and_no_more() {
        let mut claims = Claims::default();
        for line in ["run.json", "kept/a.jsonl", "work/", "segment-*"] {
            let claim = Claim::read(line);
            assert_eq!(claim.line(), line);
            assert!(claims.add(claim.clone()));
            assert!(!claims.add(claim));
        }
        for file in ["run.json", "kept/a.jsonl", "segment-000001", "segment-000001.partial"] {
            assert!(claims.covers_file(file), "{file}");
        }
        for file in ["run.json.old", "kept", "kept/b.jsonl", "work", "segment", "segment-1/notes", "a/run.json"] {
            assert!(!claims.covers_file(file), "{file}");
        }
        assert!(claims.covers_tree("work") && !claims.covers_tree("kept") && !claims.covers_tree("wor"));
    }

    #[test]
    fn names_of_every_kind_are_one_line() {
        assert_eq!(written(Path::new("kept/100%*\n.txt")), "kept/100%25%2a%0a.txt");
        assert_eq!(written(Path::new("./kept/검색.txt")), "kept/검색.txt");
        assert_eq!(Claim::read(&Claim::file(Path::new("a*")).line()), Claim::file(Path::new("a*")));
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_have_a_line() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(written(Path::new(std::ffi::OsStr::from_bytes(b"a\xff"))), "a%ff");
    }
}
