//! Rules in CEL (`x-kubernetes-validations`): whether a server takes them, and what they say of objects.
//!
//! For tests: the parser that comes with the feature `rules` is heavy, and a server checks the rules anyway.
//!
//! ```
//! use serde_json::json;
//! use watchkeeper_schema::rules::Rules;
//! use watchkeeper_schema::{Schema, Validation};
//!
//! let spec = |rule: &str| {
//!     let spec = Schema::object()
//!         .property("least", Schema::int32())
//!         .property("most", Schema::int32())
//!         .validation(Validation::new(rule, "least must not be above most"));
//!     Schema::object().property("spec", spec)
//! };
//!
//! let rules = Rules::compile(&spec("self.least <= self.most")).expect("a server takes them");
//! assert_eq!(rules.check(&json!({ "spec": { "least": 1, "most": 2 } })), []);
//! let wrong = rules.check(&json!({ "spec": { "least": 3, "most": 2 } }));
//! assert_eq!(wrong[0].field, "spec");
//!
//! let error = Rules::compile(&spec("self.lest <= self.most")).expect_err("no such field");
//! assert!(error.to_string().contains("undefined field 'lest'"), "{error}");
//! ```
//!
//! # What is checked
//!
//! When rules are compiled: that they can be read, name fields that the schema has and variables that there
//! are, compare and join values of fitting types, write out
//! lists and maps of one type (as far as types are known before they run), are not under `allOf` and the like, call functions that servers know, give a truth value (a
//! message expression: a text), and use `oldSelf` only where a server finds the old value. Not checked then,
//! but when they run: the arguments of functions. Not checked at all: what a rule costs, which servers limit.
//!
//! When they run: as a server does, after defaults were filled in. An update that leaves a part as it is
//! is forgiven when that part's rules without `oldSelf` are false of it; not that they do not run, for
//! instance for want of a field. Of the items of a list without keys it is the list, or what is around
//! it, that must be as it was; and an object that has members beside its schema never is.
//!
//! Servers know more than is evaluated here: `cel.bind`, comprehensions over index and value, `sortBy`,
//! `optMap`, `optFlatMap`, `dyn` and `type`. A rule with one of these may compile, and then is told as one
//! that does not run.

mod calls;
mod convert;
mod run;
mod types;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;

use kube_cel::cel::Program;
use serde_json::Value;

use crate::defaults;
use crate::error::{FieldError, Reason, child, item, key};
use crate::node::{Schema, Validation};
use crate::structural;

/// The rules of a schema, ready to be asked.
pub struct Rules {
    schema: Schema,
    found: Vec<Found>,
}

/// A rule, and what it says when it fails.
struct Compiled {
    rule: Validation,
    program: Program,
    message: Option<Program>,
    /// It says something of a change.
    transition: bool,
}

/// The rules of a place in a schema; places are told apart by the way there.
struct Found {
    place: String,
    rules: Vec<Compiled>,
}

/// What is wrong with rules, each with its place in the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesError(pub Vec<FieldError>);

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(FieldError::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RulesError {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.found.iter().flat_map(|found| &found.rules);
        f.debug_list().entries(rules.map(|compiled| &compiled.rule.rule)).finish()
    }
}

impl Rules {
    /// Compiles the rules of a whole custom resource's schema.
    ///
    /// # Errors
    ///
    /// What a server would refuse the definition for, as far as the [module](self) tells: all of it.
    pub fn compile(schema: &Schema) -> Result<Self, RulesError> {
        let schema = schema.clone();
        let mut compiling = Compiling::default();
        compiling.node(&schema, At { root: true, ..At::default() });
        let Compiling { found, errors } = compiling;
        if errors.is_empty() { Ok(Self { schema, found }) } else { Err(RulesError(errors)) }
    }

    /// How many rules there are: a test that checks none is none.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.iter().map(|found| found.rules.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the rules say against a new object, in the words of a server.
    #[must_use]
    pub fn check(&self, object: &Value) -> Vec<FieldError> {
        self.judge(object, None)
    }

    /// What they say against an object in place of an older one.
    #[must_use]
    pub fn check_update(&self, object: &Value, old: &Value) -> Vec<FieldError> {
        self.judge(object, Some(old))
    }

    fn judge(&self, object: &Value, old: Option<&Value>) -> Vec<FieldError> {
        let defaulted = |object: &Value| {
            let mut object = object.clone();
            defaults::default_values(&mut object, self.schema.alone());
            object
        };
        let (object, old) = (defaulted(object), old.map(defaulted));
        let mut judge = walk::Judge::new(self);
        let before = walk::Before::new(old.as_ref());
        judge.value(&object, before, &self.schema, walk::At::default());
        judge.errors
    }

    fn at(&self, place: &str) -> &[Compiled] {
        let found = self.found.iter().find(|found| found.place == place);
        found.map_or(&[], |found| &found.rules)
    }
}

