//! What differs between two objects, for logs and for tests.
//!
//! ```
//! use watchkeeper_api::{apps::v1::Deployment, diff, edit, object};
//! let old = object!(Deployment {
//!     metadata: { name: "web" },
//!     spec: { replicas: 1, template: { spec: { containers: [{ name: "a", image: "nginx:1" }] } } },
//! });
//! let mut new = old.clone();
//! edit!(new, { spec: { replicas: 3 } });
//! new.spec.template.spec.containers[0].image = "nginx:2".into();
//! assert_eq!(
//!     diff::diff(&old, &new).to_string(),
//!     "spec.replicas: 1 -> 3\nspec.template.spec.containers[a].image: \"nginx:1\" -> \"nginx:2\"",
//! );
//! assert!(diff::diff(&old, &old).is_empty());
//! ```

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};

use crate::json::{self, Step, Write};
use crate::show::{self, secrecy::Scope};

/// So many differences are told in a line.
const LONGEST_LINE: usize = 16;
/// Longer values are cut when printed.
const LONGEST_SHOWN: usize = 200;

/// The differences between two values, by path. `Display` is a line for each.
///
/// Managed fields are no difference. Secret values read `(redacted)`, and bytes tell how many they are, as in
/// [`show`](mod@crate::show): that they differ is told, what they are is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff(Vec<Difference>);

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where: `spec.template.spec.containers[web].image`. Elements of lists go by their names where
    /// all have one, otherwise by their place.
    pub path: String,
    /// What was there, as people read it; nothing if nothing was.
    pub old: Option<String>,
    /// What is there now.
    pub new: Option<String>,
}

/// What differs between `old` and `new`.
#[must_use]
pub fn diff<A: Write, B: Write>(old: &A, new: &B) -> Diff {
    let mut walk = Walk { path: Vec::new(), found: Vec::new() };
    let scope = match Scope::of(type_name::<A>()) {
        Scope::Open => Scope::of(type_name::<B>()),
        scope => scope,
    };
    let is = (json::to_value(old), json::to_value(new));
    let told = (json::to_value_for_people(old), json::to_value_for_people(new));
    let old = Side { is: &is.0, told: &told.0 };
    walk.values(Some(old), Some(Side { is: &is.1, told: &told.1 }), scope);
    Diff(walk.found)
}

/// A value: what is compared of it, and what people are told. Both have the same members.
#[derive(Clone, Copy)]
struct Side<'a> {
    is: &'a Value,
    told: &'a Value,
}

impl<'a> Side<'a> {
    fn member(self, name: &str) -> Option<Self> {
        Some(Self { is: self.is.get(name)?, told: self.told.get(name)? })
    }

    fn element(self, index: usize) -> Option<Self> {
        Some(Self { is: self.is.get(index)?, told: self.told.get(index)? })
    }

    fn members(self) -> Option<&'a Map<String, Value>> {
        self.is.as_object()
    }

    fn elements(self) -> Option<&'a [Value]> {
        self.is.as_array().map(Vec::as_slice)
    }
}

/// Fails unless both are the same, and tells what differs: for tests, in the place of `assert_eq!`, which
/// prints both as a whole.
///
/// ```should_panic
/// use watchkeeper_api::{core::v1::ConfigMap, diff::assert_same, object};
/// assert_same(&object!(ConfigMap { data: { "a": "1" } }), &object!(ConfigMap { data: { "a": "2" } }));
/// // they differ:
/// // data.a: "1" -> "2"
/// ```
///
/// # Panics
///
/// They differ.
#[track_caller]
pub fn assert_same<A: Write, B: Write>(old: &A, new: &B) {
    let diff = diff(old, new);
    assert!(diff.is_empty(), "they differ:\n{diff}");
}

/// The name of a type without its modules: parts of secrets name no kind.
fn type_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name)
}

