//! Sets of named things, written in a scheme line joined by `+`. A set has a bit for each thing, by its place in the list of all.

use std::fmt;

/// A thing with a name in scheme lines.
pub(crate) trait Named: Sized + 'static {
    /// Every one, in the order of the canonical line; at most eight.
    const EVERY: &'static [Self];
    /// What it is, in messages.
    const KIND: &'static str;

    fn name(&self) -> &'static str;
}

/// Returns the things of a set, with their places in the list.
pub(crate) fn chosen<T: Named>(set: u8) -> impl Iterator<Item = (usize, &'static T)> {
    T::EVERY.iter().enumerate().filter(move |(number, _)| set >> number & 1 == 1)
}

/// Returns the set of the names in `written`. The error names what there is.
pub(crate) fn read<T: Named>(written: &str) -> Result<u8, String> {
    let mut set = 0;
    for name in written.split('+') {
        let Some(number) = T::EVERY.iter().position(|one| one.name() == name) else {
            let known: Vec<&str> = T::EVERY.iter().map(T::name).collect();
            return Err(format!("there is no {} {name:?}; there are {}, and several are joined by +", T::KIND, known.join(", ")));
        };
        if set >> number & 1 == 1 {
            return Err(format!("the {} {name} is written twice", T::KIND));
        }
        set |= 1 << number;
    }
    Ok(set)
}

/// Writes the names of a set.
pub(crate) fn write<T: Named>(set: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names: Vec<&str> = chosen::<T>(set).map(|(_, one)| one.name()).collect();
    f.write_str(&names.join("+"))
}
