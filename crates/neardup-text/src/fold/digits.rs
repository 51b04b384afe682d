//! Digits of every script.

use std::sync::LazyLock;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use super::{Fold, Folding};

pub(super) const FOLD: Fold = Fold {
    name: "digits",
    meaning: "decimal digits of every script are 0 to 9",
    ascii: "",
    apply: |_, c| match value(c) {
        Some(value) => Folding::Text(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"][value]),
        None => Folding::Same,
    },
};

/// Returns the value of a decimal digit (General_Category Nd) that is not ASCII.
fn value(c: char) -> Option<usize> {
    if c.is_ascii() {
        return None;
    }
    /// First and last of each row of digits. The digits of a script follow each other from 0 to 9.
    static ROWS: LazyLock<Vec<(u32, u32)>> = LazyLock::new(|| {
        let ranges = CodePointMapData::<GeneralCategory>::new().iter_ranges();
        ranges.filter(|range| range.value == GeneralCategory::DecimalNumber).map(|r| (*r.range.start(), *r.range.end())).collect()
    });
    let code = u32::from(c);
    let (first, _) = ROWS.iter().find(|(first, last)| (*first..=*last).contains(&code))?;
    Some((code - first) as usize % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        for (digits, from) in [("٠١٢٣٤٥٦٧٨٩", 0), ("۴۵", 4), ("०१", 0), ("๕", 5), ("၉", 9), ("𝟎𝟏", 0), ("𝟿", 9)]
        {
            for (i, digit) in digits.chars().enumerate() {
                assert_eq!(value(digit), Some(from + i), "{digit}");
            }
        }
        assert_eq!(value('7').or(value('½')).or(value('一')), None);
    }
}
