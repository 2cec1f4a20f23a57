//! How rules in CEL are written.

/// A member's name as a rule can say it (upstream: the escapes of `x-kubernetes-validations`).
///
/// ```
/// use watchkeeper_schema::cel::escaped;
///
/// assert_eq!(escaped("pod-cidr"), "pod__dash__cidr");
/// assert_eq!(escaped("namespace"), "__namespace__");
/// assert_eq!(escaped("replicas"), "replicas");
/// ```
#[must_use]
pub fn escaped(name: &str) -> String {
    const WORDS: [&str; 21] = [
        "true",
        "false",
        "null",
        "in",
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    ];
    if WORDS.contains(&name) {
        return format!("__{name}__");
    }
    name.replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__")
}
