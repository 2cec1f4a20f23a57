//! What a server says of its kinds, as OpenAPI v3: what generators read (KEP-2896).

use serde_json::Value;
use watchkeeper_api::{Error, Result};

use crate::client::Client;

/// The OpenAPI v3 document of one group and version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenApiDocument {
    /// Its name in the index: `api/v1`, `apis/apps/v1`.
    pub name: String,
    /// The document, as JSON.
    pub text: String,
}

impl Client {
    /// The OpenAPI v3 documents whose names in the index are `wanted`, in the order of their names.
    ///
    /// ```
    /// # use watchkeeper_apiserver::ApiServer;
    /// # use watchkeeper_client::Client;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> watchkeeper_client::Result<()> {
    /// let client = Client::new(ApiServer::new());
    /// let documents = client.openapi(|name| name.starts_with("apis/apps/")).await?;
    /// assert_eq!(documents[0].name, "apis/apps/v1");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever the server says, and an index that is none.
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn openapi(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<OpenApiDocument>> {
        let index = self.openapi_text("").await?;
        let index: Value = serde_json::from_str(&index).map_err(|error| {
            Error::other(format!("the index at /openapi/v3 is no JSON: {error}"))
        })?;
        let names = index.get("paths").and_then(Value::as_object).into_iter().flatten();
        let mut names: Vec<&String> =
            names.map(|(name, _)| name).filter(|name| wanted(name)).collect();
        names.sort();
        let mut documents = Vec::new();
        for name in names {
            let text = self.openapi_text(&format!("/{name}")).await?;
            documents.push(OpenApiDocument { name: name.clone(), text });
        }
        Ok(documents)
    }

    async fn openapi_text(&self, name: &str) -> Result<String> {
        let bytes = self.rest().get().path(format!("/openapi/v3{name}")).do_raw().await?;
        String::from_utf8(bytes.into())
            .map_err(|_| Error::other(format!("the document at /openapi/v3{name} is no text")))
    }
}
