//! What the server has: its version, its groups, their resources (upstream: `client-go/discovery`).
//!
//! ```text
//!  Client::resources, Client::resolve ─┐
//!                                      ├─▶ /api, /apis ─▶ aggregated (KEP-3352) or legacy documents ─▶ Catalog
//!  DiscoveryClient (keeps a Catalog) ──┘
//! ```

use serde_json::Value;
use watchkeeper_api::error::{Subject, Why as Reason};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, Kind, Result};

use crate::client::Client;
use crate::fail::Why;
use crate::request::Call;

mod cached;
mod catalog;
mod parse;
#[cfg(test)]
mod tests;

pub use cached::DiscoveryClient;
pub use catalog::{Catalog, FailedVersion, Group, GroupVersion};

/// All groups of a root in one answer, from servers that have it.
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
    /// Names for several resources at once: `all`.
    pub categories: Vec<String>,
    /// Parts with a path of their own: `status`, `scale` …
    pub parts: Vec<ResourcePart>,
}

/// A subresource as discovery tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourcePart {
    /// `scale`
    pub name: String,
    /// What goes in and comes out, as objects state it: `autoscaling/v1`; empty: that of the resource.
    pub api_version: String,
    /// `Scale`
    pub kind: String,
    /// What may be done with it.
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
            major: parse::text(&value, "major").to_owned(),
            minor: parse::text(&value, "minor").to_owned(),
            git_version: parse::text(&value, "gitVersion").to_owned(),
            platform: parse::text(&value, "platform").to_owned(),
        })
    }

    /// Finds a kind by any of its names, as kubectl does: `deployments`, `deployment`, `deploy`,
    /// `Deployment`, `deployments.apps`, `deployments.v1.apps`. Of several the server's first is taken; short
    /// names that others have, too, are [told](crate::NoticeHandler::ambiguous).
    /// Asks the server each time; a [`RestMapper`](crate::RestMapper) remembers.
    ///
    /// # Errors
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found) when the server has none of that name; when
    /// it cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resolve(&self, name: &str) -> Result<Kind> {
        // A full name of a group comes before a short one of the core, and who else has a short name is told:
        // all there is has to be known.
        let catalog = self.catalog().await?;
        let found = catalog.find(name).ok_or_else(|| no_match(name, &catalog.mend("")))?;
        self.settings.notices.tell_ambiguous(name, found, &catalog);
        Ok(found.kind.clone())
    }

    /// Every resource of the server; the preferred version of each group first.
    ///
    /// # Errors
    /// When the server cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resources(&self) -> Result<Vec<Resource>> {
        Ok(self.catalog().await?.resources().cloned().collect())
    }

    /// Everything that discovery tells, anew.
    pub(crate) async fn catalog(&self) -> Result<Catalog> {
        let mut catalog = self.catalog_under("/api").await?;
        catalog.extend(self.catalog_under("/apis").await?);
        Ok(catalog)
    }

    async fn catalog_under(&self, root: &str) -> Result<Catalog> {
        let document = match self.document(root, AGGREGATED).await {
            Ok(document) => document,
            // Some servers have one of the two roots only.
            Err(error) if error.is_not_found() => return Ok(Catalog::default()),
            Err(error) => return Err(error),
        };
        if parse::text(&document, "kind") == "APIGroupDiscoveryList" {
            return Ok(parse::aggregated(&document));
        }
        let mut catalog = Catalog { groups: parse::groups(&document), failed: Vec::new() };
        let versions = catalog.groups.iter().flat_map(|group| &group.versions);
        let versions: Vec<_> = versions.map(|version| version.api_version.clone()).collect();
        for api_version in versions {
            // One broken aggregated server must not hide the others.
            match self.version_resources(root, &api_version).await {
                Ok(resources) => catalog.put(&api_version, resources),
                Err(error) if error.status().is_some() => catalog.fail(&api_version, &error),
                Err(error) => return Err(error),
            }
        }
        Ok(catalog)
    }

    async fn version_resources(&self, root: &str, api_version: &str) -> Result<Vec<Resource>> {
        let list = self.document(&format!("{root}/{api_version}"), "application/json").await?;
        Ok(parse::legacy(&list, api_version))
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

/// Says so as a server would of an object: `is_not_found` (upstream: `NoResourceMatchError`).
/// That there is nothing of this name, and what may help.
pub(crate) fn no_match(name: &str, mend: &str) -> Error {
    let message = format!("the server has no resource {name:?}; {mend}");
    let status = Status {
        status: "Failure".into(),
        message: message.into(),
        reason: "NotFound".into(),
        code: 404,
        ..Status::default()
    };
    Error::new(Subject::new("resolve", "kinds"), Reason::Status(Box::new(status)))
}

impl Resource {
    /// Whether this may be done with it: `watch`.
    #[must_use]
    pub fn can(&self, verb: &str) -> bool {
        self.verbs.iter().any(|found| found == verb)
    }

    /// The part of this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&ResourcePart> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Whether it is called so: by plural, singular, kind or short name, with group, version or both.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        let (name, rest) = name.split_once('.').unwrap_or((name, ""));
        let name = name.to_lowercase();
        // Old servers tell no singular, which is no name.
        let named = !name.is_empty() && name == self.singular
            || name == *self.kind.plural
            || name == self.kind.kind.to_lowercase()
            || self.short_names.contains(&name);
        named && self.is_of(rest)
    }

    /// Whether that name of it is a short one.
    pub(crate) fn is_short(&self, name: &str) -> bool {
        let name = name.split('.').next().unwrap_or(name).to_lowercase();
        self.short_names.contains(&name)
            && name != *self.kind.plural
            && name != self.singular
            && name != self.kind.kind.to_lowercase()
    }

    /// Whether `rest` is nothing, the group, the version, or both.
    fn is_of(&self, rest: &str) -> bool {
        let Kind { group, version, .. } = &self.kind;
        rest.is_empty() || rest == group || rest == version || rest == format!("{version}.{group}")
    }
}
