//! What the server has: its version, and kinds by name. As much as it takes to resolve a name.

use serde_json::Value;
use watchkeeper_api::error::Subject;
use watchkeeper_api::{Kind, Result, Scope};

use crate::client::Client;
use crate::fail::Why;
use crate::request::Call;

#[cfg(test)]
mod tests;

/// KEP-3352: all groups of a root in one answer, from servers that have it.
const AGGREGATED: &str =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

/// The version that a server tells at `/version`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerVersion {
    /// `1`
    pub major: String,
    /// `36`
    pub minor: String,
    /// `v1.36.3`
    pub git_version: String,
    /// `linux/amd64`
    pub platform: String,
}

/// A resource as discovery tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// What its objects are.
    pub kind: Kind,
    /// `deployment`
    pub singular: String,
    /// `deploy`
    pub short_names: Vec<String>,
    /// What may be done with it: `get`, `list`, `watch`, `create` …
    pub verbs: Vec<String>,
}

impl Client {
    /// Asks the server for its version.
    ///
    /// # Errors
    /// When it cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn server_version(&self) -> Result<ServerVersion> {
        let value = self.document("/version", "application/json").await?;
        Ok(ServerVersion {
            major: text(&value, "major").to_owned(),
            minor: text(&value, "minor").to_owned(),
            git_version: text(&value, "gitVersion").to_owned(),
            platform: text(&value, "platform").to_owned(),
        })
    }

    /// Finds a kind by any of its names, as kubectl does: `deployments`, `deployment`, `deploy`,
    /// `Deployment`, `deployments.apps`, `deployments.v1.apps`. Of several the server's first is taken.
    ///
    /// # Errors
    /// When the server has none of that name, cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resolve(&self, name: &str) -> Result<Kind> {
        for root in ["/api", "/apis"] {
            let resources = self.resources_under(root).await?;
            if let Some(found) = resources.into_iter().find(|resource| resource.answers_to(name)) {
                return Ok(found.kind);
            }
        }
        let what = format!("the server has no resource {name:?}; is its CRD installed?");
        Err(Why::Asked(what).into_error(&Subject::new("resolve", "kinds")))
    }

    /// Every resource of the server, subresources left out; the preferred version of each group first.
    ///
    /// # Errors
    /// When the server cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resources(&self) -> Result<Vec<Resource>> {
        let mut resources = self.resources_under("/api").await?;
        resources.extend(self.resources_under("/apis").await?);
        Ok(resources)
    }

    async fn resources_under(&self, root: &str) -> Result<Vec<Resource>> {
        let document = self.document(root, AGGREGATED).await?;
        if text(&document, "kind") == "APIGroupDiscoveryList" {
            return Ok(aggregated(&document));
        }
        let mut resources = Vec::new();
        for group_version in group_versions(&document) {
            let path = format!("{root}/{group_version}");
            // One broken aggregated server must not hide the others.
            match self.document(&path, "application/json").await {
                Ok(list) => resources.extend(legacy(&list, &group_version)),
                Err(error) if error.status().is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(resources)
    }

    async fn document(&self, path: &str, accept: &'static str) -> Result<Value> {
        let subject = Subject::new("get", path.to_owned());
        let call = Call::raw(path, accept);
        let bytes = self.unary(&call).await.map_err(|failed| failed.into_error(&subject))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            Why::Nonsense(format!("the answer is not JSON: {error}")).into_error(&subject)
        })
    }
}

impl Resource {
    fn answers_to(&self, name: &str) -> bool {
        let (name, rest) = name.split_once('.').unwrap_or((name, ""));
        let name = name.to_lowercase();
        let named = name == *self.kind.plural
            || name == self.singular
            || name == self.kind.kind.to_lowercase()
            || self.short_names.contains(&name);
        named && self.is_of(rest)
    }

    /// Whether `rest` is nothing, the group, the version, or both.
    fn is_of(&self, rest: &str) -> bool {
        let Kind { group, version, .. } = &self.kind;
        rest.is_empty() || rest == group || rest == version || rest == format!("{version}.{group}")
    }
}

/// Of an `APIGroupDiscoveryList`, in the server's order of preference.
fn aggregated(document: &Value) -> Vec<Resource> {
    let mut resources = Vec::new();
    for group in array(document, "items") {
        let name = text(&group["metadata"], "name");
        for version in array(group, "versions") {
            for resource in array(version, "resources") {
                let kind = text(&resource["responseKind"], "kind");
                let names = Names { kind, plural: text(resource, "resource"), resource };
                let namespaced = text(resource, "scope") == "Namespaced";
                let singular = text(resource, "singularResource");
                resources.extend(names.resource(
                    name,
                    text(version, "version"),
                    namespaced,
                    singular,
                ));
            }
        }
    }
    resources
}

/// The versions of an `APIVersions`, or of an `APIGroupList` the preferred one of each group first.
fn group_versions(document: &Value) -> Vec<String> {
    let core = array(document, "versions").filter_map(Value::as_str).map(str::to_owned);
    let groups = array(document, "groups").flat_map(|group| {
        let preferred = text(&group["preferredVersion"], "groupVersion");
        let mut versions: Vec<_> =
            array(group, "versions").map(|version| text(version, "groupVersion")).collect();
        versions.sort_by_key(|version| *version != preferred);
        versions
    });
    core.chain(groups.map(str::to_owned)).collect()
}

/// Of an `APIResourceList`. Subresources are left out.
fn legacy(list: &Value, group_version: &str) -> Vec<Resource> {
    let (group, version) = group_version.split_once('/').unwrap_or(("", group_version));
    let resources = array(list, "resources").filter(|r| !text(r, "name").contains('/'));
    resources
        .filter_map(|resource| {
            let names =
                Names { kind: text(resource, "kind"), plural: text(resource, "name"), resource };
            let namespaced = resource["namespaced"].as_bool() == Some(true);
            names.resource(group, version, namespaced, text(resource, "singularName"))
        })
        .collect()
}

struct Names<'a> {
    kind: &'a str,
    plural: &'a str,
    resource: &'a Value,
}

impl Names<'_> {
    fn resource(
        &self,
        group: &str,
        version: &str,
        namespaced: bool,
        singular: &str,
    ) -> Option<Resource> {
        if self.kind.is_empty() || self.plural.is_empty() {
            return None;
        }
        let kind = Kind {
            group: group.to_owned().into(),
            version: version.to_owned().into(),
            kind: self.kind.to_owned().into(),
            plural: self.plural.to_owned().into(),
            scope: if namespaced { Scope::Namespaced } else { Scope::Cluster },
        };
        let short_names = array(self.resource, "shortNames").filter_map(Value::as_str);
        let short_names = short_names.map(str::to_owned).collect();
        let verbs = array(self.resource, "verbs").filter_map(Value::as_str);
        let verbs = verbs.map(str::to_owned).collect();
        Some(Resource { kind, singular: singular.to_owned(), short_names, verbs })
    }
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or("")
}

fn array<'a>(value: &'a Value, member: &str) -> impl Iterator<Item = &'a Value> {
    value[member].as_array().into_iter().flatten()
}
