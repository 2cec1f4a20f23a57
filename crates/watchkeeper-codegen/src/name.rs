//! Rust names from JSON names.

#[cfg(test)]
mod tests;

/// The field name for a JSON member: snake case, acronyms as one word, keywords with a trailing
/// underscore. `podIPs` is `pod_ips`, `hostPID` is `host_pid`, `type` is `type_`.
pub(crate) fn field(json: &str) -> String {
    // The one name where an acronym, a version and a word meet without a sign.
    if json == "openAPIV3Schema" {
        return "open_api_v3_schema".to_owned();
    }
    let name = snake_case(json);
    if is_keyword(&name) { name + "_" } else { name }
}

/// `ReplicaSet` is `replica_set`.
pub(crate) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().filter(|c| *c != '$').collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (index, c) in chars.iter().copied().enumerate() {
        if !c.is_ascii_alphanumeric() {
            out.push('_');
            continue;
        }
        if starts_word(&chars, index) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// An upper-case letter starts a word after a lower-case one, and before one, unless that one is
/// the plural `s` of an acronym.
fn starts_word(chars: &[char], index: usize) -> bool {
    let upper = |i: usize| chars.get(i).is_some_and(char::is_ascii_uppercase);
    let lower = |i: usize| chars.get(i).is_some_and(char::is_ascii_lowercase);
    if !upper(index) || index == 0 {
        return false;
    }
    let after_word = !upper(index - 1);
    let plural = chars.get(index + 1) == Some(&'s') && !lower(index + 2);
    after_word || (lower(index + 1) && !plural)
}

fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
        "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    KEYWORDS.contains(&name)
}

/// The method that sets a field: `with_type` for `type_`.
pub(crate) fn setter(field: &str) -> String {
    format!("with_{}", field.trim_matches('_'))
}
