//! Values of a kubeconfig's text that become others. Nothing else of it changes.

use serde_json::Value;

use super::tree::Node;

#[cfg(test)]
mod tests;

/// The text with these fields of the user's `auth-provider.config`. A field that is not there is not added.
///
/// # Errors
/// When the user is not there any more, or a value is written in a way that cannot be replaced. No error tells a
/// value.
pub(crate) fn with_provider_fields(
    text: &str,
    user: &str,
    fields: &[(&'static str, String)],
) -> Result<String, String> {
    let documents = read(text)?;
    let is_meant = |named: &Node| {
        let name = named.get("name").and_then(|name| name.read::<String>(text).ok());
        name.is_some_and(|name| name == user)
    };
    // Of several documents the first that names the user counts.
    let place_in = |(number, document): (usize, &'_ Node)| {
        Some((number, users(document).iter().position(is_meant)?))
    };
    let place = documents.iter().enumerate().find_map(place_in);
    let (number, place) =
        place.ok_or_else(|| format!("the user {user:?} is not there any more"))?;
    let named = &users(&documents[number])[place];
    let provider = named.get("user").and_then(|user| user.get("auth-provider"));
    let config = provider.and_then(|provider| provider.get("config"));
    let mut expected = whole(&documents, text)?;
    let mut changes = Vec::new();
    for (name, value) in fields {
        let Some(old) = config.and_then(|config| config.get(name)) else { continue };
        changes.push((old.span().ok_or_else(|| cannot(name))?, *name, value));
        expected[number]["users"][place]["user"]["auth-provider"]["config"][*name] =
            value.as_str().into();
    }
    // From the end on, so that what is before stays where it is.
    changes.sort_unstable_by_key(|(span, ..)| std::cmp::Reverse(span.start));
    let mut new = text.to_owned();
    for (span, name, value) in changes {
        let (before, old) = (text.get(..span.start), text.get(span.clone()));
        let (Some(before), Some(old)) = (before, old) else { return Err(cannot(name)) };
        if old.is_empty() && !text[span.start..].starts_with(':') {
            return Err(cannot(name));
        }
        let value = Value::from(value.as_str());
        if old.is_empty() {
            // Where nothing is written, the colon is found.
            new.insert_str(span.start + 1, &format!(" {value}"));
        } else {
            let end = span.start + old.trim_end().len();
            new.replace_range(beginning(before)..end, &value.to_string());
        }
    }
    match read(&new).and_then(|documents| whole(&documents, &new)) {
        Ok(found) if found == expected => Ok(new),
        _ => Err("a token is written there in a way that cannot be replaced; write it on one line"
            .to_owned()),
    }
}

fn read(text: &str) -> Result<Vec<Node>, String> {
    super::documents(text).map_err(|_| "it is no kubeconfig any more".to_owned())
}

fn users(document: &Node) -> &[Node] {
    document.get("users").map(Node::elements).unwrap_or_default()
}

fn whole(documents: &[Node], text: &str) -> Result<Vec<Value>, String> {
    let whole = documents.iter().map(|document| document.read(text)).collect::<Result<_, _>>();
    whole.map_err(|_| "it is no kubeconfig any more".to_owned())
}

/// Where the value begins that is found after this: at the `|` or `>` of a block, of which only the text is found.
fn beginning(before: &str) -> usize {
    let head = before.trim_end();
    let word = head.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_mark = |c: char| matches!(c, '+' | '-' | '0'..='9');
    let is_block = word.strip_prefix(['|', '>']).is_some_and(|marks| marks.chars().all(is_mark));
    let is_next_line = before[head.len()..].contains('\n');
    if is_block && is_next_line { head.len() - word.len() } else { before.len() }
}

fn cannot(name: &str) -> String {
    format!("the place of {name} is not known")
}
