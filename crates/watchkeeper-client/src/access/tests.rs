//! What requests ask for.

use http::{Method, Uri};
use watchkeeper_api::{Kind, Scope};

use super::*;

fn asks(method: Method, uri: &'static str) -> String {
    Permission::of(&method, &Uri::from_static(uri)).to_string()
}

#[test]
fn a_request_asks_for_a_verb_on_a_resource() {
    let asked = [
        (Method::GET, "/api/v1/pods", "list pods"),
        (Method::GET, "/api/v1/pods?watch=true", "watch pods"),
        (Method::GET, "/api/v1/namespaces/shop/pods/a", "get pods a in shop"),
        (Method::GET, "/api/v1/namespaces/shop", "get namespaces shop"),
        (Method::PUT, "/api/v1/namespaces/shop/finalize", "update namespaces/finalize shop"),
        (
            Method::POST,
            "/apis/apps/v1/namespaces/shop/deployments",
            "create deployments.apps in shop",
        ),
        (
            Method::PATCH,
            "/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=a",
            "patch deployments.apps/scale web in shop",
        ),
        (Method::POST, "/api/v1/namespaces/shop/pods/a/eviction", "create pods/eviction a in shop"),
        (Method::DELETE, "/api/v1/namespaces/shop/pods", "deletecollection pods in shop"),
        (Method::DELETE, "/api/v1/nodes/n%3A1", "delete nodes n:1"),
        (Method::GET, "/api/v1/pods?fieldSelector=metadata.name%3Da", "list pods a"),
        (Method::GET, "/api/v1/pods?fieldSelector=spec.nodeName%3Da", "list pods"),
        (Method::GET, "/apis/apps/v1", "get /apis/apps/v1"),
        (Method::GET, "/version?timeout=1s", "get /version"),
        (Method::POST, "/metrics", "post /metrics"),
    ];
    for (method, uri, wanted) in asked {
        assert_eq!(asks(method, uri), wanted, "{uri}");
    }
}

#[test]
fn what_is_said_twice_is_one_permission_with_both_reasons() {
    let kind = Kind::new("apps", "v1", "Deployment", "deployments", Scope::Namespaced);
    let mut needs = Need::to_follow(&kind, None, "one");
    needs.extend(Need::to_follow(&kind, None, "two"));
    needs.push(Need::to_block_deletion(&kind, "three"));
    let text = document("a", &needs, &AccessRecorder::new());
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let declared = document["declared"].as_array().expect("a list");
    assert_eq!(declared.len(), 3);
    assert_eq!(declared[0]["reasons"], json!(["one", "two"]));
    let last = json!({
        "verb": "update", "group": "apps", "resource": "deployments/finalizers",
        "reasons": ["three"], "unseen": true,
    });
    assert_eq!(declared[2], last);
    assert_eq!(document["recorded"], json!([]));
}

#[test]
fn a_lease_is_made_by_anybody_and_written_by_its_name() {
    let needs = Need::to_lead("shop", "leader");
    let said: Vec<String> = needs.iter().map(|need| need.permission.to_string()).collect();
    let of = "leases.coordination.k8s.io";
    assert_eq!(
        said,
        [
            format!("create {of} in shop"),
            format!("get {of} leader in shop"),
            format!("update {of} leader in shop")
        ]
    );
}
