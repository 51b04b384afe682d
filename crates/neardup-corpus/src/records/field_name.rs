//! Names of fields: members of records, paths to nested members, and several texts.
//!
//! `a.b` is the member `b` of the member `a`, and `a[]` every item of the list `a`. `a+b` are two texts. A member whose own name
//! has such signs comes first, at every level.

/// Sign of every item of a list.
pub(crate) const ITEMS: &str = "[]";

/// What separates the texts of several fields.
pub(crate) const SEPARATOR: &str = "\n\n";

/// Returns how the texts of a list in the field `name` can be named, for messages.
pub(crate) fn items_advice(name: &str) -> String {
    format!("; name its items, {name}{ITEMS}, or a member of each, {name}{ITEMS}.NAME")
}

/// Whether a name can only be that of a member of the record itself.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.contains(['.', '+']) && !name.contains(ITEMS)
}

/// Whether a name can be that of several texts.
pub(crate) fn has_several(name: &str) -> bool {
    name.contains('+') || name.contains(ITEMS)
}

/// Returns the names of several texts, in the order in which they are joined: one if the name has no plus.
pub(crate) fn parts(name: &str) -> Vec<&str> {
    let parts: Vec<&str> = name.split('+').collect();
    if parts.iter().any(|part| part.is_empty()) { vec![name] } else { parts }
}

/// Returns the ways in which a path can begin with a member, the longest name first, and what follows each name: nothing, `.` and a
/// path, or `[]` and the same again.
pub(crate) fn splits(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = (1..=path.len()).rev().filter(|&end| path.is_char_boundary(end));
    ends.map(|end| path.split_at(end)).filter(|(_, rest)| rest.is_empty() || rest.starts_with('.') || rest.starts_with(ITEMS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_comes_first() {
        let all = |path| splits(path).collect::<Vec<_>>();
        assert_eq!(all("text"), [("text", "")]);
        assert_eq!(all("a.b"), [("a.b", ""), ("a", ".b")]);
        assert_eq!(all("é[].b"), [("é[].b", ""), ("é[]", ".b"), ("é", "[].b")]);
        assert_eq!(all("a[]"), [("a[]", ""), ("a", "[]")]);
        assert_eq!(all(""), []);
    }

    #[test]
    fn a_plus_joins_names() {
        assert_eq!(parts("title+doc.body"), ["title", "doc.body"]);
        for name in ["title", "c++", "+", "a+", ""] {
            assert_eq!(parts(name), [name]);
        }
        assert!(is_plain("text") && !is_plain("a.b") && !is_plain("a+b") && !is_plain("a[]") && is_plain("a[0]"));
        assert!(has_several("a+b") && has_several("a[].b") && !has_several("a.b"));
    }
}
