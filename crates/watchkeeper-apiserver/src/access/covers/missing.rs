//! What somebody does not have, and how that is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::rule::Rule;

/// How much text tells what is missing; what is left is counted. A line can be as long as a role, and
/// there can be as many lines as parts.
const TEXT: usize = 1 << 20;

/// Texts by number, each once.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    numbers: BTreeMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn number(&mut self, text: &'a str) -> u32 {
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with(|| {
            texts.push(text);
            u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
        })
    }

    fn get(&self, number: u32) -> String {
        let text = self.texts.get(number as usize).copied();
        text.unwrap_or_default().to_owned()
    }
}

/// A group, a resource, and a name if it is for one.
pub(super) type Object = (u32, u32, Option<u32>);

/// The parts that are missing: verbs by what they are about.
#[derive(Debug, Default)]
pub struct Missing<'a> {
    pub(super) texts: Texts<'a>,
    objects: BTreeMap<Object, Vec<u32>>,
    paths: BTreeSet<(u32, u32)>,
}

impl Missing<'_> {
    pub(super) fn object(&mut self, object: Object, verb: u32) {
        self.objects.entry(object).or_default().push(verb);
    }

    pub(super) fn path(&mut self, path: u32, verb: u32) {
        self.paths.insert((path, verb));
    }

    /// Whether nothing is missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.paths.is_empty()
    }

    /// What is missing as rules: the verbs of one resource together, each path and verb alone.
    pub fn rules(&self) -> impl Iterator<Item = Rule> {
        let text = |number: u32| vec![self.texts.get(number)];
        let objects = self.objects.iter().map(move |((group, resource, name), verbs)| Rule {
            verbs: self.verbs(verbs),
            groups: text(*group),
            resources: text(*resource),
            names: name.map(text).unwrap_or_default(),
            paths: Vec::new(),
        });
        let path = move |(path, verb): &(u32, u32)| Rule {
            verbs: text(*verb),
            paths: text(*path),
            ..Rule::default()
        };
        objects.chain(self.paths.iter().map(path))
    }

    /// Verbs, as many as there is room for: a rule may say one a million times.
    fn verbs(&self, verbs: &[u32]) -> Vec<String> {
        let mut room = TEXT;
        let verbs = verbs.iter().map(|verb| self.texts.get(*verb)).take_while(|verb| {
            let fits = room > 0;
            room = room.saturating_sub(verb.len() + 3);
            fits
        });
        verbs.collect()
    }

    /// The rules in a line each, sorted, and how many there was no room for.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let (mut lines, mut room) = (Vec::new(), TEXT);
        for rule in self.rules() {
            if room == 0 {
                break;
            }
            let line = rule.to_string();
            room = room.saturating_sub(line.len());
            lines.push(line);
        }
        let left = (self.objects.len() + self.paths.len()).saturating_sub(lines.len());
        lines.sort();
        lines.dedup();
        if left > 0 {
            lines.push(format!("… and {left} more"));
        }
        lines
    }
}
