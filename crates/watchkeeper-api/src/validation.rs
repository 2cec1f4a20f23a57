//! What names, labels and keys may look like, in upstream's words.
//!
//! Each function tells what is wrong with a text, in the sentences of
//! `k8s.io/apimachinery/pkg/util/validation`, which servers answer with and people search for.
//! Nothing told is nothing wrong.
//!
//! ```
//! use watchkeeper_api::validation;
//! assert!(validation::dns1123_label("web-0").is_empty());
//! assert_eq!(validation::dns1123_label("web.0"), ["must not contain dots"]);
//! assert!(validation::label_key("example.com/app").is_empty());
//! ```

mod pattern;
#[cfg(test)]
mod tests;

use std::fmt;

use pattern::{LABEL, SUBDOMAIN};

/// What is wrong with a text; empty when nothing is.
pub type Problems = Vec<String>;

const NAME: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME_WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LONGEST_LABEL: usize = 63;
const LONGEST_SUBDOMAIN: usize = 253;

/// How much all annotations of an object may hold, keys and values together.
pub const LARGEST_ANNOTATIONS: usize = 256 * 1024;

/// A label in DNS, as in RFC 1123: the names of namespaces, services' hosts, pods' host names.
#[must_use]
pub fn dns1123_label(text: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_LABEL, "characters");
    if !pattern::is_label(text) {
        problems.push(if pattern::is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            mismatch(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
                LABEL,
                &["my-name", "123-abc"],
            )
        });
    }
    problems
}

/// A subdomain in DNS, as in RFC 1123: the names of most objects.
#[must_use]
pub fn dns1123_subdomain(text: &str) -> Problems {
    subdomain(text, "characters")
}

fn subdomain(text: &str, unit: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_SUBDOMAIN, unit);
    if !pattern::is_subdomain(text) {
        problems.push(mismatch(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
            SUBDOMAIN,
            &["example.com"],
        ));
    }
    problems
}

/// A subdomain behind `*.`, as rules of ingresses name hosts.
#[must_use]
pub fn wildcard_dns1123_subdomain(text: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_SUBDOMAIN, "characters");
    if !text.strip_prefix("*.").is_some_and(pattern::is_subdomain) {
        problems.push(mismatch(
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
            &format!("\\*\\.{SUBDOMAIN}"),
            &["*.example.com"],
        ));
    }
    problems
}

/// A label in DNS, as in RFC 1035: it starts with a letter. The names of services.
#[must_use]
pub fn dns1035_label(text: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_LABEL, "characters");
    if !(text.starts_with(|c: char| c.is_ascii_lowercase()) && pattern::is_label(text)) {
        problems.push(mismatch(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            &["my-name", "abc-123"],
        ));
    }
    problems
}

/// The key of a label, an annotation or a finalizer, which upstream calls a qualified name: a name
/// of at most 63 bytes, behind a subdomain and a slash if it belongs to somebody.
#[must_use]
pub fn label_key(text: &str) -> Problems {
    let mut problems = Problems::new();
    let mut parts = text.split('/');
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some(prefix), Some(name), None) => {
            if prefix.is_empty() {
                problems.push("prefix part must be non-empty".to_owned());
            } else {
                let of_prefix = subdomain(prefix, "bytes");
                problems.extend(of_prefix.into_iter().map(|why| format!("prefix part {why}")));
            }
            name
        }
        (_, None, _) => text,
        _ => {
            return vec![format!(
                "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                mismatch(NAME_WORDS, NAME, &["MyName", "my.name", "123-abc"])
            )];
        }
    };
    if name.is_empty() {
        problems.push("name part must be non-empty".to_owned());
    } else if name.len() > LONGEST_LABEL {
        problems.push(format!("name part must be no more than {LONGEST_LABEL} bytes"));
    }
    if !pattern::is_name(name) {
        let why = mismatch(NAME_WORDS, NAME, &["MyName", "my.name", "123-abc"]);
        problems.push(format!("name part {why}"));
    }
    problems
}

/// The value of a label.
#[must_use]
pub fn label_value(text: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_LABEL, "bytes");
    if !text.is_empty() && !pattern::is_name(text) {
        problems.push(mismatch(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            &format!("({NAME})?"),
            &["MyValue", "my_value", "12345"],
        ));
    }
    problems
}

/// The key of an annotation: that of a label, in any case.
#[must_use]
pub fn annotation_key(text: &str) -> Problems {
    label_key(&text.to_lowercase())
}

/// All labels of an object.
pub fn labels<'a>(labels: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Invalid> {
    let mut found = Vec::new();
    for (key, value) in labels {
        found.extend(
            label_key(key).into_iter().map(|why| Invalid::new("metadata.labels", key, why)),
        );
        let wrong = label_value(value).into_iter();
        found.extend(wrong.map(|why| Invalid::new("metadata.labels", value, why)));
    }
    found
}

/// All annotations of an object.
pub fn annotations<'a>(annotations: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Invalid> {
    let (mut found, mut size) = (Vec::new(), 0);
    for (key, value) in annotations {
        size += key.len() + value.len();
        let wrong = annotation_key(key).into_iter();
        found.extend(wrong.map(|why| Invalid::new("metadata.annotations", key, why)));
    }
    if size > LARGEST_ANNOTATIONS {
        found.push(Invalid {
            path: "metadata.annotations",
            value: None,
            why: format!("may not be more than {LARGEST_ANNOTATIONS} bytes"),
        });
    }
    found
}

