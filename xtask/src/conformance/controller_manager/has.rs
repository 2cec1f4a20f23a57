//! What an answer must have, as a part of it.

use serde_json::Value;

/// Where an answer has something else than it must: members that are not named may be anything, an element of
/// a list must be somewhere in it, `"*"` is any value, and `null` is none.
pub(super) fn difference(expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::String(any), found) if any == "*" => {
            found.is_null().then(|| " is not there".to_owned())
        }
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().find_map(|(name, expected)| {
                let found = found.get(name).unwrap_or(&Value::Null);
                difference(expected, found).map(|what| format!(".{name}{what}"))
            })
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.iter().enumerate().find_map(|(at, expected)| {
                let mut others = found.iter().map(|found| difference(expected, found));
                if others.any(|what| what.is_none()) {
                    return None;
                }
                Some(format!("[{at}] is not among {}", Value::from(found.clone())))
            })
        }
        (expected, found) => (expected != found).then(|| format!(" is {found}, not {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    #[test]
    fn a_part_is_found_and_what_is_wrong_is_named() {
        let found = json!({"a": {"b": 1, "c": [{"d": 2, "e": 3}, {"d": 4}]}, "f": "g"});
        let right = [
            json!({}),
            json!({"a": {"b": 1}, "z": null}),
            json!({"a": {"c": [{"d": 4}, {"e": 3}]}, "f": "*"}),
        ];
        for expected in right {
            assert_eq!(difference(&expected, &found), None, "{expected}");
        }
        let wrong = [
            (json!({"a": {"b": 2}}), ".a.b is 1, not 2"),
            (json!({"a": {"z": "*"}}), ".a.z is not there"),
            (json!({"f": null}), ".f is \"g\", not null"),
            (json!({"a": {"c": [{"d": 5}]}}), ".a.c[0] is not among [{\"d\":2,\"e\":3},{\"d\":4}]"),
            (json!({"a": 1}), ".a is {\"b\":1,\"c\":[{\"d\":2,\"e\":3},{\"d\":4}]}, not 1"),
        ];
        for (expected, what) in wrong {
            assert_eq!(difference(&expected, &found).as_deref(), Some(what));
        }
    }
}
