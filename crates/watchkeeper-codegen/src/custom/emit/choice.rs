//! Enumerations: an enum of its texts, and one variant for all others.

use std::collections::BTreeSet;

use crate::custom::words;

/// What the variant for unknown texts is called, best first.
const OTHER: &[&str] = &["Other", "Unknown", "OtherText"];

/// The enum and its table.
pub(super) fn text(name: &str, texts: &[String]) -> String {
    let variants = variants(texts);
    let other = other(&variants);
    let mut text = format!("#[derive(Clone, Debug)]\npub enum {name} {{\n");
    text.extend(variants.iter().map(|variant| format!("    {variant},\n")));
    text +=
        "    /// A text that the definition does not name; an empty one where nothing was said.\n";
    text += &format!("    {other}(IStr),\n}}\n\nchoice! {{ {name}: {other}\n");
    for (of, variant) in texts.iter().zip(&variants) {
        text += &format!("    {of:?} {variant}\n");
    }
    text + "}\n"
}

/// The name of each variant, each another one.
fn variants(texts: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut variants = Vec::new();
    for text in texts {
        let wanted = variant(text);
        let mut name = wanted.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        variants.push(name);
    }
    variants
}

fn variant(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && text.chars().any(|c| c.is_ascii_lowercase());
    let plain_or_not: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = if plain { text.to_owned() } else { words::pascal(words::of(&plain_or_not)) };
    match name.chars().next() {
        None => "Value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("V{name}"),
        Some(_) if name == "Self" => "Self_".to_owned(),
        Some(_) => name,
    }
}

fn other(variants: &[String]) -> String {
    let free = |name: &str| variants.iter().all(|variant| variant != name);
    if let Some(known) = OTHER.iter().find(|name| free(name)) {
        return (*known).to_owned();
    }
    let mut number = 2;
    loop {
        let name = format!("Other{number}");
        if free(&name) {
            return name;
        }
        number += 1;
    }
}