impl Diff {
    /// Whether there is no difference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The differences, in the order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = &Difference> {
        self.0.iter()
    }

    /// In one line, for logs: the first sixteen, and how many more there are.
    #[must_use]
    pub fn line(&self) -> String {
        let shown = self.0.iter().take(LONGEST_LINE).map(ToString::to_string);
        let mut line = shown.collect::<Vec<_>>().join("; ");
        if let Some(more) = self.0.len().checked_sub(LONGEST_LINE).filter(|more| *more > 0) {
            line.push_str(&format!("; and {more} more"));
        }
        line
    }

    /// Without the differences at these paths and below: `&["metadata.resourceVersion"]`.
    #[must_use]
    pub fn without(mut self, paths: &[&str]) -> Self {
        self.0.retain(|difference| {
            !paths.iter().any(|path| {
                let rest = difference.path.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        });
        self
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, difference) in self.0.iter().enumerate() {
            let line = if index > 0 { "\n" } else { "" };
            write!(f, "{line}{difference}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "(absent)".to_owned());
        let path = if self.path.is_empty() { "(all)" } else { &self.path };
        write!(f, "{path}: {} -> {}", side(&self.old), side(&self.new))
    }
}

struct Walk {
    path: Vec<Step>,
    found: Vec<Difference>,
}

impl Walk {
    fn values(&mut self, old: Option<Side<'_>>, new: Option<Side<'_>>, scope: Scope) {
        let (Some(one), Some(other)) = (old, new) else {
            if old.is_some() || new.is_some() {
                self.note(old, new, scope);
            }
            return;
        };
        if one.is == other.is {
            return;
        }
        if scope == Scope::Hidden {
            return self.note(old, new, scope);
        }
        if let (Some(names), Some(others)) = (one.members(), other.members()) {
            return self.members((one, names), (other, others), scope);
        }
        match (one.elements(), other.elements()) {
            (Some(of_one), Some(of_other)) => {
                self.elements((one, of_one), (other, of_other), scope);
            }
            _ => self.note(old, new, scope),
        }
    }

    fn members(
        &mut self,
        (old, of_old): (Side<'_>, &Map<String, Value>),
        (new, of_new): (Side<'_>, &Map<String, Value>),
        scope: Scope,
    ) {
        let kind = |members: &Map<String, Value>| {
            members.get("kind").and_then(Value::as_str).map(Scope::of)
        };
        // Either of them may be the secret one.
        let named =
            [kind(of_old), kind(of_new)].into_iter().flatten().find(|scope| *scope != Scope::Open);
        let scope = if scope == Scope::Open { named.unwrap_or(scope) } else { scope };
        let names: BTreeSet<&String> = of_old.keys().chain(of_new.keys()).collect();
        for name in names.into_iter().filter(|name| *name != "managedFields") {
            self.path.push(Step::Member(name.as_str().into()));
            self.values(old.member(name), new.member(name), scope.member(name));
            self.path.pop();
        }
    }

    fn elements(
        &mut self,
        (old, of_old): (Side<'_>, &[Value]),
        (new, of_new): (Side<'_>, &[Value]),
        scope: Scope,
    ) {
        if let (Some(old_names), Some(new_names)) = (names(of_old), names(of_new)) {
            let common = |names: &[&str], others: &[&str]| -> Vec<String> {
                names.iter().filter(|name| others.contains(name)).map(ToString::to_string).collect()
            };
            if common(&old_names, &new_names) == common(&new_names, &old_names) {
                return self.named((old, &old_names), (new, &new_names), scope);
            }
        }
        for index in 0..of_old.len().max(of_new.len()) {
            self.path.push(Step::Index(index));
            self.values(old.element(index), new.element(index), scope);
            self.path.pop();
        }
    }

    fn named(
        &mut self,
        (old, old_names): (Side<'_>, &[&str]),
        (new, new_names): (Side<'_>, &[&str]),
        scope: Scope,
    ) {
        let added = new_names.iter().filter(|name| !old_names.contains(name));
        for name in old_names.iter().chain(added) {
            let find = |names: &[&str]| names.iter().position(|found| found == name);
            let old = find(old_names).and_then(|index| old.element(index));
            let new = find(new_names).and_then(|index| new.element(index));
            self.path.push(Step::Name((*name).into()));
            self.values(old, new, scope);
            self.path.pop();
        }
    }

    fn note(&mut self, old: Option<Side<'_>>, new: Option<Side<'_>>, scope: Scope) {
        let shown = |side: Side<'_>| cut(show::inline(&side.told.to_string(), scope));
        self.found.push(Difference {
            path: json::path(self.path.iter()),
            old: old.map(shown),
            new: new.map(shown),
        });
    }
}

/// The names of a list's elements, if all have one and no two the same.
fn names(elements: &[Value]) -> Option<Vec<&str>> {
    let names: Option<Vec<&str>> =
        elements.iter().map(|element| element.get("name")?.as_str()).collect();
    let names = names.filter(|names| names.len() <= 256)?;
    let distinct: BTreeSet<_> = names.iter().collect();
    (distinct.len() == names.len()).then_some(names)
}

fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}
