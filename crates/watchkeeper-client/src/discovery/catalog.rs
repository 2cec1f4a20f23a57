//! Everything that discovery tells, as a value.

use watchkeeper_api::Error;

use super::Resource;

/// The groups of a server and their resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// In the server's order; the core group first.
    pub groups: Vec<Group>,
    /// What could not be read: the others are not held up by it (upstream: `ErrGroupDiscoveryFailed`).
    pub failed: Vec<FailedVersion>,
}

/// A group of resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// `apps`; empty for the core group.
    pub name: String,
    /// The preferred one first.
    pub versions: Vec<GroupVersion>,
}

/// One version of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupVersion {
    /// As objects state it: `apps/v1`.
    pub api_version: String,
    /// Its resources.
    pub resources: Vec<Resource>,
}

/// A version whose resources could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedVersion {
    /// As objects state it: `metrics.k8s.io/v1`.
    pub api_version: String,
    /// What went wrong.
    pub why: String,
}

impl Catalog {
    /// Every resource in every version; the preferred version of each group first.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.versions().flat_map(|version| &version.resources)
    }

    /// Every resource once, in its group's preferred version, or in the first one that has it
    /// (upstream: `ServerPreferredResources`).
    #[must_use]
    pub fn preferred(&self) -> Vec<&Resource> {
        let mut found: Vec<&Resource> = Vec::new();
        for group in &self.groups {
            let start = found.len();
            for resource in group.versions.iter().flat_map(|version| &version.resources) {
                if found[start..].iter().all(|known| known.kind.plural != resource.kind.plural) {
                    found.push(resource);
                }
            }
        }
        found
    }

    /// The resource of any name that kubectl understands. What is called so in full comes before what is
    /// called so in short; of several the server's first.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Resource> {
        let found = || self.resources().filter(|resource| resource.answers_to(name));
        found().find(|resource| !resource.is_short(name)).or_else(|| found().next())
    }

    /// What a short name could mean, too, beside what [`find`](Self::find) takes it for: other resources, not
    /// other versions. Empty for names that are no short ones.
    #[must_use]
    pub fn also_short(&self, name: &str) -> Vec<&Resource> {
        let Some(taken) = self.find(name).filter(|taken| taken.is_short(name)) else {
            return Vec::new();
        };
        let others = self.preferred().into_iter().filter(|other| other.answers_to(name));
        others.filter(|other| other.kind.group_resource() != taken.kind.group_resource()).collect()
    }

    /// The resource of the objects that state this version and kind.
    #[must_use]
    pub fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Resource> {
        self.resources().find(|resource| resource.kind.is(api_version, kind))
    }

    /// The resource of a group's kind, in the preferred version.
    #[must_use]
    pub fn of_group_kind(&self, group: &str, kind: &str) -> Option<&Resource> {
        self.resources().find(|resource| resource.kind.group == group && resource.kind.kind == kind)
    }

    /// The resource of this version and plural.
    #[must_use]
    pub fn of_resource(&self, api_version: &str, plural: &str) -> Option<&Resource> {
        let version = self.versions().find(|version| version.api_version == api_version)?;
        version.resources.iter().find(|resource| resource.kind.plural == plural)
    }

    /// The resources of a category, each in its preferred version: of `all` what `kubectl get all` shows.
    #[must_use]
    pub fn category(&self, name: &str) -> Vec<&Resource> {
        let is_in = |resource: &&Resource| resource.categories.iter().any(|found| found == name);
        self.preferred().into_iter().filter(is_in).collect()
    }

    /// Whether the server has this version of a group.
    #[must_use]
    pub fn has_version(&self, api_version: &str) -> bool {
        self.versions().any(|version| version.api_version == api_version)
    }

    /// What to say to somebody who looked for something of this version in vain.
    pub(crate) fn mend(&self, api_version: &str) -> String {
        if let Some(failed) = self.failed.iter().find(|failed| failed.api_version == api_version) {
            return format!("{api_version} could not be read: {}", failed.why);
        }
        if let Some(version) = self.versions().find(|version| version.api_version == api_version) {
            let names: Vec<&str> = version.resources.iter().map(|of| &*of.kind.plural).collect();
            return format!("{api_version} has {}", names.join(", "));
        }
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        match self.groups.iter().find(|known| !group.is_empty() && known.name == group) {
            Some(known) => {
                let versions = known.versions.iter().map(|version| &*version.api_version);
                format!("the server has {}", versions.collect::<Vec<_>>().join(", "))
            }
            None => "is its CRD installed?".to_owned(),
        }
    }

    fn versions(&self) -> impl Iterator<Item = &GroupVersion> {
        self.groups.iter().flat_map(|group| &group.versions)
    }

    /// Whether the resources of this version could not be read.
    pub(crate) fn has_failed(&self, api_version: &str) -> bool {
        self.failed.iter().any(|failed| failed.api_version == api_version)
    }

    /// Has these resources in a version that the server has.
    pub(super) fn put(&mut self, api_version: &str, resources: Vec<Resource>) {
        let mut versions = self.groups.iter_mut().flat_map(|group| &mut group.versions);
        if let Some(version) = versions.find(|version| version.api_version == api_version) {
            version.resources = resources;
        }
    }

    pub(super) fn fail(&mut self, api_version: &str, error: &Error) {
        let (api_version, why) = (api_version.to_owned(), error.to_string());
        self.failed.push(FailedVersion { api_version, why });
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.groups.extend(more.groups);
        self.failed.extend(more.failed);
    }
}
