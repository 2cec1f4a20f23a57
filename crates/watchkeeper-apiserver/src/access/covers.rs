//! Whether one set of rules gives everything that another gives
//! (`component-helpers/auth/rbac/validation`).
//!
//! A rule stands for a part for each of its groups, resources, verbs and names, so one kilobyte of a
//! role can stand for a hundred thousand. Parts are therefore never made: texts are numbers, the
//! rules that give one are bits, and what would need more than [`LIMIT`] looks is not compared.

mod held;
mod missing;

use super::rule::Rule;
use held::{Bits, Held};
use missing::Texts;

pub use missing::Missing;

/// How many looks one comparison may take: one for each part, and for each 64 rules that are held.
pub const LIMIT: u64 = 1_000_000;

/// Rules that stand for more than is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// What of `wanted` the rules that are held do not give.
///
/// # Errors
///
/// [`TooMany`] where that would take more than [`LIMIT`] looks.
pub fn missing<'a>(held: &[Rule], wanted: &'a [Rule]) -> Result<Missing<'a>, TooMany> {
    let words = held.len().div_ceil(64).max(1) as u64;
    let patterns = held.iter().map(|rule| rule.paths.len() as u64).sum();
    let looks = wanted.iter().map(|rule| looks(rule, words, patterns));
    if looks.fold(0, u64::saturating_add) > LIMIT {
        return Err(TooMany);
    }
    let held = Held::new(held);
    let mut missing = Missing::default();
    for rule in wanted {
        objects(&held, rule, &mut missing);
        paths(&held, rule, &mut missing);
    }
    Ok(missing)
}

/// How many looks a rule takes: each of its texts finds the rules that give it, each part asks
/// whether one gives all of its texts.
fn looks(rule: &Rule, words: u64, patterns: u64) -> u64 {
    let count = |list: &[String]| list.len() as u64;
    let (verbs, names) = (count(&rule.verbs), count(&rule.names));
    let objects = count(&rule.groups).saturating_mul(count(&rule.resources));
    let paths = count(&rule.paths);
    let parts = objects.saturating_mul(names.max(1)).saturating_add(paths).saturating_mul(verbs);
    let texts = [&rule.verbs, &rule.groups, &rule.resources, &rule.names, &rule.paths];
    let texts = texts.into_iter().map(|list| count(list)).sum();
    parts
        .saturating_add(objects)
        .saturating_add(texts)
        .saturating_mul(words)
        .saturating_add(paths.saturating_mul(patterns))
}

/// The parts of a rule that are about objects.
fn objects<'a>(held: &Held<'_>, rule: &'a Rule, missing: &mut Missing<'a>) {
    let of = |texts: &mut Texts<'a>, list: &'a [String], find: &dyn Fn(&str) -> Bits| {
        list.iter().map(|text| (texts.number(text), find(text))).collect::<Vec<_>>()
    };
    let texts = &mut missing.texts;
    let groups = of(texts, &rule.groups, &|group| held.groups.find(group));
    let resources = of(texts, &rule.resources, &|resource| held.resource(resource));
    let verbs = of(texts, &rule.verbs, &|verb| held.verbs.find(verb));
    let mut names: Vec<(Option<u32>, Bits)> = of(texts, &rule.names, &|name| held.name(name))
        .into_iter()
        .map(|(name, by)| (Some(name), by))
        .collect();
    if names.is_empty() {
        names.push((None, held.unnamed.clone()));
    }
    for (group, by_group) in &groups {
        for (resource, by_resource) in &resources {
            let by_both = by_group.and(by_resource);
            for (verb, by_verb) in &verbs {
                for (name, by_name) in &names {
                    if !by_both.meets(by_verb, by_name) {
                        missing.object((*group, *resource, *name), *verb);
                    }
                }
            }
        }
    }
}

/// The parts of a rule that are about paths.
fn paths<'a>(held: &Held<'_>, rule: &'a Rule, missing: &mut Missing<'a>) {
    if rule.paths.is_empty() {
        return;
    }
    let verbs: Vec<(u32, Bits)> =
        rule.verbs.iter().map(|verb| (missing.texts.number(verb), held.verbs.find(verb))).collect();
    for path in &rule.paths {
        let (number, by_path) = (missing.texts.number(path), held.path(path));
        for (verb, by_verb) in &verbs {
            // A rule for some names gives no path.
            if !by_path.meets(by_verb, &held.unnamed) {
                missing.path(number, *verb);
            }
        }
    }
}

#[cfg(test)]
mod tests;
