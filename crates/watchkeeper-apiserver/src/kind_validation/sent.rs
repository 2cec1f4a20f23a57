//! What was sent of an object. Of what is judged, most lists and maps without anything in them are gone, as they are
//! once it is stored; upstream still has them and shows them.

use serde_json::Value;

use super::Check;

/// So deep in an object nobody looks for what is empty: what upstream has a type for is not nested like that.
const DEEPEST: usize = 64;

impl Check<'_> {
    /// A struct of the object as it is shown: with what was sent empty.
    pub(super) fn as_sent(&self, path: &str, part: Option<&Value>) -> Option<Value> {
        let Some(sent) = self.sent.and_then(|sent| at(sent, path)) else { return part.cloned() };
        let Some(mut shown) = part.cloned() else {
            return is_bare(sent).then(|| sent.clone());
        };
        fill(&mut shown, sent, DEEPEST);
        Some(shown)
    }

    /// The same of a part that is no struct: nothing is looked for within it.
    pub(super) fn plain_as_sent(&self, path: &str, part: Option<&Value>) -> Value {
        let sent = || self.sent.and_then(|sent| at(sent, path)).filter(|sent| is_bare(sent));
        part.or_else(sent).cloned().unwrap_or(Value::Null)
    }
}

/// Whether it is a list or a map without anything in it.
fn is_bare(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// The part of an object at a path as messages have it: `spec.containers[0].env`.
fn at<'a>(object: &'a Value, path: &str) -> Option<&'a Value> {
    let mut value = object;
    for step in path.split('.') {
        let (name, indexes) = step.split_once('[').unwrap_or((step, ""));
        value = value.get(name)?;
        for index in indexes.split('[').filter(|index| !index.is_empty()) {
            let index: usize = index.strip_suffix(']')?.parse().ok()?;
            value = value.get(index)?;
        }
    }
    Some(value)
}

/// Puts back what was sent empty.
fn fill(shown: &mut Value, sent: &Value, depth: usize) {
    if depth == 0 {
        return;
    }
    match (shown, sent) {
        (Value::Object(shown), Value::Object(sent)) => {
            for (name, sent) in sent {
                if let Some(shown) = shown.get_mut(name) {
                    fill(shown, sent, depth - 1);
                } else if is_bare(sent) {
                    shown.insert(name.clone(), sent.clone());
                }
            }
        }
        (Value::Array(shown), Value::Array(sent)) if shown.len() == sent.len() => {
            shown.iter_mut().zip(sent).for_each(|(shown, sent)| fill(shown, sent, depth - 1));
        }
        (shown, sent) if shown.is_null() && is_bare(sent) => *shown = sent.clone(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Value, at, fill};

    #[test]
    fn parts_are_found_by_the_paths_of_messages() {
        let object = json!({"spec": {"a": [[1], {"b": 2}]}});
        for (path, found) in [
            ("spec.a[0][0]", Some(json!(1))),
            ("spec.a[1].b", Some(json!(2))),
            ("spec.a[2]", None),
            ("spec.a[b.c]", None),
            ("spec.b", None),
            ("", None),
        ] {
            assert_eq!(at(&object, path).cloned(), found, "{path}");
        }
    }

    #[test]
    fn what_was_sent_empty_is_put_back_where_nothing_is() {
        let sent = json!({"a": [], "b": {}, "c": null, "d": [{"e": []}, {"e": [1]}], "f": {}, "g": [{}], "h": [],
            "i": "", "j": 0});
        let mut shown = json!({"d": [{}, {"e": [1]}], "f": {"x": 1}, "g": [], "h": null});
        fill(&mut shown, &sent, 9);
        let expected = json!({"a": [], "b": {}, "d": [{"e": []}, {"e": [1]}], "f": {"x": 1}, "g": [], "h": []});
        assert_eq!(shown, expected);
        let deep = |last: Value| (0..100).fold(last, |inner, _| json!({ "a": inner }));
        let (mut shown, sent) = (deep(json!({})), deep(json!({"b": []})));
        fill(&mut shown, &sent, 9);
        assert_eq!(shown, deep(json!({})), "too deep to be looked at");
    }
}
