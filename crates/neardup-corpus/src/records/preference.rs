//! Preferences: the values of a field by which documents are preferred.

/// Maximum number of preferences, each of one field.
pub const MOST_PREFERENCES: usize = 6;

/// A field by which documents are preferred, with its values, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The field.
    pub field: String,
    /// The preferred values, or beginnings of values.
    pub values: Vec<String>,
    /// Whether `values` are beginnings, not whole values.
    pub by_beginning: bool,
}

impl Preference {
    /// Returns the rank of a value: its position among the preferred values, or the number of those if it is not among them. All
    /// spellings of `true` are one value, and so are those of `false`, unless values are compared by their beginning.
    pub fn rank(&self, value: Option<&str>) -> u32 {
        let found = value.and_then(|value| self.values.iter().position(|preferred| self.matches(preferred, value)));
        found.unwrap_or(self.values.len()) as u32
    }

    fn matches(&self, preferred: &str, value: &str) -> bool {
        if self.by_beginning { value.starts_with(preferred) } else { truth(preferred) == truth(value) }
    }

    /// Returns the number of ranks.
    fn ranks(&self) -> usize {
        self.values.len() + 1
    }

    /// Returns the preferred values that none of `ranks` is the rank of, without those that an earlier value covers.
    fn unused<'p>(&'p self, ranks: &[u32]) -> Vec<&'p str> {
        let is_covered = |at: usize| self.values[..at].iter().any(|earlier| self.matches(earlier, &self.values[at]));
        (0..self.values.len()).filter(|&at| !ranks.contains(&(at as u32)) && !is_covered(at)).map(|at| &*self.values[at]).collect()
    }
}

/// Returns the joint rank of values, one for each preference: an earlier preference decides before a later one.
pub(crate) fn joint_rank<'v>(preferences: impl Iterator<Item = (&'v Preference, Option<&'v str>)>) -> u32 {
    preferences.fold(0, |rank, (preference, value)| rank * preference.ranks() as u32 + preference.rank(value))
}

/// Returns the joint rank of the values that `value` returns for the fields of the preferences.
pub(crate) fn rank_by<'v>(preferences: &[Preference], value: impl Fn(&str) -> Option<&'v str>) -> u32 {
    joint_rank(preferences.iter().map(|preference| (preference, value(&preference.field))))
}

/// Whether the joint ranks of `preferences` are numbers that a record can store.
pub fn can_be_ranked(preferences: &[Preference]) -> bool {
    let count = preferences.iter().try_fold(1u32, |count, preference| count.checked_mul(u32::try_from(preference.ranks()).ok()?));
    preferences.len() <= MOST_PREFERENCES && count.is_some_and(|count| count <= i32::MAX as u32)
}

/// Returns each preference with those of its values that no record has. `ranks` are the joint ranks of all records.
pub fn unused_values(preferences: &[Preference], ranks: impl Iterator<Item = u32>) -> Vec<(&Preference, Vec<&str>)> {
    let mut single = vec![Vec::new(); preferences.len()];
    for mut rank in ranks {
        for (preference, single) in preferences.iter().zip(&mut single).rev() {
            let own = rank % preference.ranks() as u32;
            rank /= preference.ranks() as u32;
            if !single.contains(&own) {
                single.push(own);
            }
        }
    }
    preferences.iter().zip(single).map(|(preference, ranks)| (preference, preference.unused(&ranks))).collect()
}

/// Returns a truth value in its one spelling, and any other text unchanged.
fn truth(text: &str) -> &str {
    match text {
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preference(field: &str, values: &[&str], by_beginning: bool) -> Preference {
        Preference { field: field.to_owned(), values: values.iter().map(|&value| value.to_owned()).collect(), by_beginning }
    }

    #[test]
    fn earlier_preferences_decide_before_later_ones() {
        let (split, url) = (preference("split", &["test", "train"], false), preference("url", &["https://"], true));
        let rank = |one, other| joint_rank([(&split, one), (&url, other)].into_iter());
        let order = [
            rank(Some("test"), Some("https://a")),
            rank(Some("test"), Some("http://a")),
            rank(Some("train"), Some("https://a")),
            rank(Some("train"), None),
            rank(None, Some("https://a")),
            rank(Some("other"), Some("HTTPS://a")),
        ];
        assert!(order.is_sorted_by(|one, next| one < next), "{order:?}");
        let preferences = [split.clone(), url.clone()];
        let unused = unused_values(&preferences, [rank(Some("train"), Some("x")), rank(None, None)].into_iter());
        assert_eq!(unused, [(&split, vec!["test"]), (&url, vec!["https://"])]);
    }

    #[test]
    fn booleans_match_in_any_spelling_and_covered_values_are_not_missed() {
        let public = preference("public", &["True", "true"], false);
        assert_eq!([public.rank(Some("TRUE")), public.rank(Some("true")), public.rank(Some("false"))], [0, 0, 2]);
        assert_eq!(unused_values(&[public], [0].into_iter())[0].1, Vec::<&str>::new());
        let host = preference("url", &["http", "https"], true);
        assert_eq!((host.rank(Some("https://a")), unused_values(&[host], [0].into_iter())[0].1.len()), (0, 0));
    }

    #[test]
    fn ranks_fit_into_a_record() {
        let many = vec![preference("f", &["a"; 1000], false); 4];
        assert!(can_be_ranked(&many[..3]) && !can_be_ranked(&many));
        assert!(!can_be_ranked(&vec![preference("f", &["a"], false); MOST_PREFERENCES + 1]));
    }
}