/// Where in a schema we are.
#[derive(Clone, Default)]
struct At {
    /// As errors name it.
    path: String,
    /// As [`Found`] names it.
    place: String,
    root: bool,
    /// The list around it of whose items the old ones are not found.
    lost: Option<String>,
}

#[derive(Default)]
struct Compiling {
    found: Vec<Found>,
    errors: Vec<FieldError>,
}

impl Compiling {
    fn node(&mut self, schema: &Schema, at: At) {
        self.nested(schema, &at.path);
        let mut rules = Vec::new();
        for (index, rule) in schema.validations.iter().enumerate() {
            let path = item(&child(&at.path, "x-kubernetes-validations"), index);
            rules.extend(self.rule(rule, schema, &path, &at));
        }
        if !rules.is_empty() {
            self.found.push(Found { place: at.place.clone(), rules });
        }
        for (name, property) in &schema.properties {
            let path = key(&child(&at.path, "properties"), name);
            let place = member_place(&at.place, name);
            self.node(property, At { path, place, root: false, lost: at.lost.clone() });
        }
        let inner = |name: &str, lost: Option<String>| At {
            path: child(&at.path, name),
            place: inner_place(&at.place),
            root: false,
            lost,
        };
        if let Some(items) = &schema.items {
            let lost =
                at.lost.clone().or_else(|| (!walk::is_keyed(schema)).then(|| at.path.clone()));
            self.node(items, inner("items", lost));
        }
        if let Some(values) = &schema.additional {
            self.node(values, inner("additionalProperties", at.lost.clone()));
        }
    }

    /// Servers take no rules under `allOf` and the like, although they could ask those under `allOf`.
    fn nested(&mut self, schema: &Schema, path: &str) {
        for (path, nested, _) in structural::nested_values(schema, path, false) {
            self.none(nested, &path);
        }
    }

    fn none(&mut self, schema: &Schema, path: &str) {
        if !schema.validations.is_empty() {
            let place = child(path, "x-kubernetes-validations");
            self.errors.push(FieldError::forbidden(place, "must be empty to be structural"));
        }
        for (name, property) in &schema.properties {
            self.none(property, &key(&child(path, "properties"), name));
        }
        if let Some(items) = &schema.items {
            self.none(items, &child(path, "items"));
        }
        if let Some(values) = &schema.additional {
            self.none(values, &child(path, "additionalProperties"));
        }
        self.nested(schema, path);
    }

    fn rule(
        &mut self,
        rule: &Validation,
        schema: &Schema,
        path: &str,
        at: &At,
    ) -> Option<Compiled> {
        let place = child(path, "rule");
        let before = self.errors.len();
        let program = self.program(&rule.rule, &place)?;
        let optional = rule.optional_old_self.unwrap_or_default();
        let scope = types::Scope::new(schema, at.root, optional);
        let wrong = types::check(program.expression(), &scope, &types::Ty::Bool);
        self.wrong(&place, &rule.rule, wrong);
        let transition = program.references().has_variable("oldSelf");
        if let (true, Some(lost)) = (transition, &at.lost) {
            let detail = format!(
                "oldSelf cannot be used on the uncorrelatable portion of the schema within {lost}"
            );
            self.errors.push(FieldError::invalid(&place, rule.rule.as_str(), detail));
        }
        if optional && !transition {
            let detail = "may not be set if oldSelf is not used in rule";
            let place = child(path, "optionalOldSelf");
            self.errors.push(FieldError::invalid(place, true, detail));
        }
        let message = match &rule.message_expression {
            Some(text) => {
                let place = child(path, "messageExpression");
                let message = self.program(text, &place)?;
                let wrong = types::check(message.expression(), &scope, &types::Ty::Text);
                self.wrong(&place, text, wrong);
                Some(message)
            }
            None => None,
        };
        (self.errors.len() == before).then(|| Compiled {
            rule: rule.clone(),
            program,
            message,
            transition,
        })
    }

    fn program(&mut self, text: &str, place: &str) -> Option<Program> {
        match Program::compile(text) {
            Ok(program) => Some(program),
            Err(error) => {
                let detail = format!("compilation failed: {error}");
                self.errors.push(FieldError::invalid(place, text, detail.trim_end()));
                None
            }
        }
    }

    fn wrong(&mut self, place: &str, text: &str, wrong: Vec<String>) {
        let errors = wrong.into_iter().map(|what| {
            FieldError::new(
                Reason::Invalid,
                place,
                Some(text.into()),
                format!("compilation failed: {what}"),
            )
        });
        self.errors.extend(errors);
    }
}

/// The place of a member: names may hold anything, so their length goes first.
fn member_place(place: &str, name: &str) -> String {
    format!("{place}.{}:{name}", name.len())
}

/// The place of items, or of values.
fn inner_place(place: &str) -> String {
    format!("{place}*")
}
