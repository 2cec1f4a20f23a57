//! Discovery that remembers, and names that become resources, on the embedded server.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::{Kind, Unstructured, json};
use watchkeeper_client::{Asked, Client, CreateOptions, DeleteOptions, NoticeHandler, Warning};

use crate::failure;
use crate::fake::{Fake, ok, status};
use crate::live::live;

async fn install(client: &Client) {
    let crd = r#"{
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "foos.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "plural": "foos", "singular": "foo", "kind": "Foo", "shortNames": ["fo"], "categories": ["all"] },
            "versions": [{ "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": { "type": "object" } } }]
        }
    }"#;
    let crd: CustomResourceDefinition = json::from_str(crd).unwrap();
    client.api().create(&crd, &CreateOptions::default()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(10)).await;
}

#[tokio::test(start_paused = true)]
async fn a_crd_installed_a_moment_ago_is_found() {
    let live = live();
    let mapper = live.client.mapper();
    mapper.resource("pods").await.unwrap();
    let error = mapper.resource("foos").await.unwrap_err();
    assert!(error.is_not_found(), "{error}");
    install(&live.client).await;
    live.asked();
    for name in ["foos", "fo", "Foo", "foos.example.com", "foos.v1.example.com"] {
        let found = mapper.resource(name).await.unwrap();
        assert_eq!(found.kind.path(Some("a"), None), "/apis/example.com/v1/namespaces/a/foos");
        assert_eq!(found.part("status").unwrap().kind, "Foo");
    }
    assert_eq!(live.asked(), ["GET /api", "GET /apis"], "read anew once, then from memory");
    let foo: Unstructured =
        json::from_str(r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"}}"#)
            .unwrap();
    let kind = mapper.kind_of(&foo).await.unwrap();
    let foos = live.client.dynamic(kind).namespace("default");
    foos.create(&foo, &CreateOptions::default()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_was_removed_is_known_until_reset() {
    let live = live();
    install(&live.client).await;
    let mapper = live.client.mapper();
    mapper.resource("foos").await.unwrap();
    let crds = live.client.api::<CustomResourceDefinition>();
    crds.delete("foos.example.com", &DeleteOptions::default()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    mapper.resource("foos").await.unwrap();
    mapper.reset();
    assert!(mapper.resource("foos").await.unwrap_err().is_not_found());
}

/// What was told of short names.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl NoticeHandler for Heard {
    fn warning(&self, _: &Asked<'_>, _: &Warning) {}

    fn ambiguous(&self, name: &str, taken: &Kind, others: &[&Kind]) {
        let others: Vec<_> = others.iter().map(|kind| kind.group_resource()).collect();
        let told = format!("{name}: {} or {}", taken.group_resource(), others.join(" "));
        self.0.lock().unwrap().push(told);
    }
}

#[tokio::test(start_paused = true)]
async fn a_short_name_that_could_be_another_is_told_and_a_full_name_wins() {
    let resource = |plural: &str, kind: &str, short: &str| {
        format!(
            r#"{{"resource":"{plural}","singularResource":"","scope":"Namespaced","verbs":["get"],
            "responseKind":{{"group":"","version":"","kind":"{kind}"}},"shortNames":["{short}"]}}"#
        )
    };
    let group = |name: &str, versions: &[&str], resources: &str| {
        let versions: Vec<_> = versions
            .iter()
            .map(|of| {
                format!(r#"{{"version":"{of}","freshness":"Current","resources":[{resources}]}}"#)
            })
            .collect();
        let versions = versions.join(",");
        format!(r#"{{"metadata":{{"name":"{name}"}},"versions":[{versions}]}}"#)
    };
    let groups = [
        group("one.io", &["v1", "v1beta1"], &resource("kettles", "Kettle", "ke")),
        group(
            "two.io",
            &["v1"],
            &[resource("kennels", "Kennel", "ke"), resource("ps", "P", "pl")].join(","),
        ),
        group(
            "zoo.io",
            &["v1"],
            &[resource("kegs", "Keg", "ps"), resource("pl", "Pl", "x")].join(","),
        ),
    ];
    let answer = format!(r#"{{"kind":"APIGroupDiscoveryList","items":[{}]}}"#, groups.join(","));
    let core = r#"{"kind":"APIGroupDiscoveryList","items":[]}"#;
    let fake = Fake::new([ok(core), ok(&answer)]);
    let heard = Arc::new(Heard::default());
    let mapper = fake.client().notices(Arc::clone(&heard) as _).mapper();
    for (name, plural) in [
        ("ke", "kettles"),
        ("ke.two.io", "kennels"),
        ("kettles", "kettles"),
        ("ps", "ps"),
        ("pl", "pl"),
        ("x", "pl"),
    ] {
        assert_eq!(mapper.resource(name).await.unwrap().kind.plural, plural, "{name}");
    }
    assert_eq!(*heard.0.lock().unwrap(), ["ke: kettles.one.io or kennels.two.io"]);
}

/// The core group has names in common with others, too, and the client that remembers nothing knows of them.
#[tokio::test(start_paused = true)]
async fn a_short_name_of_the_core_is_compared_with_all_others() {
    let document = |group: &str, plural: &str, short: &str| {
        ok(&format!(
            r#"{{"kind":"APIGroupDiscoveryList","items":[{{"metadata":{{"name":"{group}"}},"versions":[
            {{"version":"v1","freshness":"Current","resources":[{{"resource":"{plural}",
            "singularResource":"","scope":"Namespaced","verbs":["get"],
            "responseKind":{{"group":"","version":"","kind":"K"}},"shortNames":["{short}"]}}]}}]}}]}}"#
        ))
    };
    let heard = Arc::new(Heard::default());
    for (name, other, found) in [("ev", "happenings", "events"), ("ev", "ev", "ev.two.io")] {
        let fake = Fake::new([document("", "events", "ev"), document("two.io", other, "ev")]);
        let client = fake.client().notices(Arc::clone(&heard) as _);
        assert_eq!(client.resolve(name).await.unwrap().group_resource(), found);
    }
    assert_eq!(*heard.0.lock().unwrap(), ["ev: events or happenings.two.io"]);
}

