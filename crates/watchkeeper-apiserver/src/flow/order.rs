//! The order in which flow schemas are asked whether a request is of them.

use std::sync::{Arc, Weak};

use http::HeaderValue;
use serde_json::Value;

use super::rules;
use crate::access::Attributes;
use crate::meta;
use crate::storage::{Store, Stored, Table};
use crate::user::User;

const SCHEMAS: &str = "flowschemas.flowcontrol.apiserver.k8s.io";
const LEVELS: &str = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

/// What a request is of: the uids, for whoever may not know the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matched {
    pub(super) schema: HeaderValue,
    pub(super) level: HeaderValue,
}

/// The schemas, by their precedence and then by their names. Those that name no priority level that
/// there is do not count.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The schemas and the levels of which the order was made.
    made_of: Vec<Weak<Stored>>,
    /// Each schema's `spec`, and what is said of the requests that it is for.
    schemas: Vec<(Value, Matched)>,
}

impl Order {
    /// Becomes the order of what is stored now: each request asks, and hardly ever was a schema
    /// written since the one before.
    pub(super) fn follow(&mut self, store: &Store) {
        let none = Table::new();
        let (schemas, levels) =
            (store.table(SCHEMAS).unwrap_or(&none), store.table(LEVELS).unwrap_or(&none));
        let stored = || schemas.values().chain(levels.values());
        let same = self.made_of.len() == schemas.len() + levels.len()
            && stored().zip(&self.made_of).all(|(now, then)| Arc::as_ptr(now) == then.as_ptr());
        if !same {
            let made_of = stored().map(Arc::downgrade).collect();
            *self = Self { made_of, schemas: sorted(schemas, levels) };
        }
    }

    /// What the first schema that matches says of a request.
    pub(super) fn first(&self, user: &User, asked: &Attributes) -> Option<&Matched> {
        let mut schemas = self.schemas.iter();
        schemas.find(|(spec, _)| rules::matches(spec, user, asked)).map(|(_, matched)| matched)
    }
}

fn sorted(schemas: &Table, levels: &Table) -> Vec<(Value, Matched)> {
    let matched = |schema: &Arc<Stored>| {
        let (schema, level_of) = (schema.value(), |spec: &Value| {
            levels.get(spec["priorityLevelConfiguration"]["name"].as_str()?).map(|one| one.value())
        });
        let spec = &schema["spec"];
        let level = level_of(spec)?;
        let matched = Matched { schema: uid(&schema)?, level: uid(&level)? };
        Some((spec.clone(), matched))
    };
    let mut sorted: Vec<_> = schemas.values().filter_map(matched).collect();
    sorted.sort_by_key(|(spec, _)| spec["matchingPrecedence"].as_i64().unwrap_or(i64::MAX));
    sorted
}

fn uid(object: &Value) -> Option<HeaderValue> {
    HeaderValue::from_str(meta::text(object, "uid")).ok()
}
