//! V1.5: values nested as deep as Go's decoder follows them, on a thread of 2 MiB.

use serde_json::json;
use watchkeeper_apiserver::admission::Review;

use crate::support::*;
use crate::v11_webhooks::*;

/// Where `spec.any` keeps whatever it is given.
const NAMED: &str = "/apis/example.com/v1/namespaces/default/foos/deep";

/// Runs a test on the stack that threads of a runtime have.
fn on_two_mebibytes<F: Future>(test: impl FnOnce() -> F + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let thread = thread.spawn(|| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(test());
    });
    thread.expect("a thread").join().expect("no panic");
}

/// `{"a":{"a":…}}` of so many levels.
fn nested(levels: usize) -> String {
    format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
}

fn deep_foo(levels: usize) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Foo","metadata":{{"name":"deep"}},
            "spec":{{"color":"red","any":{}}}}}"#,
        nested(levels)
    )
}

async fn with_foos() -> Client {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client
}

async fn sent(client: &Client, method: &str, path: &str, kind: &str, body: &str) -> u16 {
    client.send(method, path, kind, body.to_owned()).await.code
}

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";

#[test]
fn v1_5_nesting_is_followed_for_ten_thousand_levels() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let deepest = 10_000 - 2;
        let watch = client.watch(&format!("{FOOS}?watch=1")).await;
        let made = client.send("POST", FOOS, JSON, deep_foo(deepest)).await;
        assert_eq!(made.code, 201, "{:.300}", made.text);
        assert!(made.text.contains(&nested(deepest)));
        let refused = client.send("POST", FOOS, JSON, deep_foo(deepest + 1)).await;
        assert_eq!(refused.code, 400);
        let said = "json parse error: invalid character '{' exceeded max depth";
        assert!(refused.text.contains(said), "{:.300}", refused.text);
        assert!(client.get(NAMED).await.text.contains(&nested(deepest)));
        for accept in [
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
        ] {
            assert_eq!(client.get_as(FOOS, accept).await.code, 200);
        }
        assert_eq!(sent(&client, "PATCH", NAMED, MERGE, r#"{"spec":{"replicas":3}}"#).await, 200);
        assert_eq!(client.delete(NAMED).await.code, 200);
        assert_eq!(client.get(NAMED).await.code, 404);
        client.server.compact(client.server.revision());
        drop(watch);
    });
}

#[test]
fn v1_5_deep_values_go_through_apply_and_strategic_merge() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let path = format!("{NAMED}?fieldManager=tester");
        let apply = "application/apply-patch+yaml";
        let code = sent(&client, "PATCH", &path, apply, &deep_foo(1_500)).await;
        assert_eq!(code, 201);
        assert_eq!(sent(&client, "PATCH", &path, apply, &deep_foo(1_400)).await, 200);
        let change = format!(r#"{{"spec":{{"any":{}}}}}"#, nested(1_400).replace('1', "2"));
        assert_eq!(sent(&client, "PATCH", NAMED, MERGE, &change).await, 200);
        assert!(client.get(NAMED).await.text.contains(&nested(1_400).replace('1', "2")));
        client.config_map("a", "1").await;
        let unknown = format!(r#"{{"data":{{"b":"2"}},"unknown":{}}}"#, nested(9_000));
        let strategic = "application/strategic-merge-patch+json";
        let path = format!("{CONFIG_MAPS}/a");
        assert_eq!(sent(&client, "PATCH", &path, strategic, &unknown).await, 200);
        assert_eq!(sent(&client, "DELETE", &path, JSON, &nested(10_000)).await, 200);
    });
}

#[test]
fn v1_5_operations_of_a_json_patch_do_not_dig_deeper() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        assert_eq!(sent(&client, "POST", FOOS, JSON, &deep_foo(1)).await, 201);
        let json_patch = "application/json-patch+json";
        // Each pair of moves wraps the value once more.
        let dig = r#"{"op":"add","path":"/spec/any/b","value":{}},
            {"op":"move","from":"/spec/any/a","path":"/spec/any/b/a"},
            {"op":"move","from":"/spec/any/b","path":"/spec/any/a"}"#;
        let patch = format!("[{}]", vec![dig; 500].join(","));
        assert_eq!(sent(&client, "PATCH", NAMED, json_patch, &patch).await, 200);
        // Each copy into the deepest place doubles the depth.
        let mut place = "/spec/any".to_owned();
        let mut double = Vec::new();
        for _ in 0..12 {
            double.push(json!({"op": "copy", "from": "/spec/any", "path": format!("{place}/c")}));
            place.push_str("/c");
        }
        let patch = json!(double).to_string();
        let code = sent(&client, "PATCH", NAMED, json_patch, &patch).await;
        assert!(matches!(code, 200 | 422), "{code}");
        client.get(FOOS).await;
    });
}

#[test]
fn v1_5_yaml_is_not_followed_into_the_depths() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let yaml = "application/yaml";
        let bodies = [
            "[".repeat(100_000),
            "{a: ".repeat(100_000),
            "- ".repeat(100_000),
            (0..2_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect(),
            (0..500_usize).map(|n| format!("a{n}: &a{n} [[*a{}]]\n", n.max(1) - 1)).collect(),
        ];
        for body in bodies {
            let code = sent(&client, "POST", CONFIG_MAPS, yaml, &body).await;
            assert!(matches!(code, 400 | 422), "{code}: {body:.20}");
        }
        client.config_map("a", "1").await;
    });
}

