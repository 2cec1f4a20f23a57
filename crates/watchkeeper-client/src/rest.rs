//! Requests by hand: any verb, any path (upstream: `rest.RESTClient`).
//!
//! For what the typed clients do not say: proxies, subresources of aggregated servers, paths that are no
//! resources. Deadlines, retries, errors, notices, metrics and observers are those of every other call.

use http::Method;

use crate::client::Client;

mod answer;
mod path;
mod request;
#[cfg(test)]
mod tests;

pub use answer::RestAnswer;
pub(crate) use path::Info;
pub use request::RestRequest;

/// Makes requests below one path.
///
/// ```
/// # use watchkeeper_api::{core::v1::Pod, Result};
/// # use watchkeeper_client::Client;
/// # async fn f(client: Client) -> Result<()> {
/// let core = client.rest_for("v1");
/// let pod: Pod = core.get().namespace("shop").resource("pods").name("web-0").into().await?;
/// let ready = client.rest().get().path("/readyz").query("verbose", "").do_raw().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RestClient {
    client: Client,
    root: String,
}

impl Client {
    /// Requests of any path.
    #[must_use]
    pub fn rest(&self) -> RestClient {
        RestClient { client: self.clone(), root: String::new() }
    }

    /// Requests of one group and version, such as `v1` or `apps/v1`.
    #[must_use]
    pub fn rest_for(&self, api_version: &str) -> RestClient {
        let root = match api_version.split_once('/') {
            Some(_) => format!("/apis/{api_version}"),
            None => format!("/api/{api_version}"),
        };
        RestClient { client: self.clone(), root }
    }
}

impl RestClient {
    /// Starts a request with this method.
    pub fn verb(&self, method: Method) -> RestRequest {
        RestRequest::new(self.client.clone(), method, self.root.clone())
    }

    /// Starts to read.
    pub fn get(&self) -> RestRequest {
        self.verb(Method::GET)
    }

    /// Starts to make something.
    pub fn post(&self) -> RestRequest {
        self.verb(Method::POST)
    }

    /// Starts to replace something.
    pub fn put(&self) -> RestRequest {
        self.verb(Method::PUT)
    }

    /// Starts to change something; [`RestRequest::patch`] says how.
    pub fn patch(&self) -> RestRequest {
        self.verb(Method::PATCH)
    }

    /// Starts to delete something.
    pub fn delete(&self) -> RestRequest {
        self.verb(Method::DELETE)
    }

    /// The client underneath.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }
}
