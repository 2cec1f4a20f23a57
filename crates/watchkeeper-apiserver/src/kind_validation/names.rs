//! The forms of names, keys and label values, and what is said of others
//! (apimachinery, `pkg/util/validation`).

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const QUALIFIED: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// How the names of a kind look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    /// Labels with dots between: most kinds.
    Subdomain,
    /// The same by a rule that upstream declares with the type (`k8s-long-name`), which counts bytes and says so.
    LongName,
    /// One label: namespaces, services, stateful sets.
    Label,
    /// Anything that fits into a path: RBAC.
    PathSegment,
}

impl NameForm {
    /// The form of the names of a kind.
    #[must_use]
    pub fn of(group: &str, kind: &str) -> Self {
        match (group, kind) {
            ("", "Namespace" | "Service") | ("apps", "StatefulSet") => Self::Label,
            // Of budgets, events and requests for certificates upstream asks no more than of all objects.
            ("rbac.authorization.k8s.io", _)
            | ("certificates.k8s.io", "CertificateSigningRequest")
            | ("policy", "PodDisruptionBudget")
            | ("", "Event") => Self::PathSegment,
            ("resource.k8s.io", "DeviceClass") => Self::LongName,
            _ => Self::Subdomain,
        }
    }

    /// What is wrong with a name.
    #[must_use]
    pub fn check(self, name: &str) -> Vec<String> {
        match self {
            Self::Subdomain => subdomain(name),
            Self::LongName => subdomain_within(name, too_many_bytes),
            Self::Label => label(name),
            Self::PathSegment => path_segment(name),
        }
    }

    /// What is wrong with what a name is made from by writing something behind it.
    #[must_use]
    pub fn check_prefix(self, prefix: &str) -> Vec<String> {
        match self {
            Self::Subdomain | Self::LongName => subdomain(&completed(prefix)),
            Self::Label => label(&completed(prefix)),
            Self::PathSegment => path_segment_prefix(prefix),
        }
    }
}

fn regex_error(what: &str, regex: &str, examples: &[&str]) -> String {
    let examples: Vec<String> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{what} (e.g. {}regex used for validation is '{regex}')", examples.join(" or "))
}

/// `pkg/util/validation` counts bytes, and calls them characters.
fn too_long(most: usize) -> String {
    format!("must be no more than {most} characters")
}

/// `pkg/api/validate/content`, of keys and values of labels.
fn too_many_bytes(most: usize) -> String {
    format!("must be no more than {most} bytes")
}

fn is_label(text: &str) -> bool {
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.iter().all(|b| inner(*b) || *b == b'-')
        && bytes.first().is_some_and(|b| inner(*b))
        && bytes.last().is_some_and(|b| inner(*b))
}

/// A DNS-1123 label.
#[must_use]
pub fn label(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > 63 {
        messages.push(too_long(63));
    }
    if !is_label(text) {
        if text.split('.').all(is_label) {
            messages.push("must not contain dots".to_owned());
        } else {
            messages.push(regex_error(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \
                 '-', and must start and end with an alphanumeric character",
                LABEL,
                &["my-name", "123-abc"],
            ));
        }
    }
    messages
}

/// A DNS-1035 label: one that begins with a letter.
#[must_use]
pub fn label_1035(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > 63 {
        messages.push(too_long(63));
    }
    if !is_label(text) || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        messages.push(regex_error(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start \
             with an alphabetic character, and end with an alphanumeric character",
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            &["my-name", "abc-123"],
        ));
    }
    messages
}

/// A DNS-1123 subdomain.
#[must_use]
pub fn subdomain(text: &str) -> Vec<String> {
    subdomain_within(text, too_long)
}

/// What becomes a subdomain when something is written behind it: it may end with a dash.
#[must_use]
pub fn subdomain_prefix(text: &str) -> Vec<String> {
    NameForm::Subdomain.check_prefix(text)
}

/// A prefix as it is judged. What follows it is a letter or digit, so it may end with a dash; the sign before that is
/// not looked at either (`maskTrailingDash`).
fn completed(prefix: &str) -> String {
    match prefix.strip_suffix('-').and_then(|stem| stem.char_indices().next_back()) {
        Some((last, _)) => format!("{}a", &prefix[..last]),
        None => prefix.to_owned(),
    }
}

/// Whether a text is a label, but for underscores inside.
pub(super) fn is_label_with_underscores(text: &str) -> bool {
    is_label(&text.replace('_', "-")) && !text.starts_with('_') && !text.ends_with('_')
}

/// A DNS-1123 subdomain whose labels may have underscores, as what a resolver searches in.
#[must_use]
pub fn subdomain_with_underscores(text: &str) -> Vec<String> {
    let is_part = |part: &str| is_label_with_underscores(part.strip_prefix('_').unwrap_or(part));
    let mut messages = Vec::new();
    if text.len() > 253 {
        messages.push(too_long(253));
    }
    if !text.split('.').all(is_part) {
        let label = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
        messages.push(regex_error(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \
             '_', '-' or '.', and must start and end with an alphanumeric character",
            &format!(r"{label}(\.{label})*"),
            &["example.com"],
        ));
    }
    messages
}

