//! V9: discovery, OpenAPI, health.

use serde_json::{Value, json};

use crate::support::*;

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

fn find<'a>(list: &'a Value, name: &str, value: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|one| one[name] == value)
}

#[tokio::test(start_paused = true)]
async fn v9_1_aggregated_discovery() {
    let client = client();
    let core = client.get_as("/api", AGGREGATED).await;
    assert_eq!(
        core.headers["content-type"],
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    );
    let core = core.expect(200);
    assert_eq!(core["kind"], "APIGroupDiscoveryList");
    let pods =
        find(&core["items"][0]["versions"][0]["resources"], "resource", "pods").expect("pods");
    assert_eq!(pods["shortNames"], json!(["po"]));
    assert_eq!(pods["categories"], json!(["all"]));
    assert!(find(&pods["subresources"], "subresource", "status").is_some());
    let groups = client.get_as("/apis", AGGREGATED).await;
    let tag = groups.headers["etag"].to_str().expect("text").to_owned();
    let headers = [("accept", AGGREGATED), ("if-none-match", &tag)];
    let same = client.try_send("GET", "/apis", &headers, String::new()).await.expect("an answer");
    assert_eq!((same.code, same.text.as_str()), (304, ""));
    assert!(find(&groups.json()["items"], "version", "x").is_none());
}

/// As the pinned release, which has it no longer.
#[tokio::test(start_paused = true)]
async fn v9_1_who_asks_for_the_older_aggregated_form_gets_the_legacy_one() {
    let client = client();
    let older = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
    for (path, kind) in [("/api", "APIVersions"), ("/apis", "APIGroupList")] {
        let answer = client.get_as(path, &format!("{older},application/json")).await;
        assert_eq!(answer.headers["content-type"], "application/json");
        assert_eq!(answer.expect(200)["kind"], kind);
    }
}

