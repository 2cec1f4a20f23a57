//! From names to resources (upstream: `restmapper`).

use watchkeeper_api::{Kind, Object, Result};

use crate::client::Client;
use crate::discovery::{Catalog, DiscoveryClient, Resource, no_match};

/// Finds resources by the names that people and objects use, and remembers what the server has.
///
/// A name that is not remembered is looked for once more at the server, so a CRD installed a moment ago is
/// found; a name that nobody knows costs two requests each time. A version that could not be read, as the
/// server behind it is away, is asked for alone, and at most every five seconds.
///
/// ```
/// # use watchkeeper_api::{Result, Unstructured};
/// # use watchkeeper_client::{Client, CreateOptions};
/// # async fn f(client: Client, object: Unstructured) -> Result<()> {
/// let mapper = client.mapper();
/// let deployments = mapper.resource("deploy").await?;
/// assert_eq!(deployments.kind.group_resource(), "deployments.apps");
///
/// // An object of any kind, as a manifest brings it.
/// let kind = mapper.kind_of(&object).await?;
/// client.dynamic(kind).namespace("shop").create(&object, &CreateOptions::default()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RestMapper {
    discovery: DiscoveryClient,
}

impl Client {
    /// A mapper with a memory of its own.
    #[must_use]
    pub fn mapper(&self) -> RestMapper {
        RestMapper::new(self.discovery_client())
    }
}

impl RestMapper {
    /// A mapper that shares what this client keeps.
    #[must_use]
    pub const fn new(discovery: DiscoveryClient) -> Self {
        Self { discovery }
    }

    /// The resource of any name that kubectl understands: `deploy`, `Deployment`, `deployments.v1.apps`.
    /// Of several the server's first; short names that others have, too, are
    /// [told](crate::NoticeHandler::ambiguous).
    ///
    /// # Errors
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found) when the server has none of that name; when
    /// it cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resource(&self, name: &str) -> Result<Resource> {
        let found = self.look(name, "", |catalog| catalog.find(name)).await?;
        if let Some(catalog) = self.discovery.kept() {
            self.discovery.client().settings.notices.tell_ambiguous(name, &found, &catalog);
        }
        Ok(found)
    }

    /// The kind of objects that state this version and kind (upstream: `RESTMapping`).
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// As of [`resource`](Self::resource).
    pub async fn kind(&self, api_version: &str, kind: &str) -> Result<Kind> {
        let name = format!("{kind} of {api_version}");
        let found = self.look(&name, api_version, |catalog| catalog.of_kind(api_version, kind));
        Ok(found.await?.kind)
    }

    /// The kind of this object, with its plural and scope.
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// As of [`resource`](Self::resource).
    pub async fn kind_of(&self, object: &impl Object) -> Result<Kind> {
        self.kind(&object.kind().api_version(), &object.kind().kind).await
    }

    /// A group's kind in the version that the server prefers.
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// As of [`resource`](Self::resource).
    pub async fn preferred(&self, group: &str, kind: &str) -> Result<Kind> {
        let name = format!("{kind} of {group}");
        Ok(self.look(&name, "", |catalog| catalog.of_group_kind(group, kind)).await?.kind)
    }

    /// The resource of this version and plural (upstream: `GroupVersionResource`).
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// As of [`resource`](Self::resource).
    pub async fn plural(&self, api_version: &str, plural: &str) -> Result<Resource> {
        let name = format!("{plural} of {api_version}");
        self.look(&name, api_version, |catalog| catalog.of_resource(api_version, plural)).await
    }

    /// The resources of a category, such as `all`; none of an unknown one.
    ///
    /// # Errors
    /// When the server cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// As of [`resource`](Self::resource).
    pub async fn category(&self, name: &str) -> Result<Vec<Resource>> {
        let catalog = self.discovery.catalog().await?;
        Ok(catalog.category(name).into_iter().cloned().collect())
    }

    /// Forgets what the server had (upstream: `Reset`).
    pub fn reset(&self) {
        self.discovery.invalidate();
    }

    /// The discovery underneath.
    #[must_use]
    pub const fn discovery(&self) -> &DiscoveryClient {
        &self.discovery
    }

    /// What `find` finds; the error tells of what there is in `api_version`, unless that is empty.
    async fn look(
        &self,
        name: &str,
        api_version: &str,
        find: impl Fn(&Catalog) -> Option<&Resource>,
    ) -> Result<Resource> {
        let kept = self.discovery.kept();
        if let Some(found) = kept.as_ref().and_then(|kept| find(kept)) {
            return Ok(found.clone());
        }
        let catalog = match kept {
            // All the rest is known, and not worth a question for each of these names.
            Some(kept) if kept.has_failed(api_version) => self.discovery.catalog().await?,
            _ => self.discovery.refresh().await?,
        };
        find(&catalog).cloned().ok_or_else(|| no_match(name, &catalog.mend(api_version)))
    }
}
