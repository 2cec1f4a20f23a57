//! One rule of a role: what it allows, and how it is written in a line.

use std::fmt;

use serde_json::{Value, json};

use super::attributes::{Attributes, Target};
use crate::error::quoted;

/// A policy rule (`rbac/v1.PolicyRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Verbs, or `*`.
    pub verbs: Vec<String>,
    /// API groups, or `*`.
    pub groups: Vec<String>,
    /// Resources, `resource/subresource`, `*/subresource`, or `*`.
    pub resources: Vec<String>,
    /// Names; none for every name.
    pub names: Vec<String>,
    /// Paths; a `*` at the end stands for the rest.
    pub paths: Vec<String>,
}

/// The members of a rule: as JSON, and as texts tell them, in this order.
const MEMBERS: [(&str, &str); 5] = [
    ("apiGroups", "APIGroups"),
    ("resources", "Resources"),
    ("nonResourceURLs", "NonResourceURLs"),
    ("resourceNames", "ResourceNames"),
    ("verbs", "Verbs"),
];

impl Rule {
    /// Reads a rule of a role.
    #[must_use]
    pub fn read(value: &Value) -> Self {
        let list = |name: &str| {
            let items = value[name].as_array().into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            verbs: list("verbs"),
            groups: list("apiGroups"),
            resources: list("resources"),
            names: list("resourceNames"),
            paths: list("nonResourceURLs"),
        }
    }

    /// The rules of a role.
    #[must_use]
    pub fn of_role(role: &Value) -> Vec<Self> {
        role["rules"].as_array().into_iter().flatten().map(Self::read).collect()
    }

    /// Every verb on everything.
    #[must_use]
    pub fn everything() -> [Self; 2] {
        let all = || vec!["*".to_owned()];
        [
            Self { verbs: all(), groups: all(), resources: all(), ..Self::default() },
            Self { verbs: all(), paths: all(), ..Self::default() },
        ]
    }

    /// Whether this rule alone allows it.
    #[must_use]
    pub fn allows(&self, asked: &Attributes) -> bool {
        let has =
            |list: &[String], wanted: &str| list.iter().any(|one| one == "*" || one == wanted);
        if !has(&self.verbs, &asked.verb) {
            return false;
        }
        match &asked.target {
            Target::Path(path) => self.paths.iter().any(|rule| path_covers(rule, path)),
            Target::Resource { group, resource, subresource, name, .. } => {
                has(&self.groups, group)
                    && self
                        .resources
                        .iter()
                        .any(|rule| resource_covers(rule, resource, subresource))
                    && (self.names.is_empty() || self.names.contains(name))
            }
        }
    }

    /// A `ResourceRule` of a rules review; `None` for a rule of paths.
    #[must_use]
    pub fn resource_review(&self) -> Option<Value> {
        if self.resources.is_empty() {
            return None;
        }
        let mut review = json!({"verbs": self.verbs});
        let lists = [
            ("apiGroups", &self.groups),
            ("resources", &self.resources),
            ("resourceNames", &self.names),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            review[name] = list.clone().into();
        }
        Some(review)
    }

    /// A `NonResourceRule` of a rules review; `None` for a rule of resources.
    #[must_use]
    pub fn path_review(&self) -> Option<Value> {
        let review = || json!({"verbs": self.verbs, "nonResourceURLs": self.paths});
        (!self.paths.is_empty()).then(review)
    }

    fn member(&self, name: &str) -> &[String] {
        match name {
            "apiGroups" => &self.groups,
            "resources" => &self.resources,
            "nonResourceURLs" => &self.paths,
            "resourceNames" => &self.names,
            _ => &self.verbs,
        }
    }
}

/// `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = MEMBERS.iter().filter_map(|(json, name)| {
            let list = self.member(json);
            (!list.is_empty()).then(|| format!("{name}:{}", quoted_list(list)))
        });
        write!(f, "{{{}}}", told.collect::<Vec<_>>().join(", "))
    }
}

/// Go's `%q` for a slice of strings.
pub(crate) fn quoted_list(list: &[String]) -> String {
    let items: Vec<String> = list.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(" "))
}

/// Whether a resource of a rule stands for this one.
fn resource_covers(rule: &str, resource: &str, subresource: &str) -> bool {
    match (rule.split_once('/'), subresource) {
        _ if rule == "*" => true,
        (None, "") => rule == resource,
        (None, _) | (Some(_), "") => false,
        (Some((of, sub)), _) => sub == subresource && (of == "*" || of == resource),
    }
}

/// Whether a path of a rule stands for this one.
pub(crate) fn path_covers(rule: &str, path: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => rule == path,
    }
}

#[cfg(test)]
mod tests;