#[tokio::test(start_paused = true)]
async fn v9_1_legacy_discovery() {
    let client = client();
    assert_eq!(client.get("/api").await.expect(200)["versions"], json!(["v1"]));
    let groups = client.get("/apis").await.expect(200);
    let apps = find(&groups["groups"], "name", "apps").expect("apps");
    assert_eq!(apps["preferredVersion"]["groupVersion"], "apps/v1");
    assert_eq!(client.get("/apis/apps").await.expect(200)["kind"], "APIGroup");
    let resources = client.get("/apis/apps/v1").await.expect(200);
    let scale = find(&resources["resources"], "name", "deployments/scale").expect("scale");
    assert_eq!((&scale["group"], &scale["kind"]), (&json!("autoscaling"), &json!("Scale")));
    let deployments = find(&resources["resources"], "name", "deployments").expect("deployments");
    assert_eq!(deployments["storageVersionHash"], "8aSe+NMegvE=");
    assert!(scale.get("storageVersionHash").is_none());
    assert_eq!(client.get("/apis/nothing").await.code, 404);
    assert_eq!(client.get("/apis/apps/v9").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v9_2_documents_have_schemas_and_tags() {
    let client = client();
    let index = client.get("/openapi/v3").await.expect(200);
    let url = index["paths"]["apis/apps/v1"]["serverRelativeURL"].as_str().expect("a path");
    let document = client.get(url).await.expect(200);
    let schema = &document["components"]["schemas"]["io.k8s.api.apps.v1.Deployment"];
    assert_eq!(schema["x-kubernetes-group-version-kind"][0]["kind"], "Deployment");
    assert_eq!(client.get("/openapi/v3/apis/nothing/v1").await.code, 404);
    assert_eq!(client.get("/openapi/v1").await.code, 404);
}

const GNOSTIC: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

#[tokio::test(start_paused = true)]
async fn v9_2_old_clients_get_one_document_of_all() {
    let client = client();
    let answer = client.get("/openapi/v2").await;
    assert_eq!(answer.headers["content-type"], "application/json");
    let document = answer.expect(200);
    assert_eq!(document["swagger"], "2.0");
    let deployment = &document["definitions"]["io.k8s.api.apps.v1.Deployment"];
    assert_eq!(
        deployment["x-kubernetes-group-version-kind"],
        json!([{"group": "apps", "version": "v1", "kind": "Deployment"}])
    );
    let metadata = json!({"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"});
    assert_eq!(deployment["properties"]["metadata"], metadata);
    let patch = &document["paths"]["/api/v1/namespaces/{namespace}/pods/{name}"]["patch"];
    assert_eq!(patch["x-kubernetes-action"], "patch");
    assert_eq!(
        (&patch["parameters"][0]["name"], &patch["parameters"][0]["in"]),
        (&json!("body"), &json!("body"))
    );
    assert!(answer.text.split("\"#/definitions/").skip(1).all(|rest| {
        let name = rest.split('"').next().unwrap_or_default();
        !document["definitions"][name].is_null()
    }));
    assert!(!answer.text.contains("#/components/"));
}

#[tokio::test(start_paused = true)]
async fn v9_2_the_old_document_comes_as_the_client_likes_and_once() {
    let client = client();
    let both = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf,application/json;q=0.5";
    for (accept, media_type) in [("*/*", "application/json"), (both, GNOSTIC), (GNOSTIC, GNOSTIC)] {
        let head = [("accept", accept)];
        let answer =
            client.open("GET", "/openapi/v2", &head, String::new()).await.expect("an answer");
        assert_eq!(answer.headers()["content-type"], media_type, "{accept}");
        assert_eq!(answer.headers()["vary"], "Accept", "{accept}");
        let tag = answer.headers()["etag"].to_str().expect("text").to_owned();
        let again = [("accept", accept), ("if-none-match", &*tag)];
        let same = client.try_send("GET", "/openapi/v2", &again, String::new()).await;
        let same = same.expect("an answer");
        assert_eq!((same.code, same.text.as_str()), (304, ""), "{accept}");
    }
    assert_eq!(client.get_as("/openapi/v2", "text/html").await.code, 406);
}

#[tokio::test(start_paused = true)]
async fn v9_2_custom_resources_are_in_the_old_document_while_they_are_defined() {
    let client = client();
    let without = client.get("/openapi/v2").await;
    client.post(CRDS, &foo_crd()).await.expect(201);
    let with = client.get("/openapi/v2").await;
    assert_ne!(without.headers["etag"], with.headers["etag"]);
    let document = with.json();
    let foo = &document["definitions"]["com.example.v1.Foo"];
    let spec = &foo["properties"]["spec"]["properties"];
    assert_eq!(spec["replicas"], json!({"type": "integer", "maximum": 10}), "no default");
    assert_eq!(spec["any"], json!({"x-kubernetes-preserve-unknown-fields": true}));
    let kind = json!([{"group": "example.com", "version": "v1", "kind": "Foo"}]);
    assert_eq!(foo["x-kubernetes-group-version-kind"], kind);
    client.delete(&format!("{CRDS}/foos.example.com")).await.expect(200);
    let gone = client.get("/openapi/v2").await;
    assert_eq!(gone.headers["etag"], without.headers["etag"]);
    assert_eq!(gone.text, without.text);
}

#[tokio::test(start_paused = true)]
async fn v9_3_version_and_health() {
    let client = client();
    let version = client.get("/version").await.expect(200);
    assert_eq!((&version["major"], &version["minor"]), (&json!("1"), &json!("36")));
    for path in ["/healthz", "/livez", "/readyz", "/livez/ping"] {
        let answer = client.get(path).await;
        assert_eq!((answer.code, answer.text.as_str()), (200, "ok"), "{path}");
    }
    let verbose = client.get("/readyz?verbose").await;
    assert!(verbose.text.ends_with("readyz check passed\n"), "{}", verbose.text);
}

#[tokio::test(start_paused = true)]
async fn v9_4_a_definition_is_discovered_at_once() {
    let client = client();
    assert_eq!(client.get("/apis/example.com/v1").await.code, 404);
    client.post(CRDS, &foo_crd()).await.expect(201);
    let resources = client.get("/apis/example.com/v1").await.expect(200);
    let foos = find(&resources["resources"], "name", "foos").expect("foos");
    assert_eq!(foos["shortNames"], json!(["fo"]));
    assert!(find(&resources["resources"], "name", "foos/scale").is_some());
    let groups = client.get_as("/apis", AGGREGATED).await.expect(200);
    let names: Vec<&str> = groups["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|group| group["metadata"]["name"].as_str())
        .collect();
    assert_eq!(names.last(), Some(&"example.com"));
    let document = client.get("/openapi/v3/apis/example.com/v1").await.expect(200);
    assert!(document["components"]["schemas"].to_string().contains("\"Foo\""));
}

#[tokio::test(start_paused = true)]
async fn v9_2_documents_named_by_their_hash_may_be_kept() {
    let client = client();
    let index = client.get("/openapi/v3").await.expect(200);
    let url = index["paths"]["api/v1"]["serverRelativeURL"].as_str().expect("a path");
    assert!(url.contains("?hash="), "{url}");
    let named = client.get(url).await;
    let caching = named.headers["cache-control"].to_str().expect("text");
    assert!(caching.contains("immutable"), "{caching}");
    let plain = client.get("/openapi/v3/api/v1").await;
    assert_eq!(plain.text, named.text);
    let caching = plain.headers["cache-control"].to_str().expect("text");
    assert!(!caching.contains("immutable"), "{caching}");
    let stale = client.get("/openapi/v3/api/v1?hash=0").await;
    assert_eq!((stale.code, stale.headers["location"].to_str().expect("text")), (301, url));
}

#[tokio::test(start_paused = true)]
async fn v9_1_the_form_that_a_client_likes_first_is_the_one_it_gets() {
    let client = client();
    let aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let other = aggregated.replace("g=apidiscovery.k8s.io", "g=example.com");
    for (accept, kind) in [
        (format!("{aggregated},application/json"), "APIGroupDiscoveryList"),
        (format!("application/json,{aggregated}"), "APIGroupList"),
        (format!("application/json;q=0.5,{aggregated}"), "APIGroupDiscoveryList"),
        (format!("{aggregated};q=0.5,application/json"), "APIGroupList"),
        (format!("{other},application/json"), "APIGroupList"),
    ] {
        let answer = client.get_as("/apis", &accept).await.expect(200);
        assert_eq!(answer["kind"], kind, "{accept}");
    }
    let stale = [("accept", AGGREGATED), ("if-none-match", "\"0\"")];
    let answer = client.try_send("GET", "/apis", &stale, String::new()).await.expect("an answer");
    assert_eq!(answer.expect(200)["kind"], "APIGroupDiscoveryList");
}

#[tokio::test(start_paused = true)]
async fn v9_1_groups_and_versions_are_only_read() {
    let client = client();
    for path in ["/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1", "/version"] {
        assert_eq!(client.post(path, &json!({})).await.code, 405, "{path}");
        assert_eq!(client.get(path).await.code, 200, "{path}");
    }
    for path in ["/apis/nothing", "/apis/nothing/v1"] {
        assert_eq!(client.get(path).await.text, "404 page not found\n", "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v9_3_single_checks_are_known_by_their_names() {
    let client = client();
    for (path, code) in [
        ("/livez/ping", 200),
        ("/livez/etcd", 200),
        ("/readyz/log", 200),
        ("/livez/nothing", 404),
        ("/healthz/ping/more", 404),
    ] {
        assert_eq!(client.get(path).await.code, code, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v9_1_the_root_names_all_paths() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    let root = client.get("/").await.expect(200);
    let paths: Vec<&str> =
        root["paths"].as_array().expect("paths").iter().filter_map(Value::as_str).collect();
    assert!(paths.is_sorted(), "{paths:?}");
    let of = |part: &str| -> Vec<&str> {
        paths.iter().copied().filter(|path| path.starts_with(part)).collect()
    };
    assert_eq!(of("/api/"), ["/api/v1"]);
    assert_eq!(of("/apis/example.com"), ["/apis/example.com", "/apis/example.com/v1"]);
    assert_eq!(of("/apis/apps"), ["/apis/apps", "/apis/apps/v1"]);
    assert!(paths.iter().all(|path| !path.ends_with('/') && !path.contains("//")), "{paths:?}");
    let others = ["/api", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3"];
    assert!(others.iter().chain(&["/readyz", "/version"]).all(|path| paths.contains(path)));
}

#[tokio::test(start_paused = true)]
async fn v9_1_the_aggregated_form_is_for_who_asks_for_it_by_all_its_names() {
    let client = client();
    let (aggregated, legacy) = ("APIGroupDiscoveryList", "APIGroupList");
    let of = |group: &str, version: &str, kind: &str| {
        format!("application/json;g={group};v={version};as={kind}")
    };
    let names = of("apidiscovery.k8s.io", "v2", aggregated);
    for (accept, kind) in [
        (names.clone(), aggregated),
        (format!("text/plain,{names}"), aggregated),
        (format!("application/json,{names};q=0.5"), legacy),
        (format!("{},application/json", of("other.k8s.io", "v2", aggregated)), legacy),
        (format!("{},application/json", of("apidiscovery.k8s.io", "v3", aggregated)), legacy),
        (format!("{},application/json", of("apidiscovery.k8s.io", "v2", "Other")), legacy),
    ] {
        let answer = client.get_as("/apis", &accept).await;
        assert_eq!(answer.expect(200)["kind"], kind, "{accept}");
    }
}

#[tokio::test(start_paused = true)]
async fn v9_1_a_kind_of_its_list_goes_without_group_and_version() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    let groups = client.get_as("/apis", AGGREGATED).await.expect(200);
    let resource = |group: &str, plural: &str| {
        let items = groups["items"].as_array().expect("groups");
        let of = items.iter().find(|item| item["metadata"]["name"] == group).expect("a group");
        find(&of["versions"][0]["resources"], "resource", plural).expect("a resource").clone()
    };
    let kind = |of: &Value| {
        let text = |name: &str| of["responseKind"][name].as_str().expect("a text").to_owned();
        [text("group"), text("version"), text("kind")].join("/")
    };
    let deployments = resource("apps", "deployments");
    assert_eq!(kind(&deployments), "//Deployment");
    assert_eq!(deployments["scope"], "Namespaced");
    let sub = |name: &str| find(&deployments["subresources"], "subresource", name).expect("it");
    assert_eq!(kind(sub("scale")), "autoscaling/v1/Scale");
    assert_eq!(kind(sub("status")), "//Deployment");
    assert_eq!(kind(&resource("example.com", "foos")), "example.com/v1/Foo");
    let classes = resource("storage.k8s.io", "storageclasses");
    assert_eq!((&classes["scope"], classes.get("categories")), (&json!("Cluster"), None));
    assert!(classes.get("subresources").is_none());
}
