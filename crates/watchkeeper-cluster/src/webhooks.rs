//! Webhooks of a program, asked in the process.

use bytes::Bytes;
use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::admission::Reviewed;
use watchkeeper_apiserver::convert::webhook::ConversionReviewed;
use watchkeeper_manager::webhook::{CONVERT_PATH, Place, Webhooks};

use crate::Cluster;

/// Where they are, as far as the server is concerned: a name that is nobody's (RFC 2606).
const URL: &str = "https://webhooks.test";

impl Cluster {
    /// Lets the API server ask `webhooks` in the process, without a socket and a certificate, and in paused time;
    /// tells where they are, for their configurations. A path that was told before is theirs from now on.
    ///
    /// ```
    /// use watchkeeper_api::core::v1::ConfigMap;
    /// use watchkeeper_api::object;
    /// use watchkeeper_client::CreateOptions;
    /// use watchkeeper_cluster::Cluster;
    /// use watchkeeper_manager::webhook::{Webhooks, defaulting};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> watchkeeper_api::Result<()> {
    /// let webhooks = Webhooks::new().defaulter(defaulting(|map: &mut ConfigMap, _review| {
    ///     map.data.insert("colour", "red");
    ///     Ok(())
    /// }));
    /// let cluster = Cluster::builder().build();
    /// let place = cluster.answer_webhooks(&webhooks);
    /// let configuration = webhooks.mutating_configuration("colours", &place);
    /// let client = cluster.client("me");
    /// client.api_for(&configuration).create(&configuration, &CreateOptions::default()).await?;
    ///
    /// let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    /// let map = client.api_for(&map).create(&map, &CreateOptions::default()).await?;
    /// assert_eq!(map.data.get("colour").map(|colour| &**colour), Some("red"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The versions of a definition are converted here, too, once [`convert_at`] says so of it.
    ///
    /// [`convert_at`]: watchkeeper_manager::webhook::convert_at
    pub fn answer_webhooks(&self, webhooks: &Webhooks) -> Place {
        for path in webhooks.paths() {
            let (url, webhooks) = (format!("{URL}{path}"), webhooks.clone());
            if path == CONVERT_PATH {
                convert(self.server(), url, webhooks);
            } else {
                admit(self.server(), url, webhooks);
            }
        }
        Place::url(URL)
    }
}

fn admit(server: &ApiServer, url: String, webhooks: Webhooks) {
    server.on_webhook(url.clone(), move |review| {
        let (webhooks, url) = (webhooks.clone(), url.clone());
        let review = json!({
            "kind": "AdmissionReview",
            "apiVersion": "admission.k8s.io/v1",
            "request": review.request(),
        });
        async move {
            let answer = asked(&webhooks, &url, &review).await;
            answer.map_or_else(|why| Reviewed::failed(&why), Reviewed::raw)
        }
    });
}

fn convert(server: &ApiServer, url: String, webhooks: Webhooks) {
    server.on_conversion(url.clone(), move |review| {
        let (webhooks, url) = (webhooks.clone(), url.clone());
        let review = json!({
            "kind": "ConversionReview",
            "apiVersion": "apiextensions.k8s.io/v1",
            "request": review.request(),
        });
        async move {
            let answer = asked(&webhooks, &url, &review).await;
            answer.map_or_else(|why| ConversionReviewed::failed(&why), ConversionReviewed::raw)
        }
    });
}

async fn asked(webhooks: &Webhooks, url: &str, review: &Value) -> Result<Value, String> {
    let request = http::Request::post(url).header("content-type", "application/json");
    let request = request.body(Bytes::from(review.to_string())).map_err(|e| e.to_string())?;
    let answer = webhooks.answer(request).await;
    serde_json::from_slice(answer.body()).map_err(|error| error.to_string())
}
