//! Rules in CEL.

use watchkeeper_schema::Validation;
use watchkeeper_schema::cel::escaped;

use super::Member;

/// A rule in CEL, as an attribute says it; what is empty is not said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule {
    /// The rule.
    pub rule: &'static str,
    /// What is said when it fails.
    pub message: &'static str,
    /// An expression that makes the message.
    pub message_expression: &'static str,
    /// The reason of the error.
    pub reason: &'static str,
    /// Which member the error is of.
    pub field_path: &'static str,
    /// Whether the rule holds for new values, too: `oldSelf` is an optional then.
    pub optional_old_self: bool,
}

impl Member {
    /// A rule in CEL.
    #[must_use]
    pub fn validation(self, rule: Rule) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let validation = Validation {
            rule: rule.rule.to_owned(),
            message: text(rule.message),
            message_expression: text(rule.message_expression),
            reason: text(rule.reason),
            field_path: text(rule.field_path),
            optional_old_self: rule.optional_old_self.then_some(true),
        };
        self.with(|schema| schema.validations.push(validation))
    }

    /// One of these members is there, or none (upstream: `+kubebuilder:validation:AtMostOneOf`).
    #[must_use]
    pub fn at_most_one_of(self, names: &[&str]) -> Self {
        self.count_of(names, "<=", "at most")
    }

    /// One of these members is there (upstream: `+kubebuilder:validation:ExactlyOneOf`).
    #[must_use]
    pub fn exactly_one_of(self, names: &[&str]) -> Self {
        self.count_of(names, "==", "exactly")
    }

    /// One of these members is there, or several (upstream: `+kubebuilder:validation:AtLeastOneOf`).
    #[must_use]
    pub fn at_least_one_of(self, names: &[&str]) -> Self {
        self.count_of(names, ">=", "at least")
    }

    fn count_of(self, names: &[&str], compare: &str, words: &str) -> Self {
        let present: Vec<_> =
            names.iter().map(|name| format!("has(self.{})", escaped(name))).collect();
        let validation = Validation {
            rule: format!("[{}].filter(x, x).size() {compare} 1", present.join(", ")),
            message: Some(format!("{words} one of {} must be set", names.join(", "))),
            ..Validation::default()
        };
        self.with(|schema| schema.validations.push(validation))
    }
}
