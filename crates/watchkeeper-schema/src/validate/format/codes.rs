//! Formats of numbers of things and of colours: shapes, and digits that check the others.

use std::sync::OnceLock;

use regex::Regex;

/// A number of one byte, without zeros before it.
macro_rules! byte {
    () => {
        "(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])"
    };
}

/// Formats and what their texts look like. Those without dashes and blanks have both taken out before.
const SHAPES: [(&str, &str); 11] = [
    ("bsonobjectid", "^[0-9a-fA-F]{24}$"),
    (
        "creditcard",
        "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(?:222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}\
         |6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}\
         |6[27][0-9]{14})$",
    ),
    ("hexcolor", "^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
    ("isbn10", "^[0-9]{9}[0-9X]$"),
    ("isbn13", "^[0-9]{13}$"),
    (
        "rgbcolor",
        concat!(r"^rgb\(\s*", byte!(), r"\s*,\s*", byte!(), r"\s*,\s*", byte!(), r"\s*\)$"),
    ),
    ("ssn", "^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$"),
    ("uuid", "^(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"),
    ("uuid3", "^(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$"),
    ("uuid4", "^(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
    ("uuid5", "^(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
];

/// Whether a text has one of these formats; any other format takes every text.
pub(super) fn fits(format: &str, text: &str) -> bool {
    let bare = || text.replace(['-', ' ', '\t', '\n', '\r', '\x0c'], "");
    match format {
        "isbn" => fits("isbn10", text) || fits("isbn13", text),
        "isbn10" => is_shaped(format, &bare()) && is_isbn10(&bare()),
        "isbn13" => is_shaped(format, &bare()) && is_isbn13(&bare()),
        "creditcard" => is_shaped(format, &bare()) && is_card(&bare()),
        "ssn" => text.len() == 11 && is_shaped(format, text),
        _ => is_shaped(format, text),
    }
}

fn is_shaped(format: &str, text: &str) -> bool {
    static COMPILED: [OnceLock<Option<Regex>>; SHAPES.len()] =
        [const { OnceLock::new() }; SHAPES.len()];
    let shapes = SHAPES.iter().zip(&COMPILED);
    let found = shapes.into_iter().find(|((name, _), _)| *name == format);
    let Some(((_, shape), compiled)) = found else { return true };
    let compiled = compiled.get_or_init(|| Regex::new(shape).ok());
    compiled.as_ref().is_some_and(|shape| shape.is_match(text))
}

/// The digits of a number; `X` is ten.
fn digits(text: &str) -> impl DoubleEndedIterator<Item = u32> {
    text.chars().map(|c| c.to_digit(10).unwrap_or(10))
}

fn is_isbn10(text: &str) -> bool {
    digits(text).zip(1..).map(|(digit, weight)| digit * weight).sum::<u32>() % 11 == 0
}

fn is_isbn13(text: &str) -> bool {
    digits(text).zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight).sum::<u32>() % 10
        == 0
}

/// Every second digit counts twice, from the right.
fn is_card(text: &str) -> bool {
    let twice = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weighted = digits(text).rev().enumerate();
    weighted.map(|(at, digit)| if at % 2 == 0 { digit } else { twice(digit) }).sum::<u32>() % 10
        == 0
}
