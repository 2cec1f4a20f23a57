//! What is served: the built-in kinds from their facts, custom resources from their definitions.

pub mod allocate;
mod certificates;
mod claims;
pub mod fields;
pub mod namespaces;
pub(crate) mod owners;
pub(crate) mod pods;
mod stacks;
mod status;
pub mod strategy;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use watchkeeper_schema::builtin;
use watchkeeper_schema::facts::{KindFacts, Scope};

use crate::resource::{Resource, Subresource};

/// All served resources.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// By group, version and plural.
    sorted: Vec<Arc<Resource>>,
}

impl Registry {
    /// The built-in kinds of the pinned release.
    #[must_use]
    pub fn builtin() -> Self {
        let mut registry = Self::default();
        for kind in builtin::facts().kinds.iter().filter(|kind| kind.is_resource()) {
            registry.insert(Arc::new(from_facts(kind)));
        }
        registry
    }

    /// The same, made once: servers share it until they have resources of their own.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: OnceLock<Arc<Registry>> = OnceLock::new();
        Arc::clone(SHARED.get_or_init(|| Arc::new(Self::builtin())))
    }

    /// Adds a resource, in place of an older one at the same path.
    pub fn insert(&mut self, resource: Arc<Resource>) {
        match self.place(&resource.group, &resource.version, &resource.plural) {
            Ok(at) => self.sorted[at] = resource,
            Err(at) => self.sorted.insert(at, resource),
        }
    }

    /// Keeps only the resources for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(&Resource) -> bool) {
        self.sorted.retain(|resource| keep(resource));
    }

    /// The resource at a path.
    #[must_use]
    pub fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Resource>> {
        self.place(group, version, plural).ok().and_then(|at| self.sorted.get(at))
    }

    /// Where the resource at a path is, or would be.
    fn place(&self, group: &str, version: &str, plural: &str) -> Result<usize, usize> {
        self.sorted.binary_search_by(|one| {
            (&*one.group, &*one.version, &*one.plural).cmp(&(group, version, plural))
        })
    }

    /// The resource with that kind.
    #[must_use]
    pub fn find_kind(&self, group: &str, version: &str, kind: &str) -> Option<&Arc<Resource>> {
        self.iter().find(|one| one.group == group && one.version == version && one.kind == kind)
    }

    /// All resources, sorted by group, version and plural.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Resource>> {
        self.sorted.iter()
    }

    /// Whether anything of that group and version is served.
    #[must_use]
    pub fn has_version(&self, group: &str, version: &str) -> bool {
        // No plural is before the empty one.
        let at = self.place(group, version, "").unwrap_or_else(|at| at);
        self.sorted.get(at).is_some_and(|one| one.group == group && one.version == version)
    }

    /// Whether upstream has somebody for a path of that group and version: of built-in kinds for each, of what
    /// definitions make for those that are there.
    pub(crate) fn has_path(&self, group: &str, version: &str, plural: &str) -> bool {
        // No plural is before the empty one.
        let at = self.place(group, version, "").unwrap_or_else(|at| at);
        let rest = self.sorted.get(at..).unwrap_or_default().iter();
        let mut own = rest.take_while(|one| one.group == group && one.version == version);
        own.any(|one| one.custom.is_none() || one.plural == plural)
    }

    /// The served versions of each group in the order of preference (`version.CompareKubeAwareVersionStrings`).
    #[must_use]
    pub fn groups(&self) -> BTreeMap<String, Vec<String>> {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for resource in self.iter() {
            let versions = groups.entry(resource.group.clone()).or_default();
            if !versions.contains(&resource.version) {
                versions.push(resource.version.clone());
            }
        }
        for versions in groups.values_mut() {
            versions.sort_by_key(|version| std::cmp::Reverse(priority(version)));
        }
        groups
    }
}

/// Orders versions: stable before beta before alpha, then by number; others last, by name.
#[must_use]
pub fn priority(version: &str) -> (u8, u64, u64) {
    let number = |text: &str| text.parse::<u64>().ok();
    let Some(rest) = version.strip_prefix('v') else { return (0, 0, 0) };
    for (stage, name) in [(2, "beta"), (1, "alpha")] {
        if let Some((major, minor)) = rest.split_once(name) {
            return match (number(major), number(minor)) {
                (Some(major), Some(minor)) => (stage, major, minor),
                _ => (0, 0, 0),
            };
        }
    }
    number(rest).map_or((0, 0, 0), |major| (3, major, 0))
}

/// A built-in resource by its kind.
pub(crate) fn builtin(group: &str, version: &str, kind: &str) -> Option<Arc<Resource>> {
    builtin::facts().kind(group, version, kind).map(from_facts).map(Arc::new)
}

fn from_facts(kind: &KindFacts) -> Resource {
    Resource {
        group: kind.group.clone(),
        version: kind.version.clone(),
        kind: kind.kind.clone(),
        list_kind: kind.list_kind.clone().unwrap_or_else(|| format!("{}List", kind.kind)),
        plural: kind.plural.clone(),
        singular: kind.singular.clone(),
        namespaced: kind.scope == Some(Scope::Namespaced),
        verbs: kind.verbs.clone(),
        short_names: kind.short_names.clone(),
        categories: kind.categories.clone(),
        subresources: kind.subresources.iter().map(subresource).collect(),
        table: table(&kind.group, &kind.plural),
        model: kind.model.clone(),
        custom: None,
        empty: OnceLock::new(),
    }
}

fn subresource(sub: &watchkeeper_schema::facts::Subresource) -> Subresource {
    Subresource {
        name: sub.name.clone(),
        group: sub.kind.group.clone(),
        version: sub.kind.version.clone(),
        kind: sub.kind.kind.clone(),
        verbs: sub.verbs.clone(),
    }
}

/// The table of a resource. Events of both groups are the same objects (V13.1).
#[must_use]
pub fn table(group: &str, plural: &str) -> Arc<str> {
    match (group, plural) {
        ("", _) | ("events.k8s.io", "events") => plural.into(),
        _ => format!("{plural}.{group}").into(),
    }
}

#[cfg(test)]
mod tests;
