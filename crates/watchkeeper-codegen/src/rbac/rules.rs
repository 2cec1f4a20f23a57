//! From permissions to rules: united as far as they grant nothing more, and sorted.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Permission, PermissionTarget};

type Texts = BTreeSet<String>;

/// What a rule is about, and its verbs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    groups: Texts,
    resources: Texts,
    names: Texts,
    urls: Texts,
    verbs: Texts,
}

/// A `ClusterRole` and `Role`s, for each namespace one.
pub(super) fn roles(name: &str, permissions: &[Permission]) -> Vec<Value> {
    let mut by_namespace: BTreeMap<&str, Vec<&Permission>> = BTreeMap::new();
    for permission in permissions {
        by_namespace.entry(permission.namespace()).or_default().push(permission);
    }
    let of = |(namespace, permissions): (&str, Vec<&Permission>)| {
        let rules: Vec<Value> = rules(&permissions).into_iter().map(Rule::value).collect();
        let (kind, metadata) = match namespace {
            "" => ("ClusterRole", json!({ "name": name })),
            _ => ("Role", json!({ "name": name, "namespace": namespace })),
        };
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata,
            "rules": rules,
        })
    };
    by_namespace.into_iter().map(of).collect()
}

/// The fewest rules that unite verbs, then resources, then groups, then paths: upstream's way and order.
fn rules(permissions: &[&Permission]) -> Vec<Rule> {
    let rules = named(permissions);
    let rules = united(rules, |rule| &mut rule.verbs);
    let rules = united(rules, |rule| &mut rule.resources);
    let rules = united(rules, |rule| &mut rule.groups);
    let mut rules = united(rules, |rule| &mut rule.urls);
    rules.sort_by_key(Rule::order);
    rules
}

/// A rule for each verb on each resource, with the names of the objects.
fn named(permissions: &[&Permission]) -> Vec<Rule> {
    let mut rules = Vec::new();
    for permission in permissions {
        let mut rule = Rule { verbs: [permission.verb.clone()].into(), ..Rule::default() };
        match &permission.target {
            PermissionTarget::Url(url) => rule.urls = [url.clone()].into(),
            PermissionTarget::Resource { group, resource, name, .. } => {
                rule.groups = [group.clone()].into();
                rule.resources = [resource.clone()].into();
                rule.names =
                    Some(name.clone()).filter(|name| !name.is_empty()).into_iter().collect();
            }
        }
        rules.push(rule);
    }
    let (some, all): (Vec<Rule>, Vec<Rule>) =
        rules.into_iter().partition(|rule| !rule.names.is_empty());
    let mut rules = united(some, |rule| &mut rule.names);
    rules.extend(all);
    rules
}

/// Rules that differ in one part only become one.
fn united(rules: Vec<Rule>, part: fn(&mut Rule) -> &mut Texts) -> Vec<Rule> {
    let mut by_rest: BTreeMap<Rule, Texts> = BTreeMap::new();
    for mut rule in rules {
        let texts = std::mem::take(part(&mut rule));
        by_rest.entry(rule).or_default().extend(texts);
    }
    let whole = |(mut rule, texts): (Rule, Texts)| {
        *part(&mut rule) = texts;
        rule
    };
    by_rest.into_iter().map(whole).collect()
}

impl Rule {
    /// What rules are sorted by: their parts as one text.
    fn order(&self) -> String {
        let joined = |texts: &Texts| texts.iter().map(String::as_str).collect::<Vec<_>>().join("&");
        let parts = [&self.groups, &self.resources, &self.names, &self.urls];
        parts.map(joined).join(" + ")
    }

    fn value(self) -> Value {
        let Self { groups, resources, names, urls, mut verbs } = self;
        if verbs.contains("*") {
            verbs = ["*".to_owned()].into();
        }
        let parts = [
            ("apiGroups", groups),
            ("nonResourceURLs", urls),
            ("resourceNames", names),
            ("resources", resources),
            ("verbs", verbs),
        ];
        let there = parts.into_iter().filter(|(_, texts)| !texts.is_empty());
        Value::Object(
            there.map(|(name, texts)| (name.to_owned(), json!(texts))).collect::<Map<_, _>>(),
        )
    }
}
