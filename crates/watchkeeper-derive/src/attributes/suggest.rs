//! What is said of an option that does not exist.

use syn::Error;
use syn::meta::ParseNestedMeta;

#[cfg(test)]
mod tests;

/// The error at an option that is none of `known`.
pub(super) fn unknown(meta: &ParseNestedMeta<'_>, known: &[&str]) -> Error {
    let name = super::option_name(meta);
    match nearest(&name, known) {
        Some(near) => meta.error(format!("unknown option `{name}`; did you mean `{near}`?")),
        None => meta.error(format!("unknown option `{name}`; known are {}", known.join(", "))),
    }
}

/// The known name that was probably meant: one spelled otherwise, or with a letter or two wrong.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let name = plain(name);
    // What controller-gen's markers call it.
    let name = name.strip_prefix('x').filter(|rest| rest.len() > 8).unwrap_or(&name);
    let near = known.iter().map(|known| (distance(name, &plain(known)), *known)).min()?;
    (near.0 <= 1 + name.len() / 4).then_some(near.1)
}

/// How many letters must be changed, added or removed to make one text the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, second) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != *second);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
