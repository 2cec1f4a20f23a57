//! The server's version, and kinds by name.

use serde_json::json;

use crate::failure;
use crate::fake::{Fake, ok, status};

#[tokio::test(start_paused = true)]
async fn the_server_tells_its_version() {
    let version =
        json!({ "major": "1", "minor": "36", "gitVersion": "v1.36.3", "platform": "linux/amd64" });
    let fake = Fake::new([ok(&version.to_string())]);
    let version = fake.client().server_version().await.unwrap();
    assert_eq!((version.git_version.as_str(), version.minor.as_str()), ("v1.36.3", "36"));
    assert_eq!(fake.asked(), ["GET /version"]);
}

#[tokio::test(start_paused = true)]
async fn a_kind_is_found_without_aggregated_discovery() {
    let core = json!({ "kind": "APIVersions", "versions": ["v1"] });
    let pods = json!({ "kind": "APIResourceList", "resources": [
        { "name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod" },
    ] });
    let version = |name: &str| json!({ "groupVersion": name, "version": "v1" });
    let groups = json!({ "kind": "APIGroupList", "groups": [
        { "name": "broken.io", "versions": [version("broken.io/v1")], "preferredVersion": version("broken.io/v1") },
        { "name": "apps", "versions": [version("apps/v1")], "preferredVersion": version("apps/v1") },
    ] });
    let apps = json!({ "kind": "APIResourceList", "resources": [
        { "name": "deployments", "singularName": "deployment", "namespaced": true, "kind": "Deployment" },
    ] });
    let broken = failure(503, "ServiceUnavailable", "the aggregated server is away");
    let fake = Fake::new([
        ok(&core.to_string()),
        ok(&pods.to_string()),
        ok(&groups.to_string()),
        status(503, &broken),
        ok(&apps.to_string()),
    ]);
    let kind = fake.client().resolve("deployments.apps").await.unwrap();
    assert_eq!(kind.path(None, None), "/apis/apps/v1/deployments");
    assert_eq!(
        fake.asked(),
        ["GET /api", "GET /api/v1", "GET /apis", "GET /apis/broken.io/v1", "GET /apis/apps/v1"]
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_kind_is_told_by_name() {
    let none = json!({ "kind": "APIGroupDiscoveryList", "items": [] }).to_string();
    let fake = Fake::new([ok(&none), ok(&none)]);
    let error = fake.client().resolve("foos.example.com").await.unwrap_err();
    assert!(
        error.to_string().contains("no resource \"foos.example.com\"; is its CRD installed?"),
        "{error}"
    );
}
