//! Sets of names, written in a scheme line joined by `+`.

use std::fmt;

/// Returns the set of the names in `written`, as bits by their places in `known`. The error names what there is; `what` is the kind
/// of the names, as `fold`.
pub(crate) fn read(written: &str, known: &[&str], what: &str) -> Result<u8, String> {
    let mut set = 0;
    for name in written.split('+') {
        let Some(number) = known.iter().position(|known| *known == name) else {
            return Err(format!("there is no {what} {name:?}; there are {}, and several are joined by +", known.join(", ")));
        };
        if set >> number & 1 == 1 {
            return Err(format!("the {what} {name} is written twice"));
        }
        set |= 1 << number;
    }
    Ok(set)
}

/// Writes the names of a set, in the order of `known`.
pub(crate) fn write(set: u8, known: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names: Vec<&str> = (0..).zip(known).filter(|&(number, _)| set >> number & 1 == 1).map(|(_, name)| *name).collect();
    f.write_str(&names.join("+"))
}
