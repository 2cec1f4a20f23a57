//! Sets of field paths: what `metadata.managedFields` stores as `FieldsV1`
//! (KEP-555; structured-merge-diff, `fieldpath`).

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::mem::take;

use serde_json::Value;
use watchkeeper_schema::error::quote;

mod json;
mod order;

#[cfg(test)]
pub(crate) mod tests;

pub use json::FieldsError;

/// One step from a value into a part of it.
#[derive(Clone, Debug)]
pub enum PathElement {
    /// A member of an object.
    Field(String),
    /// The item of a list whose keys have these values, sorted by key.
    Key(Vec<(String, Value)>),
    /// The item of a list that equals this value.
    Value(Value),
    /// The item at that place in a list.
    Index(i64),
}

impl PathElement {
    /// A member of an object.
    #[must_use]
    pub fn field(name: &str) -> Self {
        Self::Field(name.to_owned())
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

impl Ord for PathElement {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(a), Self::Field(b)) => a.cmp(b),
            (Self::Key(a), Self::Key(b)) => order::keys(a, b),
            (Self::Value(a), Self::Value(b)) => order::values(a, b),
            (Self::Index(a), Self::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for PathElement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PathElement {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PathElement {}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Value| value.as_str().map_or_else(|| value.to_string(), quote);
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(keys) => {
                let keys: Vec<String> =
                    keys.iter().map(|(name, value)| format!("{name}={}", show(value))).collect();
                write!(f, "[{}]", keys.join(","))
            }
            Self::Value(value) => write!(f, "[={}]", show(value)),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// A set of paths. A path being in the set says nothing about what is above or below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    entries: BTreeMap<PathElement, Entry>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// The path that ends here is in the set.
    member: bool,
    children: FieldSet,
}

impl Entry {
    fn is_empty(&self) -> bool {
        !self.member && self.children.is_empty()
    }
}

impl FieldSet {
    /// The set of the given paths of members, each written with dots.
    #[must_use]
    pub fn of_fields(paths: &[&str]) -> Self {
        let mut set = Self::default();
        for path in paths {
            let elements: Vec<PathElement> = path.split('.').map(PathElement::field).collect();
            set.insert(&elements);
        }
        set
    }

    /// Whether no path is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a path; the empty path is the whole value, which is never in a set.
    pub fn insert(&mut self, path: &[PathElement]) {
        let (mut set, mut left) = (self, path.len());
        for element in path {
            if !set.entries.contains_key(element) {
                set.entries.insert(element.clone(), Entry::default());
            }
            let Some(entry) = set.entries.get_mut(element) else { return };
            left -= 1;
            entry.member |= left == 0;
            set = &mut entry.children;
        }
    }

    /// Whether the path is in the set.
    #[must_use]
    pub fn contains(&self, path: &[PathElement]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        self.entries.get(first).is_some_and(|entry| {
            if rest.is_empty() { entry.member } else { entry.children.contains(rest) }
        })
    }

    /// What is in the set below that element.
    #[must_use]
    pub fn below(&self, element: &PathElement) -> Option<&Self> {
        self.entries.get(element).map(|entry| &entry.children).filter(|set| !set.is_empty())
    }

    /// Whether the path of that one element is in the set.
    #[must_use]
    pub fn has(&self, element: &PathElement) -> bool {
        self.entries.get(element).is_some_and(|entry| entry.member)
    }

    /// The paths of either.
    #[must_use]
    pub fn union(mut self, other: Self) -> Self {
        if self.entries.is_empty() {
            return other;
        }
        for (element, of) in other.entries {
            let entry = self.entries.entry(element).or_default();
            entry.member |= of.member;
            entry.children = take(&mut entry.children).union(of.children);
        }
        self
    }

    /// The paths of both.
    #[must_use]
    pub fn intersection(self, other: &Self) -> Self {
        self.each(|element, entry| match other.entries.get(element) {
            None => *entry = Entry::default(),
            Some(of) => {
                entry.member &= of.member;
                entry.children = take(&mut entry.children).intersection(&of.children);
            }
        })
    }

    /// The paths of this set that are not in the other.
    #[must_use]
    pub fn difference(self, other: &Self) -> Self {
        if other.is_empty() {
            return self;
        }
        self.each(|element, entry| {
            if let Some(of) = other.entries.get(element) {
                entry.member &= !of.member;
                entry.children = take(&mut entry.children).difference(&of.children);
            }
        })
    }

    /// The paths of this set that are neither in the other nor below a path of it.
    #[must_use]
    pub fn without(self, other: &Self) -> Self {
        if other.is_empty() {
            return self;
        }
        self.each(|element, entry| match other.entries.get(element) {
            None => {}
            Some(of) if of.member => *entry = Entry::default(),
            Some(of) => entry.children = take(&mut entry.children).without(&of.children),
        })
    }

    /// Each entry changed, without those that become empty.
    fn each(mut self, mut change: impl FnMut(&PathElement, &mut Entry)) -> Self {
        self.entries.retain(|element, entry| {
            change(element, entry);
            !entry.is_empty()
        });
        self
    }

    /// Adds what is in a part, which was not in the set, and whether the part itself is; nothing when neither is.
    pub(crate) fn put(&mut self, element: &PathElement, member: bool, children: Self) {
        let entry = Entry { member, children };
        if !entry.is_empty() {
            self.entries.insert(element.clone(), entry);
        }
    }

    /// Adds the declared members on the way to each path: `is_declared` and what to use below are
    /// asked for each element.
    #[must_use]
    pub fn with_declared<S: Copy>(
        &self,
        schema: S,
        step: &impl Fn(S, &PathElement) -> (bool, S),
    ) -> Self {
        let mut out = Self::default();
        for (element, entry) in &self.entries {
            let (declared, below) = step(schema, element);
            let member = entry.member || (declared && !entry.children.is_empty());
            let children = entry.children.with_declared(below, step);
            out.entries.insert(element.clone(), Entry { member, children });
        }
        out
    }

    /// All paths, each as its elements, in order.
    #[must_use]
    pub fn paths(&self) -> Vec<Vec<PathElement>> {
        let mut paths = Vec::new();
        self.collect(&mut Vec::new(), &mut paths);
        paths
    }

    /// All paths in the order in which upstream goes through a set: what ends here before what goes on.
    #[must_use]
    pub fn paths_by_level(&self) -> Vec<Vec<PathElement>> {
        let mut paths = Vec::new();
        self.collect_by_level(&mut Vec::new(), &mut paths);
        paths
    }

    fn collect_by_level(&self, above: &mut Vec<PathElement>, paths: &mut Vec<Vec<PathElement>>) {
        for (element, _) in self.entries.iter().filter(|(_, entry)| entry.member) {
            let mut path = above.clone();
            path.push(element.clone());
            paths.push(path);
        }
        for (element, entry) in &self.entries {
            above.push(element.clone());
            entry.children.collect_by_level(above, paths);
            above.pop();
        }
    }

    fn collect(&self, above: &mut Vec<PathElement>, paths: &mut Vec<Vec<PathElement>>) {
        for (element, entry) in &self.entries {
            above.push(element.clone());
            if entry.member {
                paths.push(above.clone());
            }
            entry.children.collect(above, paths);
            above.pop();
        }
    }
}

/// A path as messages show it, e.g. `.spec.containers[name="nginx"].image`.
#[must_use]
pub fn show(path: &[PathElement]) -> String {
    path.iter().map(ToString::to_string).collect()
}
