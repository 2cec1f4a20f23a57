//! How many: the `scale` subresource of any kind that has one (upstream: `client-go/scale`).

use serde_json::json;
use watchkeeper_api::autoscaling::v1::Scale;
use watchkeeper_api::{Error, Object, Result, Unstructured};

use crate::api::Api;
use crate::client::Client;
use crate::mapper::RestMapper;
use crate::options::{ApplyOptions, PatchOptions, UpdateOptions};
use crate::patch::Patch;

impl<K: Object> Api<K> {
    /// Reads how many there are, and shall be.
    ///
    /// # Errors
    /// [`is_not_found`](Error::is_not_found) also where the kind has no scale; whatever else the server
    /// says.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn get_scale(&self, name: &str) -> Result<Scale> {
        self.subresource("scale").get_message(name).await
    }

    /// Replaces the scale, if it is still at the version that `scale` carries.
    ///
    /// # Errors
    /// As [`get_scale`](Self::get_scale); [`is_conflict`](Error::is_conflict).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn update_scale(
        &self,
        name: &str,
        scale: &Scale,
        options: &UpdateOptions,
    ) -> Result<Scale> {
        self.subresource("scale").update_message(name, scale, options).await
    }

    /// Says how many there shall be, whatever was said before.
    ///
    /// # Errors
    /// As [`get_scale`](Self::get_scale).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn scale_to(&self, name: &str, replicas: i32) -> Result<Scale> {
        let change = Patch::merge(&json!({ "spec": { "replicas": replicas } }));
        self.subresource("scale").patch_message(name, &change, &PatchOptions::default()).await
    }

    /// Says how many there shall be, and owns that from now on (server-side apply): who wrote it before is
    /// an owner no more, and who applies another number conflicts.
    ///
    /// ```
    /// # use watchkeeper_api::{Result, apps::v1::Deployment};
    /// # use watchkeeper_client::{ApplyOptions, Client};
    /// # async fn f(client: Client) -> Result<()> {
    /// let web = client.field_manager("autoscaler").api::<Deployment>().namespace("shop");
    /// let scale = web.apply_scale("web", 3, &ApplyOptions::forced()).await?;
    /// println!("{} of {}", scale.status.replicas, scale.spec.replicas);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`get_scale`](Self::get_scale); [`is_conflict`](Error::is_conflict) when not forced and somebody
    /// else owns the number.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply_scale(
        &self,
        name: &str,
        replicas: i32,
        options: &ApplyOptions,
    ) -> Result<Scale> {
        // None at all is said, too, which the type itself would leave out.
        let said = json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": { "name": name },
            "spec": { "replicas": replicas },
        });
        let patch = Patch::Apply { body: said.to_string().into_bytes(), force: options.force };
        self.subresource("scale").patch_message(name, &patch, &options.write).await
    }
}

/// Scales objects whose kind is known by name only.
///
/// ```
/// # use watchkeeper_api::Result;
/// # use watchkeeper_client::Client;
/// # async fn f(client: Client) -> Result<()> {
/// let scales = client.scales();
/// scales.of("deployments.apps").await?.namespace("shop").scale_to("web", 3).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ScaleClient {
    mapper: RestMapper,
}

impl Client {
    /// Scales objects whose kind is known by name only.
    #[must_use]
    pub fn scales(&self) -> ScaleClient {
        ScaleClient::new(self.mapper())
    }
}

impl ScaleClient {
    /// A scale client that shares what this mapper knows.
    #[must_use]
    pub const fn new(mapper: RestMapper) -> Self {
        Self { mapper }
    }

    /// The objects of this resource, by any name that kubectl understands.
    ///
    /// # Errors
    /// When there is no such resource, or it cannot be scaled; when the server cannot be asked.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way.
    pub async fn of(&self, resource: &str) -> Result<Api<Unstructured>> {
        let found = self.mapper.resource(resource).await?;
        if found.part("scale").is_none() {
            let what = found.kind.group_resource();
            return Err(Error::usage(format!("{what} cannot be scaled: they have no scale")));
        }
        Ok(self.mapper.discovery().client().dynamic(found.kind))
    }
}
