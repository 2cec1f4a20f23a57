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
//! message expression: a text), use `oldSelf` only where a server finds the old value, and have reasons and field paths
//! that are ones. And that they cannot cost too much: by the bounds of the schema (`maxItems`, `maxProperties`,
//! `maxLength`) a rule must stay below ten million, as often as its value may be there, and all of a schema below
//! a hundred million. Not checked then, but when they run: the arguments of functions.
//!
//! When they run: as a server does, after defaults were filled in. An update that leaves a part as it is
//! is forgiven when that part's rules without `oldSelf` are false of it; not that they do not run, for
//! instance for want of a field. Of the items of a list without keys it is the list, or what is around
//! it, that must be as it was; and an object that has members beside its schema never is. What they cost is
//! counted: one that costs more than a million, and all after ten million, are told as a server tells it.

mod budget;
mod calls;
mod compile;
mod convert;
mod estimate;
mod paths;
mod run;
mod types;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use budget::Budget;
pub(crate) use estimate::most_of_selector;
use kube_cel::cel::IdedExpr;
use serde_json::Value;

use crate::defaults;
use crate::error::FieldError;
use crate::node::{Schema, Validation};

/// The rules of a schema, ready to be asked.
pub struct Rules {
    schema: Schema,
    found: Option<Found>,
}

/// A rule, and what it says when it fails.
struct Compiled {
    rule: Validation,
    expression: IdedExpr,
    message: Option<IdedExpr>,
    /// Where the error is shown, from the place of the rule on.
    field: String,
    /// It says something of a change.
    transition: bool,
}

/// The rules of a place in a schema and of those in it. A place without any is none.
#[derive(Default)]
struct Found {
    rules: Vec<Compiled>,
    members: BTreeMap<String, Self>,
    /// Of items, or of the values of a map.
    inner: Option<Box<Self>>,
}

impl Found {
    fn all(&self) -> Vec<&Compiled> {
        let mut all: Vec<&Compiled> = self.rules.iter().collect();
        all.extend(self.members.values().chain(self.inner.as_deref()).flat_map(Self::all));
        all
    }
}

/// What rules say of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Why it is refused.
    pub errors: Vec<FieldError>,
    /// What would be wrong with it if it had not been like that before.
    pub forgiven: Vec<FieldError>,
}

/// What is wrong with rules, each with its place in the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesError(pub Vec<FieldError>);

/// What is wrong with the rules of a schema, apart: servers tell the second only where all else is right
/// (`apiextensions/validation`, `ValidateCustomResourceDefinitionOpenAPISchema`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Complaints {
    /// With how they are written.
    pub written: Vec<FieldError>,
    /// With what they say and with what they may cost; nothing is said of those that are not written well or have
    /// such in them.
    pub said: Vec<FieldError>,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(FieldError::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RulesError {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.found.iter().flat_map(Found::all);
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
        Self::compile_at(schema, "")
    }

    /// As [`compile`](Self::compile), for a schema that stands at a place of its own.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_at(schema: &Schema, path: &str) -> Result<Self, RulesError> {
        Self::compile_within(schema, path, Some(Budget::default()))
    }

    /// As [`compile_at`](Self::compile_at), for a schema that a server has already: what its rules may cost is
    /// not asked again.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_stored(schema: &Schema, path: &str) -> Result<Self, RulesError> {
        Self::compile_within(schema, path, None)
    }

    fn compile_within(
        schema: &Schema,
        path: &str,
        budget: Option<Budget>,
    ) -> Result<Self, RulesError> {
        let (found, Complaints { mut written, said }) = compile::compile(schema, path, budget);
        written.extend(compile::misplaced(schema, path));
        written.extend(said);
        if written.is_empty() {
            Ok(Self { schema: schema.clone(), found })
        } else {
            Err(RulesError(written))
        }
    }

    /// What is wrong with the rules of a schema that stands at a place of its own, and with what they may cost.
    #[must_use]
    pub fn complaints(schema: &Schema, path: &str) -> Complaints {
        compile::compile(schema, path, Some(Budget::default())).1
    }

    /// How many rules there are: a test that checks none is none.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.iter().map(|found| found.all().len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_none()
    }

    /// What the rules say against a new object, in the words of a server.
    #[must_use]
    pub fn check(&self, object: &Value) -> Vec<FieldError> {
        self.judge(&self.defaulted(object), None).errors
    }

    /// What they say against an object in place of an older one.
    #[must_use]
    pub fn check_update(&self, object: &Value, old: &Value) -> Vec<FieldError> {
        self.judge(&self.defaulted(object), Some(&self.defaulted(old))).errors
    }

    fn defaulted(&self, object: &Value) -> Value {
        let mut object = object.clone();
        defaults::default_values(&mut object, self.schema.alone());
        object
    }

    /// What they say of an object in which defaults are filled in, and of an older one before it.
    #[must_use]
    pub fn judge(&self, object: &Value, old: Option<&Value>) -> Judgement {
        let Some(found) = &self.found else { return Judgement::default() };
        let mut judge = walk::Judge::new();
        let root = walk::At { found, schema: &self.schema, path: "" };
        judge.value(object, walk::Before::new(old), root);
        judge.said
    }
}