#[test]
fn v1_5_wide_and_deep_bodies_hold_nobody_up() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let key = "k".repeat(10_000);
        let mut body = format!(r#"{{"{key}":"#).repeat(100);
        body.push('{');
        for n in 0..100_000 {
            body.push_str(&format!(r#""{n}":1,"#));
        }
        body.push_str(r#""x":1,"x":2}"#);
        body.push_str(&"}".repeat(100));
        // A path copied for each member would make a hundred gigabytes of this.
        let code = sent(&client, "POST", FOOS, JSON, &body).await;
        assert_eq!(code, 400, "no kind");
    });
}

/// What nests `spec.any` for 4096 levels with a handful of shallow operations: each copy into the
/// deepest place doubles the depth.
fn doubling() -> Vec<(String, String)> {
    let path = |levels: usize| format!("/spec/any{}", "/c".repeat(levels));
    (0..12).map(|power| (path(0), path(1 << power))).collect()
}

fn about_foos() -> serde_json::Value {
    json!([{
        "operations": ["CREATE"], "apiGroups": ["example.com"], "apiVersions": ["v1"],
        "resources": ["foos"],
    }])
}

async fn makes_foos_deep(client: &Client) {
    let made = client.send("POST", FOOS, JSON, deep_foo(1)).await;
    assert_eq!(made.code, 201, "{:.300}", made.text);
    assert!(client.get(NAMED).await.text.contains(&r#"{"c":"#.repeat(4_000)));
}

/// The second answer is shallow, and the first is carried out again with it.
#[test]
fn v1_5_what_webhooks_make_may_be_deep() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let mut patch = vec![json!({"op": "add", "path": "/spec/any", "value": {}})];
        patch.extend(
            doubling()
                .into_iter()
                .map(|(from, path)| json!({"op": "copy", "from": from, "path": path})),
        );
        let patch = json!(patch);
        answer(&client, "a", move |review| review.allow().patch(&patch));
        answer(&client, "b", Review::allow);
        let more = json!({"rules": about_foos(), "failurePolicy": "Ignore"});
        configure(&client, MUTATING, "a", &[hook("a", &more), hook("b", &more)]).await;
        makes_foos_deep(&client).await;
    });
}

#[test]
fn v1_5_what_policies_make_may_be_deep() {
    on_two_mebibytes(|| async {
        let client = with_foos().await;
        let copies = doubling().into_iter().map(|(from, path)| {
            format!(", JSONPatch{{op: 'copy', from: '{from}', path: '{path}'}}")
        });
        let copies: String = copies.collect();
        let expression =
            format!("[JSONPatch{{op: 'add', path: '/spec/any', value: {{}}}}{copies}]");
        let group = "/apis/admissionregistration.k8s.io/v1";
        let mutation = json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}});
        let body = json!({"metadata": {"name": "p"}, "spec": {
            "matchConstraints": {"resourceRules": about_foos()},
            "reinvocationPolicy": "Never", "mutations": [mutation],
        }});
        client.post(&format!("{group}/mutatingadmissionpolicies"), &body).await.expect(201);
        let body = json!({"metadata": {"name": "p"}, "spec": {"policyName": "p"}});
        client.post(&format!("{group}/mutatingadmissionpolicybindings"), &body).await.expect(201);
        makes_foos_deep(&client).await;
    });
}

/// A definition whose schema has so many levels of `a` below its root.
fn deep_definition(levels: usize) -> String {
    let mut definition = foo_crd();
    let versions = definition["spec"]["versions"].as_array_mut().expect("versions");
    versions.truncate(1);
    versions[0]["schema"]["openAPIV3Schema"] = json!("DEEP");
    for more in ["additionalPrinterColumns", "selectableFields", "subresources"] {
        versions[0].as_object_mut().expect("a version").remove(more);
    }
    let open = r#"{"type":"object","properties":{"a":"#.repeat(levels);
    let schema = format!(r#"{open}{{"type":"integer"}}{}"#, "}}".repeat(levels));
    definition.to_string().replace("\"DEEP\"", &schema)
}

/// Whoever walks a schema (to judge it, to default, prune and validate by it, to publish it) calls itself.
#[test]
fn v1_5_schemas_may_be_as_deep_as_a_body() {
    on_two_mebibytes(|| async {
        for levels in [1_000, 4_990] {
            let client = client();
            let made = client.send("POST", CRDS, JSON, deep_definition(levels)).await;
            assert_eq!(made.code, 201, "{:.300}", made.text);
            let object = |value: &str| {
                let head = r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"deep"},"a":"#;
                format!("{head}{}}}", nested(levels - 1).replace('1', value))
            };
            let refused = client.send("POST", FOOS, JSON, object("\"x\"")).await;
            assert_eq!(refused.code, 422, "{:.300}", refused.text);
            let made = client.send("POST", FOOS, JSON, object("1")).await;
            assert_eq!(made.code, 201, "{:.300}", made.text);
            assert!(made.text.contains(&nested(levels - 1)), "nothing is pruned");
            let openapi = client.get("/openapi/v3/apis/example.com/v1").await;
            assert_eq!(openapi.code, 200, "{:.300}", openapi.text);
            assert_eq!(client.delete(&format!("{CRDS}/foos.example.com")).await.code, 200);
            client.get(FOOS).await;
        }
    });
}
