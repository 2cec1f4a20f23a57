//! Names that follow from others.

#[cfg(test)]
mod tests;

/// The member name for a field: `deployment_name` is `deploymentName`, `type_` is `type`.
pub(crate) fn camel_case(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut upper = false;
    for c in field.trim_start_matches("r#").trim_matches('_').chars() {
        match c {
            '_' => upper = true,
            _ if upper => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            _ => out.push(c),
        }
    }
    out
}

/// The plural of a kind in lower case, by the rules of English.
pub(crate) fn plural(singular: &str) -> String {
    let consonant_y = |word: &str| {
        word.strip_suffix('y').is_some_and(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    };
    if consonant_y(singular) {
        return format!("{}ies", &singular[..singular.len() - 1]);
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| singular.ends_with(end));
    format!("{singular}{}", if hisses { "es" } else { "s" })
}
