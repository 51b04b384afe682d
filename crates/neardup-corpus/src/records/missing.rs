//! What a record lacks.

use std::ops::BitOr;

use crate::records::preference::MOST_PREFERENCES;

/// Maximum number of texts of a record that are looked for one by one; of further texts nothing is noted.
pub(crate) const MOST_TEXTS: usize = 8;

/// Which of the named fields a record lacks, besides those that every record must have, and whether it lacks a line end and its time
/// a zone. A null field is not missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingFields(u32);

impl MissingFields {
    /// Number of flags.
    pub const FLAGS: usize = 6 + MOST_PREFERENCES + MOST_TEXTS;

    /// Flag of the line end, which only the last line of a file may lack.
    pub const LINE_END: usize = 0;
    /// Flag of the field of the address.
    pub const URL: usize = 1;
    /// Flag of the field of the time.
    pub const TIME: usize = 2;
    /// Flag of the field of the number.
    pub const NUMBER: usize = 3;
    /// Flag of the field of the group.
    pub const GROUP: usize = 4;
    /// Flag of the zone of a clock time, which was read as UTC.
    pub const ZONE: usize = 5;
    /// Flag of the field of the first preference; those of the others follow.
    pub const PREFER: usize = 6;
    /// Flag of the first of several texts; those of the others follow.
    pub const TEXT: usize = 6 + MOST_PREFERENCES;

    /// What a text without fields lacks: all except the line end, the zone and the text.
    pub const ALL: MissingFields =
        MissingFields(((1 << MissingFields::TEXT) - 1) & !(1 << MissingFields::LINE_END | 1 << MissingFields::ZONE));

    /// Returns the same with another value of a flag.
    #[must_use]
    pub fn with(self, flag: usize, lacks: bool) -> Self {
        MissingFields((self.0 & !(1 << flag)) | (u32::from(lacks) << flag))
    }

    /// Returns the flags in the order in which they are counted, which is also that of [`crate::Fields::named`].
    #[inline]
    pub fn flags(self) -> [bool; MissingFields::FLAGS] {
        std::array::from_fn(|flag| (self.0 >> flag) & 1 == 1)
    }

    /// Returns the flags as bits, the first one lowest.
    pub fn bits(self) -> u32 {
        self.0
    }
}

impl BitOr for MissingFields {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        MissingFields(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_bits() {
        let some = MissingFields::default().with(MissingFields::TIME, true).with(MissingFields::TEXT + 1, true);
        assert_eq!(some.flags().iter().filter(|&&lacks| lacks).count(), 2);
        assert!(some.flags()[MissingFields::TIME] && some.bits() >> (MissingFields::TEXT + 1) == 1);
        assert_eq!(some.with(MissingFields::TIME, false) | some, some);
        let all = MissingFields::ALL.flags();
        assert!(!all[MissingFields::LINE_END] && !all[MissingFields::ZONE] && !all[MissingFields::TEXT]);
        assert_eq!(all.iter().filter(|&&lacks| lacks).count(), 4 + MOST_PREFERENCES);
    }
}
