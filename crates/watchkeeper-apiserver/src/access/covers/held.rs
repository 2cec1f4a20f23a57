//! The rules that somebody has, found by the texts that they give.

use std::collections::BTreeMap;

use crate::access::rule::{Rule, path_covers};

/// Some of the rules, a bit each.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    /// Those that are among both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// Whether a rule is among all three.
    pub(super) fn meets(&self, one: &Self, other: &Self) -> bool {
        self.0.iter().zip(&one.0).zip(&other.0).any(|((a, b), c)| a & b & c != 0)
    }
}

/// Which rules give a text.
pub(super) struct Index<'a> {
    rules: BTreeMap<&'a str, Vec<usize>>,
    count: usize,
}

impl<'a> Index<'a> {
    fn new(held: &'a [Rule], list: impl Fn(&'a Rule) -> &'a [String]) -> Self {
        let mut rules: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, rule) in held.iter().enumerate() {
            for text in list(rule) {
                rules.entry(text).or_default().push(index);
            }
        }
        Self { rules, count: held.len() }
    }

    /// The rules that have one of these texts.
    fn with(&self, texts: &[&str]) -> Bits {
        let mut bits = Bits::none(self.count);
        for index in texts.iter().filter_map(|text| self.rules.get(text)).flatten() {
            bits.add(*index);
        }
        bits
    }

    /// The rules that have this text or `*`.
    pub(super) fn find(&self, text: &str) -> Bits {
        self.with(&["*", text])
    }
}

/// The rules that somebody has.
pub(super) struct Held<'a> {
    pub(super) verbs: Index<'a>,
    pub(super) groups: Index<'a>,
    /// The rules that are not for some names only.
    pub(super) unnamed: Bits,
    resources: Index<'a>,
    names: Index<'a>,
    paths: Vec<(usize, &'a str)>,
}

impl<'a> Held<'a> {
    pub(super) fn new(held: &'a [Rule]) -> Self {
        let mut unnamed = Bits::none(held.len());
        for (index, _) in held.iter().enumerate().filter(|(_, rule)| rule.names.is_empty()) {
            unnamed.add(index);
        }
        let paths = held.iter().enumerate();
        let paths =
            paths.flat_map(|(index, rule)| rule.paths.iter().map(move |path| (index, &**path)));
        Self {
            verbs: Index::new(held, |rule| &rule.verbs),
            groups: Index::new(held, |rule| &rule.groups),
            unnamed,
            resources: Index::new(held, |rule| &rule.resources),
            names: Index::new(held, |rule| &rule.names),
            paths: paths.collect(),
        }
    }

    /// The rules that give a resource, or a subresource of every one.
    pub(super) fn resource(&self, resource: &str) -> Bits {
        match resource.split_once('/') {
            Some((_, sub)) => self.resources.with(&["*", resource, &format!("*/{sub}")]),
            None => self.resources.find(resource),
        }
    }

    /// The rules that give a name.
    pub(super) fn name(&self, name: &str) -> Bits {
        let mut bits = self.names.with(&[name]);
        for (word, unnamed) in bits.0.iter_mut().zip(&self.unnamed.0) {
            *word |= unnamed;
        }
        bits
    }

    /// The rules that give a path.
    pub(super) fn path(&self, path: &str) -> Bits {
        let mut bits = Bits::none(self.names.count);
        for (index, _) in self.paths.iter().filter(|(_, rule)| path_covers(rule, path)) {
            bits.add(*index);
        }
        bits
    }
}
