//! Numbers of records, by which documents are ordered.

/// Returns the place of a decimal number in the order of numbers, as an integer: a greater number has a greater place. Numbers are
/// compared as 64-bit floating-point numbers, -0 and 0 as equal. `None` for what is not a number.
pub(crate) fn parse(text: &str) -> Option<i64> {
    text.trim_ascii().parse::<f64>().ok().and_then(place)
}

/// Returns the place of a number in the order of numbers; `None` for NaN.
pub(crate) fn place(number: f64) -> Option<i64> {
    // -0 + 0 is 0. Of numbers with equal signs, those of greater bits are farther from 0.
    let bits = (number + 0.0).to_bits().cast_signed();
    (!number.is_nan()).then_some(if bits < 0 { bits ^ i64::MAX } else { bits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_numbers() {
        let numbers = ["-inf", "-1e300", "-2.5", "-0.31", "-1e-310", "0", "1e-310", "0.5", " 0.92 ", "12", "97", "1e300", "Infinity"];
        let places: Vec<i64> = numbers.iter().map(|number| parse(number).unwrap()).collect();
        assert!(places.is_sorted_by(|one, next| one < next), "{places:?}");
        assert!(places.iter().all(|&place| i64::MIN < -place && place < i64::MAX));
        assert_eq!(parse("-0"), parse("0.00"));
        assert_eq!(parse("1e2"), parse("100"));
    }

    #[test]
    fn what_is_no_number() {
        for text in ["", "NaN", "nan", "1,5", "0x10", "ten", "1 2", "true"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
