//! Objects of kinds that are known at run time only (upstream: `client-go/dynamic`).

use watchkeeper_api::{Kind, Object, Result, Unstructured};

use crate::api::Api;
use crate::client::Client;
use crate::mapper::RestMapper;
use crate::metadata::PartialObject;

/// From a group, version and resource to its objects. The kind and its scope are looked up at the server
/// and remembered, so that nobody has to know them.
///
/// ```
/// # use watchkeeper_api::{Result, Unstructured};
/// # use watchkeeper_client::{Client, CreateOptions, ListOptions};
/// # async fn f(client: Client, manifest: Unstructured) -> Result<()> {
/// let dynamic = client.dynamic_client();
/// let deployments = dynamic.resource("apps/v1", "deployments").await?.namespace("shop");
/// for deployment in deployments.list(&ListOptions::default()).await?.items {
///     println!("{:?}", deployment.get("/spec/replicas"));
/// }
/// dynamic.object(&manifest).await?.create(&manifest, &CreateOptions::default()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DynamicClient {
    mapper: RestMapper,
}

impl Client {
    /// Objects of kinds that are known at run time only. Where the [`Kind`] is known,
    /// [`Client::dynamic`] asks nothing.
    #[must_use]
    pub fn dynamic_client(&self) -> DynamicClient {
        DynamicClient::new(self.mapper())
    }

    /// The metadata of objects of a kind known at run time (upstream: `client-go/metadata`). The server
    /// sends nothing else. Of a kind known from its type take `client.api::<Metadata<Pod>>()`.
    #[must_use]
    pub fn metadata(&self, kind: Kind) -> Api<PartialObject> {
        Api::new(self.clone(), kind)
    }
}

impl DynamicClient {
    /// A client that shares what this mapper knows.
    #[must_use]
    pub const fn new(mapper: RestMapper) -> Self {
        Self { mapper }
    }

    /// The objects of a resource: of all namespaces, or cluster-scoped.
    ///
    /// # Errors
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found) when the server has no such resource; when it
    /// cannot be asked.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn resource(&self, api_version: &str, plural: &str) -> Result<Api<Unstructured>> {
        Ok(self.of(self.mapper.plural(api_version, plural).await?.kind))
    }

    /// The objects of a resource, by any name that kubectl understands.
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn named(&self, name: &str) -> Result<Api<Unstructured>> {
        Ok(self.of(self.mapper.resource(name).await?.kind))
    }

    /// The objects like this one: its kind, and its namespace.
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn object(&self, object: &impl Object) -> Result<Api<Unstructured>> {
        let kind = self.mapper.kind_of(object).await?;
        let namespace = object.namespace().filter(|_| kind.is_namespaced()).map(str::to_owned);
        let api = self.of(kind);
        Ok(match namespace {
            Some(namespace) => api.namespace(namespace),
            None => api,
        })
    }

    /// The metadata of a resource's objects.
    ///
    /// # Errors
    /// As [`resource`](Self::resource).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn metadata(&self, api_version: &str, plural: &str) -> Result<Api<PartialObject>> {
        let kind = self.mapper.plural(api_version, plural).await?.kind;
        Ok(self.mapper.discovery().client().metadata(kind))
    }

    fn of(&self, kind: Kind) -> Api<Unstructured> {
        self.mapper.discovery().client().dynamic(kind)
    }
}
