//! Which differences of two answers are listed.

use serde_json::Value;
use watchkeeper_generator::Difference;

use crate::{Outcome, workspace};

/// A deviation that is known. In its patterns `*` stands for any text.
#[derive(Debug)]
pub(super) struct Deviation {
    pub(super) reason: String,
    /// Method and path.
    request: String,
    /// Every difference of the answer is like one of these: where, what the real server says, and the embedded one.
    differences: Vec<[String; 3]>,
}

/// Reads `conformance/generated/deviations.json`.
///
/// # Errors
/// When it is no such file.
pub(super) fn deviations() -> Outcome<Vec<Deviation>> {
    let path = workspace::root().join("conformance/generated/deviations.json");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file: Value =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = |value: &Value| value.as_str().unwrap_or("*").to_owned();
    let deviation = |entry: &Value| Deviation {
        reason: text(&entry["reason"]),
        request: text(&entry["request"]),
        differences: entry["differences"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|one| [&one["at"], &one["real"], &one["embedded"]].map(text))
            .collect(),
    };
    Ok(file.as_array().into_iter().flatten().map(deviation).collect())
}

impl std::fmt::Display for Deviation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: `{}`", self.reason, self.request)
    }
}

impl Deviation {
    /// Whether it tells all of these differences of the answer to a request.
    pub(super) fn tells(&self, request: &str, found: &[Difference]) -> bool {
        let is_told = |difference: &Difference| {
            let sides = [shown(difference.real.as_ref()), shown(difference.embedded.as_ref())];
            self.differences.iter().any(|[at, real, embedded]| {
                like(at, &difference.at) && like(real, &sides[0]) && like(embedded, &sides[1])
            })
        };
        like(&self.request, request) && found.iter().all(is_told)
    }
}

/// A side of a difference as a text; `-` where there is nothing.
pub(super) fn shown(value: Option<&Value>) -> String {
    value.map_or_else(
        || "-".to_owned(),
        |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    )
}

/// Whether a text is as a pattern says.
pub(super) fn like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use watchkeeper_generator::Difference;

    use super::{Deviation, deviations, like};

    #[test]
    fn patterns_are_texts_with_gaps() {
        for (pattern, text, is_like) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c", false),
            ("*", "", true),
        ] {
            assert_eq!(like(pattern, text), is_like, "{pattern} {text}");
        }
    }

    #[test]
    fn a_deviation_tells_all_that_differs_or_nothing() {
        let deviation = Deviation {
            reason: "so".to_owned(),
            request: "POST *".to_owned(),
            differences: vec![["body.message".to_owned(), "a*".to_owned(), "b".to_owned()]],
        };
        let differs = |at: &str, real: &str| Difference {
            at: at.to_owned(),
            real: Some(json!(real)),
            embedded: Some(json!("b")),
        };
        let told = differs("body.message", "a1");
        assert!(deviation.tells("POST /x", std::slice::from_ref(&told)));
        assert!(!deviation.tells("PUT /x", std::slice::from_ref(&told)));
        assert!(!deviation.tells("POST /x", &[told, differs("code", "a")]));
        assert!(!deviation.tells("POST /x", &[differs("body.message", "c")]));
    }

    #[test]
    fn every_deviation_has_a_reason_and_is_where_there_may_be_some() {
        for deviation in deviations().expect("the file") {
            assert!(deviation.reason.len() > 20, "{}", deviation.reason);
            let bullet = deviation.reason.split(['.', ':']).next().unwrap_or_default();
            assert!(bullet.starts_with('V'), "{}", deviation.reason);
            let must_be_equal = ["V2", "V3", "V4", "V6"].contains(&bullet);
            assert!(!must_be_equal, "{}", deviation.reason);
            assert!(!deviation.differences.is_empty(), "{}", deviation.reason);
        }
    }
}