/// A name that can be one step of a path: of roles, bindings and certificates' requests, among
/// others. Upstream's `IsPathSegmentName`.
#[must_use]
pub fn path_segment(text: &str) -> Problems {
    match text {
        "." | ".." => vec![format!("may not be '{text}'")],
        _ => {
            let wrong = ["/", "%"].into_iter().filter(|part| text.contains(part));
            wrong.map(|part| format!("may not contain '{part}'")).collect()
        }
    }
}

/// The number of a port.
#[must_use]
pub fn port_number(port: i64) -> Problems {
    if (1..=65_535).contains(&port) {
        return Problems::new();
    }
    vec!["must be between 1 and 65535, inclusive".to_owned()]
}

/// The name of a port, as in RFC 6335.
#[must_use]
pub fn port_name(text: &str) -> Problems {
    let mut problems = too_long(text, 15, "characters");
    let mut check = |wrong: bool, why: &str| {
        if wrong {
            problems.push(why.to_owned());
        }
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    check(
        text.is_empty() || !text.chars().all(plain),
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    );
    check(
        !text.contains(|c: char| c.is_ascii_lowercase()),
        "must contain at least one letter (a-z)",
    );
    check(text.contains("--"), "must not contain consecutive hyphens");
    check(text.starts_with('-') || text.ends_with('-'), "must not begin or end with a hyphen");
    problems
}

/// An identifier of C.
#[must_use]
pub fn c_identifier(text: &str) -> Problems {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    if text.starts_with(first) && text.chars().all(|c| first(c) || c.is_ascii_digit()) {
        return Problems::new();
    }
    vec![mismatch(
        "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
        "[A-Za-z_][A-Za-z0-9_]*",
        &["my_name", "MY_NAME", "MyName"],
    )]
}

/// The name of an environment variable, as it was before 1.30; [`relaxed_env_name`] is since.
#[must_use]
pub fn env_name(text: &str) -> Problems {
    let digit = text.starts_with(|c: char| c.is_ascii_digit());
    let mut problems = Problems::new();
    if digit || !pattern::is_key(text) {
        problems.push(mismatch(
            "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
            "[-._a-zA-Z][-._a-zA-Z0-9]*",
            &["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
        ));
    }
    problems.extend(climbs(text));
    problems
}

/// The name of an environment variable.
#[must_use]
pub fn relaxed_env_name(text: &str) -> Problems {
    if text.is_empty() {
        return vec!["environment variable name must be non-empty".to_owned()];
    }
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'=') {
        return Problems::new();
    }
    vec!["a valid environment variable name must consist only of printable ASCII characters other than '='".to_owned()]
}

/// A key in the data of a config map or a secret.
#[must_use]
pub fn config_key(text: &str) -> Problems {
    let mut problems = too_long(text, LONGEST_SUBDOMAIN, "characters");
    if !pattern::is_key(text) {
        problems.push(mismatch(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            &["key.name", "KEY_NAME", "key-name"],
        ));
    }
    problems.extend(climbs(text));
    problems
}

/// The name of a header of HTTP.
#[must_use]
pub fn http_header_name(text: &str) -> Problems {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Problems::new();
    }
    vec![mismatch(
        "a valid HTTP header must consist of alphanumeric characters or '-'",
        "[-A-Za-z0-9]+",
        &["X-Header-Name"],
    )]
}

/// A percentage.
#[must_use]
pub fn percent(text: &str) -> Problems {
    let digits = text.strip_suffix('%').unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Problems::new();
    }
    vec![mismatch(
        "a valid percent string must be a numeric string followed by an ending '%'",
        "[0-9]+%",
        &["1%", "93%"],
    )]
}

/// The part before a generated name's random end, which may end in a hyphen: what `rule` says of it
/// as if that were a letter. Upstream's `maskTrailingDash`.
pub fn generate_name(prefix: &str, rule: impl FnOnce(&str) -> Problems) -> Problems {
    let start = prefix.strip_suffix('-').and_then(|start| {
        // Upstream cuts one byte more than it adds.
        let last = start.char_indices().next_back()?;
        Some(format!("{}a", &start[..last.0]))
    });
    rule(start.as_deref().unwrap_or(prefix))
}

/// One thing that is wrong with an object, as servers print it: `metadata.labels: Invalid value:
/// "-": name part …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    path: &'static str,
    /// Absent: the value is too long to be shown.
    value: Option<String>,
    why: String,
}

impl Invalid {
    fn new(path: &'static str, value: &str, why: String) -> Self {
        Self { path, value: Some(value.to_owned()), why }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}: Invalid value: {value:?}: {}", self.path, self.why),
            None => write!(f, "{}: Too long: {}", self.path, self.why),
        }
    }
}

impl std::error::Error for Invalid {}

fn too_long(text: &str, limit: usize, unit: &str) -> Problems {
    if text.len() <= limit {
        return Problems::new();
    }
    vec![format!("must be no more than {limit} {unit}")]
}

/// What would lead out of a folder when it names a file there.
fn climbs(text: &str) -> Option<String> {
    match text {
        "." | ".." => Some(format!("must not be '{text}'")),
        _ if text.starts_with("..") => Some("must not start with '..'".to_owned()),
        _ => None,
    }
}

fn mismatch(words: &str, pattern: &str, examples: &[&str]) -> String {
    let examples: Vec<_> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{words} (e.g. {}regex used for validation is '{pattern}')", examples.join(" or "))
}