#[tokio::test(start_paused = true)]
async fn built_in_names_are_found_by_every_way() {
    let mapper = live().client.mapper();
    let path = |kind: Kind| kind.path(None, None);
    assert_eq!(path(mapper.resource("po").await.unwrap().kind), "/api/v1/pods");
    assert_eq!(
        path(mapper.kind("apps/v1", "Deployment").await.unwrap()),
        "/apis/apps/v1/deployments"
    );
    let scalers = mapper.preferred("autoscaling", "HorizontalPodAutoscaler").await.unwrap();
    assert_eq!(path(scalers), "/apis/autoscaling/v2/horizontalpodautoscalers");
    let scalers = mapper.plural("autoscaling/v1", "horizontalpodautoscalers").await.unwrap();
    assert_eq!(path(scalers.kind), "/apis/autoscaling/v1/horizontalpodautoscalers");
    let deployments = mapper.plural("apps/v1", "deployments").await.unwrap();
    let scale = deployments.part("scale").unwrap();
    assert_eq!(format!("{} {}", scale.api_version, scale.kind), "autoscaling/v1 Scale");
}

#[tokio::test(start_paused = true)]
async fn categories_and_preferred_versions() {
    let live = live();
    let discovery = live.client.discovery_client();
    let catalog = discovery.catalog().await.unwrap();
    let all: Vec<_> = catalog.category("all").iter().map(|r| r.kind.group_resource()).collect();
    for name in ["pods", "services", "deployments.apps", "jobs.batch"] {
        assert!(all.contains(&name.to_owned()), "{all:?}");
    }
    let preferred = catalog.preferred();
    let scalers = preferred.iter().filter(|r| r.kind.kind == "HorizontalPodAutoscaler");
    assert_eq!(scalers.map(|r| &*r.kind.version).collect::<Vec<_>>(), ["v2"]);
    assert!(catalog.failed.is_empty());
    assert!(catalog.has_version("apps/v1") && !catalog.has_version("apps/v1beta1"));
    let version = discovery.server_version().await.unwrap();
    assert_eq!(version.major, "1");
}

