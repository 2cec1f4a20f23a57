//! Compiling rules, with what a server says of those that are none
//! (apiextensions, `pkg/apis/apiextensions/validation`).

use serde_json::{Value, json};

use super::budget::{Budget, Priced};
use super::{Compiled, Complaints, Found, paths, types, walk};
use crate::error::{FieldError, Reason, child, item, key};
use crate::interpreter::parse;
use crate::node::{Schema, Validation};
use crate::structural;

/// The rules of a schema, none where there are none, and what is wrong with them.
pub(super) fn compile(
    schema: &Schema,
    path: &str,
    budget: Option<Budget>,
) -> (Option<Found>, Complaints) {
    let mut compiling = Compiling { budget, ..Compiling::default() };
    let times = Some(1);
    let found = compiling.node(schema, At { path: path.to_owned(), root: true, lost: None, times });
    let Compiling { written, mut said, budget } = compiling;
    said.extend(budget.into_iter().flat_map(|budget| budget.of_all(path)));
    (found, Complaints { written, said })
}

/// Servers take no rules under `allOf` and the like, although they could ask those under `allOf`.
pub(super) fn misplaced(schema: &Schema, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    around(schema, path, &mut errors);
    errors
}

/// Looks for what holds value validations.
fn around(schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    for (path, part) in parts(schema, path) {
        around(part, &path, errors);
    }
    for (path, nested, _) in structural::nested_values(schema, path, false) {
        none(nested, &path, errors);
    }
}

fn none(schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if !schema.validations.is_empty() {
        let place = child(path, "x-kubernetes-validations");
        errors.push(FieldError::forbidden(place, "must be empty to be structural"));
    }
    for (path, part) in parts(schema, path) {
        none(part, &path, errors);
    }
    for (path, nested, _) in structural::nested_values(schema, path, false) {
        none(nested, &path, errors);
    }
}

