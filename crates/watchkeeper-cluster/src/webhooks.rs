//! Webhooks of a program, asked in the process.

use bytes::Bytes;
use serde_json::json;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::admission::{Review, Reviewed};
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
    /// Conversions are not asked for: the embedded server converts between versions by their names only.
    pub fn answer_webhooks(&self, webhooks: &Webhooks) -> Place {
        for path in webhooks.paths().filter(|path| *path != CONVERT_PATH) {
            answer(self.server(), path, webhooks.clone());
        }
        Place::url(URL)
    }
}

fn answer(server: &ApiServer, path: &str, webhooks: Webhooks) {
    let url = format!("{URL}{path}");
    server.on_webhook(url.clone(), move |review| {
        let (webhooks, url) = (webhooks.clone(), url.clone());
        async move { asked(&webhooks, &url, &review).await }
    });
}

async fn asked(webhooks: &Webhooks, url: &str, review: &Review) -> Reviewed {
    let review = json!({
        "kind": "AdmissionReview",
        "apiVersion": "admission.k8s.io/v1",
        "request": review.request(),
    });
    let request = http::Request::post(url).header("content-type", "application/json");
    let answer = match request.body(Bytes::from(review.to_string())) {
        Ok(request) => webhooks.answer(request).await,
        Err(error) => return Reviewed::failed(&error.to_string()),
    };
    match serde_json::from_slice(answer.body()) {
        Ok(answer) => Reviewed::raw(answer),
        Err(error) => Reviewed::failed(&error.to_string()),
    }
}