#[tokio::test(start_paused = true)]
async fn what_is_read_is_kept_until_invalidated() {
    let live = live();
    let discovery = live.client.discovery_client();
    for _ in 0..3 {
        discovery.clone().catalog().await.unwrap();
    }
    assert_eq!(live.asked().len(), 2);
    discovery.invalidate();
    assert!(discovery.kept().is_none());
    discovery.catalog().await.unwrap();
    assert_eq!(live.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_is_incomplete_is_told_and_asked_for_again() {
    let groups = r#"{"kind":"APIGroupList","groups":[
        {"name":"apps","versions":[{"groupVersion":"apps/v1"}]},
        {"name":"broken.io","versions":[{"groupVersion":"broken.io/v1"}]}]}"#;
    let away = || status(503, &failure(503, "ServiceUnavailable", "away"));
    let list = |plural: &str, kind: &str| {
        ok(&format!(
            r#"{{"kind":"APIResourceList","resources":[{{"name":"{plural}","kind":"{kind}"}}]}}"#
        ))
    };
    let fake = Fake::new([
        status(404, &failure(404, "NotFound", "no core group here")),
        ok(groups),
        list("deployments", "Deployment"),
        away(),
        away(),
        list("cups", "Cup"),
    ]);
    let mapper = fake.client().mapper();
    let discovery = mapper.discovery();
    let catalog = discovery.catalog().await.unwrap();
    assert_eq!(catalog.failed[0].api_version, "broken.io/v1");
    assert!(catalog.failed[0].why.ends_with("away"));
    for _ in 0..100 {
        mapper.kind("apps/v1", "Deployment").await.unwrap();
        discovery.catalog().await.unwrap();
        let error = mapper.kind("broken.io/v1", "Cup").await.unwrap_err().to_string();
        assert!(
            error.contains("broken.io/v1 could not be read") && error.contains("away"),
            "{error}"
        );
    }
    let first = ["GET /api", "GET /apis", "GET /apis/apps/v1", "GET /apis/broken.io/v1"];
    assert_eq!(fake.asked(), first, "all the rest is kept");
    for found in [false, true] {
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        assert_eq!(mapper.kind("broken.io/v1", "Cup").await.is_ok(), found);
        assert_eq!(discovery.catalog().await.unwrap().failed.is_empty(), found);
    }
    let again = ["GET /apis/broken.io/v1"; 2];
    assert_eq!(fake.asked(), again, "only what failed is asked for");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_told_with_what_is() {
    let mapper = live().client.mapper();
    let mut told = Vec::new();
    for (api_version, plural) in
        [("apps/v1", "deploymens"), ("apps/v2", "deployments"), ("example.com/v1", "foos")]
    {
        told.push(mapper.plural(api_version, plural).await.unwrap_err().to_string());
    }
    told.push(mapper.kind("policy/v1", "Disruption").await.unwrap_err().to_string());
    expect![[r#"
        resolve kinds: the server has no resource "deploymens of apps/v1"; apps/v1 has controllerrevisions, daemonsets, deployments, replicasets, statefulsets
        resolve kinds: the server has no resource "deployments of apps/v2"; the server has apps/v1
        resolve kinds: the server has no resource "foos of example.com/v1"; is its CRD installed?
        resolve kinds: the server has no resource "Disruption of policy/v1"; policy/v1 has poddisruptionbudgets"#]]
    .assert_eq(&told.join("\n"));
}