fn parts<'a>(schema: &'a Schema, path: &str) -> Vec<(String, &'a Schema)> {
    let property = |(name, of): (&String, &'a Schema)| (key(&child(path, "properties"), name), of);
    let mut parts: Vec<(String, &Schema)> = schema.properties.iter().map(property).collect();
    parts.extend(schema.items.as_deref().map(|of| (child(path, "items"), of)));
    parts.extend(schema.additional.as_deref().map(|of| (child(path, "additionalProperties"), of)));
    parts
}

/// Where in a schema we are.
#[derive(Clone, Default)]
struct At {
    path: String,
    root: bool,
    /// The list around it of whose items the old ones are not found.
    lost: Option<String>,
    /// How often it may be there; none if nothing is said of that.
    times: Option<u64>,
}

#[derive(Default)]
struct Compiling {
    /// What is wrong with how rules are written.
    written: Vec<FieldError>,
    /// What is wrong with what they say.
    said: Vec<FieldError>,
    /// What they may cost, if that is asked.
    budget: Option<Budget>,
}

impl Compiling {
    /// The parts first: rules are not looked at where something in them is not written as it must be.
    fn node(&mut self, schema: &Schema, at: At) -> Option<Found> {
        let before = self.written.len();
        let mut found = Found::default();
        let times = Budget::times(schema, at.times);
        let inner = |name: &str, lost: Option<String>| At {
            path: child(&at.path, name),
            root: false,
            lost,
            times,
        };
        if let Some(values) = &schema.additional {
            let values = self.node(values, inner("additionalProperties", at.lost.clone()));
            found.inner = values.map(Box::new);
        }
        for (name, property) in &schema.properties {
            let path = key(&child(&at.path, "properties"), name);
            let of = self.node(property, At { path, root: false, lost: at.lost.clone(), times });
            found.members.extend(of.map(|of| (name.clone(), of)));
        }
        if let Some(items) = &schema.items {
            let lost =
                (!walk::is_keyed(schema)).then(|| at.path.clone()).or_else(|| at.lost.clone());
            found.inner = self.node(items, inner("items", lost)).map(Box::new);
        }
        let place = |index| item(&child(&at.path, "x-kubernetes-validations"), index);
        for (index, rule) in schema.validations.iter().enumerate() {
            self.writing(rule, schema, &place(index));
        }
        if self.written.len() == before {
            for (index, rule) in schema.validations.iter().enumerate() {
                found.rules.extend(self.rule(rule, schema, &place(index), &at));
            }
        }
        let is_none = found.rules.is_empty() && found.members.is_empty() && found.inner.is_none();
        (!is_none).then_some(found)
    }

    fn writing(&mut self, rule: &Validation, schema: &Schema, path: &str) {
        let mut say = |error: FieldError| self.written.push(error);
        let at = |name: &str| child(path, name);
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (message, field) = (text(&rule.message), text(&rule.field_path));
        let (trimmed, trimmed_message) = (rule.rule.trim(), message.trim());
        if trimmed.is_empty() {
            say(FieldError::required(at("rule"), "rule is not specified"));
        } else if !message.is_empty() && trimmed_message.is_empty() {
            say(FieldError::invalid(at("message"), &*message, "must be non-empty if specified"));
        } else if trimmed_message.contains('\n') {
            say(FieldError::invalid(at("message"), &*message, "must not contain line breaks"));
        } else if trimmed.contains('\n') && trimmed_message.is_empty() {
            let detail = "message must be specified if rule contains line breaks";
            say(FieldError::required(at("message"), detail));
        }
        let expression = text(&rule.message_expression);
        if !expression.is_empty() && expression.trim().is_empty() {
            let detail = "messageExpression must be non-empty if specified";
            say(FieldError::required(at("messageExpression"), detail));
        }
        if let Some(reason) = &rule.reason
            && !REASONS.contains(&reason.as_str())
        {
            say(FieldError::not_supported(at("reason"), reason.as_str(), REASONS));
        }
        if field.is_empty() {
            return;
        }
        if field.trim().is_empty() {
            say(FieldError::invalid(at("fieldPath"), &*field, "must be non-empty if specified"));
        }
        if field.contains('\n') {
            say(FieldError::invalid(at("fieldPath"), &*field, "must not contain line breaks"));
        }
        if paths::parse(&field, schema).is_none() {
            say(FieldError::invalid(at("fieldPath"), &*field, "must be a valid path"));
        }
    }

    fn rule(
        &mut self,
        rule: &Validation,
        schema: &Schema,
        path: &str,
        at: &At,
    ) -> Option<Compiled> {
        let optional = rule.optional_old_self.unwrap_or_default();
        let scope = types::Scope::new(schema, at.root, optional);
        let wrong = |detail: String, part: &str| {
            let detail = format!("{}: {detail}", shown(rule));
            FieldError::new(Reason::Invalid, child(path, part), None, detail)
        };
        let read = parse::parse(&rule.rule)
            .map_err(|why| format!("compilation failed: {}", why.trim_end()));
        let checked = read.and_then(|expression| {
            let asked = types::Asked { text: &rule.rule, wanted: types::Ty::Bool };
            types::check(&expression, &scope, &asked, "").map(|()| expression)
        });
        let expression = match checked {
            Ok(expression) => expression,
            Err(detail) => {
                self.said.push(wrong(detail, "rule"));
                return None;
            }
        };
        let priced = Priced { scope: &scope, schema, root: at.root };
        if let Some(budget) = &mut self.budget {
            self.said.extend(budget.rule(&child(path, "rule"), &expression, &priced, at.times));
        }
        let message = match self.message(rule, &scope) {
            Ok(message) => {
                if let (Some(budget), Some(message)) = (&mut self.budget, &message) {
                    let place = child(path, "messageExpression");
                    self.said.extend(budget.message(&place, message, &priced));
                }
                message
            }
            Err(detail) => {
                self.said.push(wrong(detail, "messageExpression"));
                None
            }
        };
        let transition = expression.references().has_variable("oldSelf");
        if let (true, Some(lost)) = (transition, &at.lost) {
            let detail = format!(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within {lost}"
            );
            self.said.push(FieldError::invalid(child(path, "rule"), rule.rule.as_str(), detail));
        }
        if let (false, Some(flag)) = (transition, rule.optional_old_self) {
            let detail = "may not be set if oldSelf is not used in rule";
            self.said.push(FieldError::invalid(child(path, "optionalOldSelf"), flag, detail));
        }
        let field = rule.field_path.as_deref().and_then(|path| paths::parse(path, schema));
        let field = field.unwrap_or_default();
        Some(Compiled { rule: rule.clone(), expression, message, field, transition })
    }

    fn message(
        &self,
        rule: &Validation,
        scope: &types::Scope<'_>,
    ) -> Result<Option<kube_cel::cel::IdedExpr>, String> {
        let Some(text) = rule.message_expression.as_deref().filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let read = parse::parse(text);
        let expression = read
            .map_err(|why| format!("messageExpression compilation failed: {}", why.trim_end()))?;
        let asked = types::Asked { text, wanted: types::Ty::Text };
        types::check(&expression, scope, &asked, "messageExpression ")?;
        Ok(Some(expression))
    }
}

/// The reasons that a rule may give.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// A rule as upstream shows it: by the names that its type has in Go, and in their order.
fn shown(rule: &Validation) -> String {
    let text = |text: &Option<String>| json!(text.as_deref().unwrap_or_default());
    let parts = [
        ("Rule", json!(rule.rule)),
        ("Message", text(&rule.message)),
        ("MessageExpression", text(&rule.message_expression)),
        ("Reason", json!(rule.reason)),
        ("FieldPath", text(&rule.field_path)),
        ("OptionalOldSelf", json!(rule.optional_old_self)),
    ];
    let parts: Vec<String> =
        parts.iter().map(|(name, value)| format!("\"{name}\":{}", escaped(value))).collect();
    format!("{{{}}}", parts.join(","))
}

/// Go's encoder writes `<`, `>` and `&` as escapes.
fn escaped(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