/// Whether a text is a name in C.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(fits)
}

/// The name of a header of HTTP, more narrowly than HTTP itself.
#[must_use]
pub fn header(text: &str) -> Vec<String> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    if !text.is_empty() && text.bytes().all(fits) {
        return Vec::new();
    }
    vec![regex_error(
        "a valid HTTP header must consist of alphanumeric characters or '-'",
        "[-A-Za-z0-9]+",
        &["X-Header-Name"],
    )]
}

fn subdomain_within(text: &str, too_long: fn(usize) -> String) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > 253 {
        messages.push(too_long(253));
    }
    if !text.split('.').all(is_label) {
        messages.push(regex_error(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \
             '-' or '.', and must start and end with an alphanumeric character",
            SUBDOMAIN,
            &["example.com"],
        ));
    }
    messages
}

/// A DNS-1123 subdomain whose first label is a star.
#[must_use]
pub fn wildcard(text: &str) -> Vec<String> {
    let rest = text.strip_prefix("*.");
    if rest.is_some_and(|rest| rest.split('.').all(is_label)) {
        return Vec::new();
    }
    vec![regex_error(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, \
         which must consist of lower case alphanumeric characters, '-' or '.' and end with an \
         alphanumeric character",
        &format!(r"\*\.{SUBDOMAIN}"),
        &["*.example.com"],
    )]
}

/// A name that is safe in a path.
#[must_use]
pub fn path_segment(text: &str) -> Vec<String> {
    if text == "." || text == ".." {
        return vec![format!("may not be '{text}'")];
    }
    path_segment_prefix(text)
}

/// What is safe in a path when something is written behind it: with that even dots are.
fn path_segment_prefix(text: &str) -> Vec<String> {
    let unsafe_text = ["/", "%"].into_iter().filter(|unsafe_text| text.contains(unsafe_text));
    unsafe_text.map(|unsafe_text| format!("may not contain '{unsafe_text}'")).collect()
}

fn is_qualified(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        && bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// A name with an optional prefix, as label keys, annotation keys and finalizers are.
#[must_use]
pub fn qualified(text: &str) -> Vec<String> {
    let what = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
                with an alphanumeric character";
    let form = || regex_error(what, QUALIFIED, &["MyName", "my.name", "123-abc"]);
    let mut messages = Vec::new();
    let parts: Vec<&str> = text.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        [prefix, name] => {
            let wrong = match prefix {
                "" => vec!["must be non-empty".to_owned()],
                prefix => subdomain_within(prefix, too_many_bytes),
            };
            messages.extend(wrong.into_iter().map(|message| format!("prefix part {message}")));
            name
        }
        _ => {
            let form = form();
            return vec![format!(
                "a valid label key {form} with an optional DNS subdomain prefix and '/' (e.g. \
                 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        messages.push(format!("name part {}", too_many_bytes(63)));
    }
    if !is_qualified(name) {
        messages.push(format!("name part {}", form()));
    }
    messages
}

/// The value of a label.
#[must_use]
pub fn label_value(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > 63 {
        messages.push(too_many_bytes(63));
    }
    if !text.is_empty() && !is_qualified(text) {
        messages.push(regex_error(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', \
             '_' or '.', and must start and end with an alphanumeric character",
            "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
            &["MyValue", "my_value", "12345"],
        ));
    }
    messages
}

/// The key of an entry of a config map or secret.
#[must_use]
pub fn config_key(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if text.len() > 253 {
        messages.push(too_long(253));
    }
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if text.is_empty() || !text.bytes().all(fits) {
        messages.push(regex_error(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            &["key.name", "KEY_NAME", "key-name"],
        ));
    } else if text == "." || text == ".." {
        messages.push(format!("must not be '{text}'"));
    } else if text.starts_with("..") {
        messages.push("must not start with '..'".to_owned());
    }
    messages
}

/// The name of a container port.
#[must_use]
pub fn port_name(text: &str) -> Vec<String> {
    let mut messages = Vec::new();
    let mut say = |wrong: bool, message: &str| {
        if wrong {
            messages.push(message.to_owned());
        }
    };
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    say(text.len() > 15, &too_long(15));
    say(
        !text.bytes().all(fits),
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    );
    let has_letter = text.bytes().any(|b| b.is_ascii_lowercase());
    say(!has_letter, "must contain at least one letter (a-z)");
    say(text.contains("--"), "must not contain consecutive hyphens");
    say(text.starts_with('-') || text.ends_with('-'), "must not begin or end with a hyphen");
    messages
}

/// The reason of a condition (`apimachinery/pkg/apis/meta/v1/validation`).
#[must_use]
pub fn condition_reason(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let ends = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let is_reason = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(ends)
        && bytes.iter().all(|b| ends(b) || [b',', b':'].contains(b));
    if is_reason {
        return Vec::new();
    }
    vec![regex_error(
        "a condition reason must start with alphabetic character, optionally followed by a string \
         of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
        "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?",
        &["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
    )]
}

/// The number of a port.
#[must_use]
pub fn port_number(number: i64) -> Vec<String> {
    match number {
        1..=65_535 => Vec::new(),
        _ => vec!["must be between 1 and 65535, inclusive".to_owned()],
    }
}
