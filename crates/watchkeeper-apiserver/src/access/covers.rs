//! Whether one set of rules gives everything that another gives
//! (`component-helpers/auth/rbac/validation`).

use super::rule::{Rule, path_covers};

/// The parts of `wanted` that `held` does not give: each part is one verb on one thing.
#[must_use]
pub fn missing(held: &[Rule], wanted: &[Rule]) -> Vec<Rule> {
    let parts = wanted.iter().flat_map(parts);
    parts.filter(|part| !held.iter().any(|rule| covers(rule, part))).collect()
}

/// The rules in a line each, those of one resource together, sorted.
#[must_use]
pub fn told(rules: &[Rule]) -> Vec<String> {
    let mut compact: Vec<Rule> = Vec::new();
    for rule in rules {
        let is_same = |other: &&mut Rule| {
            let key =
                |rule: &Rule| (rule.groups.clone(), rule.resources.clone(), rule.names.clone());
            is_simple(rule) && is_simple(other) && key(rule) == key(other)
        };
        match compact.iter_mut().find(is_same) {
            Some(other) => other.verbs.extend(rule.verbs.iter().cloned()),
            None => compact.push(rule.clone()),
        }
    }
    let mut lines: Vec<String> = compact.iter().map(Rule::to_string).collect();
    lines.sort();
    lines.dedup();
    lines
}

/// One group and one resource, of one name at most.
fn is_simple(rule: &Rule) -> bool {
    rule.groups.len() == 1
        && rule.resources.len() == 1
        && rule.names.len() <= 1
        && rule.paths.is_empty()
}

/// A rule taken apart: one verb on one thing each.
fn parts(rule: &Rule) -> Vec<Rule> {
    let mut parts = Vec::new();
    let one = |text: &String| vec![text.clone()];
    for (group, resource) in rule
        .groups
        .iter()
        .flat_map(|group| rule.resources.iter().map(move |resource| (group, resource)))
    {
        for verb in &rule.verbs {
            let part = Rule {
                verbs: one(verb),
                groups: one(group),
                resources: one(resource),
                ..Rule::default()
            };
            if rule.names.is_empty() {
                parts.push(part);
                continue;
            }
            parts.extend(rule.names.iter().map(|name| Rule { names: one(name), ..part.clone() }));
        }
    }
    for path in &rule.paths {
        let paths = || one(path);
        let of = |verb| Rule { verbs: one(verb), paths: paths(), ..Rule::default() };
        parts.extend(rule.verbs.iter().map(of));
    }
    parts
}

/// Whether a rule gives a part.
fn covers(rule: &Rule, part: &Rule) -> bool {
    let has = |list: &[String], wanted: &[String]| {
        list.iter().any(|one| one == "*") || wanted.iter().all(|one| list.contains(one))
    };
    let names =
        rule.names.is_empty() || !part.names.is_empty() && has_all(&rule.names, &part.names);
    has(&rule.verbs, &part.verbs)
        && has(&rule.groups, &part.groups)
        && part.resources.iter().all(|wanted| resource_covers(&rule.resources, wanted))
        && names
        && part.paths.iter().all(|path| rule.paths.iter().any(|rule| path_covers(rule, path)))
}

fn has_all(list: &[String], wanted: &[String]) -> bool {
    wanted.iter().all(|one| list.contains(one))
}

fn resource_covers(list: &[String], wanted: &str) -> bool {
    let everywhere = wanted.split_once('/').map(|(_, sub)| format!("*/{sub}"));
    list.iter().any(|one| one == "*" || one == wanted || Some(one) == everywhere.as_ref())
}

#[cfg(test)]
mod tests;
