//! What policies say in expressions: when they are asked, of what, and what is to be so.

use std::collections::BTreeSet;

use watchkeeper_schema::expression::{Environment, With};
use watchkeeper_schema::{FieldError, Reason};

use super::super::expressions::{self, ASKING, Asked};
use super::super::{Check, Place, internal, names};

/// Of a policy with a longer name that is told, and not of each of its annotations again.
const LONGEST: usize = 1024;
const MOST_ANNOTATIONS: usize = 20;
/// How long what gives the value of an annotation is, at most, in bytes.
const LONGEST_VALUE: usize = 5 * 1024;
const REASONS: [&str; 3] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
/// What is no name of a variable.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// What the expressions of a policy may name: parameters where it has some, and its own variables.
pub(super) fn environment(spec: &Place<'_>, has_variables: bool) -> Environment {
    Environment::admission().params(spec.has("paramKind")).variables(has_variables)
}

/// When a policy is asked. Conditions that an update leaves as they are, are not judged again.
pub(super) fn conditions(check: &mut Check<'_>, spec: &Place<'_>) {
    let is_kept = check.before().is_some_and(|before| {
        let was = before.at("spec");
        ["paramKind", "matchConditions"]
            .iter()
            .all(|name| was.member(name).value == spec.member(name).value)
    });
    if !is_kept {
        expressions::conditions(check, &spec.member("matchConditions"), &environment(spec, false));
    }
}

/// What a policy gives names to (`validateVariable`). A variable may name those before it, and what it gives is known
/// in all that comes after it.
pub(super) fn variables(check: &mut Check<'_>, list: &Place<'_>, environment: &mut Environment) {
    for variable in list.items() {
        let (name, expression) = (variable.member("name"), variable.member("expression"));
        if name.text().trim().is_empty() {
            check.push(FieldError::required(&*name.path, "name is not specified"));
        } else if !is_identifier(name.text()) {
            let detail = "must be a valid CEL identifier";
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        }
        if is_there(check, &expression, "expression is not specified") {
            let text = expression.text();
            let asked = Asked { text, environment, with: ASKING, wanted: &[] };
            let given = expressions::compiles(check, &expression, text, &asked);
            environment.declare(name.text(), given.as_ref());
        }
    }
}

fn is_identifier(text: &str) -> bool {
    names::is_identifier(text) && !RESERVED.contains(&text)
}

/// Whether there is more than white space, or else `detail` is told.
fn is_there(check: &mut Check<'_>, place: &Place<'_>, detail: &str) -> bool {
    let is_there = !place.text().trim().is_empty();
    if !is_there {
        check.push(FieldError::required(&*place.path, detail));
    }
    is_there
}

/// What is to be so, and what is said if it is not (`validateValidation`).
pub(super) fn validation(check: &mut Check<'_>, place: &Place<'_>, environment: &Environment) {
    let expression = place.member("expression");
    if is_there(check, &expression, "expression is not specified") {
        let text = expression.text();
        let asked = Asked { text, environment, with: ASKING, wanted: &["bool"] };
        expressions::compiles(check, &expression, text, &asked);
    }
    let (computed, message) = (place.member("messageExpression"), place.member("message"));
    let blank = |text: &Place<'_>| !text.is_empty() && text.text().trim().is_empty();
    if blank(&computed) {
        let detail = "must be non-empty if specified";
        check.push(FieldError::invalid(&*computed.path, computed.text(), detail));
    } else if !computed.is_empty() {
        let (text, with) = (computed.text(), With::default());
        let asked = Asked { text, environment, with, wanted: &["string"] };
        expressions::compiles(check, &computed, text, &asked);
    }
    let detail = match message.text().trim() {
        "" if blank(&message) => "must be non-empty if specified",
        text if text.contains(['\n', '\r']) => "must not contain line breaks",
        _ => "",
    };
    if !detail.is_empty() {
        check.push(FieldError::invalid(&*message.path, message.text(), detail));
    }
    check.optional(&place.member("reason"), &REASONS);
}

/// What is noted of requests (`validateAuditAnnotation`).
pub(super) fn annotations(check: &mut Check<'_>, list: &Place<'_>, environment: &Environment) {
    let items = list.items();
    if items.len() > MOST_ANNOTATIONS {
        let model = "io.k8s.api.admissionregistration.v1.AuditAnnotation";
        let shown: Vec<String> =
            items.iter().map(|item| internal::shown(model, item.value)).collect();
        let detail = format!("must not have more than {MOST_ANNOTATIONS} auditAnnotations");
        let detail = format!("[{}]: {detail}", shown.join(","));
        check.push(FieldError::new(Reason::Invalid, &*list.path, None, detail));
    }
    let policy = check.at("metadata.name").text();
    let mut seen = BTreeSet::new();
    for annotation in items {
        let key = annotation.member("key");
        if policy.is_empty() {
            let detail = "requires metadata.name be non-empty";
            check.push(FieldError::invalid(&*key.path, key.text(), detail));
        } else if policy.len() <= LONGEST {
            let whole = format!("{policy}/{}", key.text());
            check.all(&key, &whole, names::qualified(&whole));
        }
        let expression = annotation.member("valueExpression");
        let text = expression.text().trim();
        if text.len() > LONGEST_VALUE {
            let detail = format!("must not exceed {LONGEST_VALUE} bytes in length");
            check.push(FieldError::required(&*expression.path, detail));
        } else if is_there(check, &expression, "valueExpression is not specified") {
            let wanted = &["string", "null_type"];
            let asked = Asked { text, environment, with: ASKING, wanted };
            expressions::compiles(check, &expression, expression.text(), &asked);
        }
        if !seen.insert(key.text()) {
            check.push(FieldError::duplicate(&*key.path, key.text()));
        }
    }
}

/// A change is told one way (`validateMutation`).
pub(super) fn mutation(check: &mut Check<'_>, place: &Place<'_>, environment: &Environment) {
    let (of, patch, applied) =
        (place.member("patchType"), place.member("jsonPatch"), place.member("applyConfiguration"));
    let (told, other, shown, wanted) = match of.text() {
        "JSONPatch" => (patch, applied, "{applyConfiguration}", "list(JSONPatch)"),
        "ApplyConfiguration" => (applied, patch, "{jsonPatch}", "Object"),
        _ => return check.one_of(&of, &["ApplyConfiguration", "JSONPatch"]),
    };
    let expression = told.member("expression");
    if told.is_missing() {
        let detail = format!("must be specified when patchType is {}", of.text());
        check.push(FieldError::required(&*told.path, detail));
    } else if is_there(check, &expression, "") {
        let (text, with) = (expression.text().trim(), With { patches: true, ..ASKING });
        let asked = Asked { text, environment, with, wanted: &[wanted] };
        expressions::compiles(check, &expression, text, &asked);
    }
    if !other.is_missing() {
        let detail = format!("must not be specified when patchType is {}", of.text());
        check.push(FieldError::invalid(&*other.path, shown, detail));
    }
}
