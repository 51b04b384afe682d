use std::path::{Component, Path, absolute};

use percent_encoding::percent_decode_str;

/// Value that Hive writes for a missing one.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// Partition keys in the path of a file, as Hive writes them: `src=wiki/lang=en/part-0.parquet` has `src` and `lang`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartitionKeys(Vec<(String, Option<String>)>);

impl PartitionKeys {
    /// Reads the keys from all folders of a path, however it is spelled. Of two equal keys the inner one counts.
    pub fn of(path: &Path) -> PartitionKeys {
        let whole = absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let folders = whole.parent().into_iter().flat_map(Path::components);
        let folders = folders.filter_map(|part| if let Component::Normal(name) = part { name.to_str() } else { None });
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), |text| text.into_owned());
        let pairs = folders.filter_map(|folder| folder.split_once('=')).filter(|(key, _)| !key.is_empty());
        let mut keys: Vec<(String, Option<String>)> = Vec::new();
        for (key, value) in pairs {
            let key = decoded(key);
            keys.retain(|(outer, _)| *outer != key);
            keys.push((key, (value != MISSING && !value.is_empty()).then(|| decoded(value))));
        }
        PartitionKeys(keys)
    }

    /// Returns the names of the keys.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// Returns the value of a key, which is `Some(None)` if the path states that it is missing.
    pub fn get(&self, name: &str) -> Option<Option<&str>> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_state_keys() {
        let keys =
            PartitionKeys::of(Path::new("/data/src=wiki/no/day=2020-01-05/x=a%2Fb%20c/e=__HIVE_DEFAULT_PARTITION__/q=1=2/a=b.jsonl"));
        assert_eq!(keys.names().collect::<Vec<_>>(), ["src", "day", "x", "e", "q"]);
        assert_eq!(keys.get("src"), Some(Some("wiki")));
        assert_eq!(keys.get("x"), Some(Some("a/b c")));
        assert_eq!((keys.get("e"), keys.get("q"), keys.get("a")), (Some(None), Some(Some("1=2")), None));
    }

    #[test]
    fn the_inner_of_two_equal_keys_counts() {
        let keys = PartitionKeys::of(Path::new("k=1/%6b=2/=3/z=/f.csv"));
        assert_eq!(keys.names().collect::<Vec<_>>(), ["k", "z"]);
        assert_eq!((keys.get("k"), keys.get("z")), (Some(Some("2")), Some(None)));
        assert_eq!(PartitionKeys::of(Path::new("f.csv")), PartitionKeys::default());
    }
}
