//! V1: bodies and URLs that are made to take long. Each is as large as a body may be, or some tenth of it, and
//! is answered: work that grew faster than the body would hold this test up, and everybody else.

use serde_json::{Value, json};

use crate::support::*;

const JSON: &str = "application/json";
/// A third of what a body may have.
const LARGE: usize = 1024 * 1024;

/// As many items as fit into a body, with commas between them.
fn filled(item: impl Fn(usize) -> String, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 64);
    for number in 0.. {
        let item = item(number);
        if text.len() + item.len() + 1 > bytes {
            break;
        }
        if number > 0 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text
}

/// `foos.example.com` whose `spec` is of this schema.
async fn with_spec(schema: &Value) -> Client {
    let client = client();
    let answer = define(&client, schema).await;
    assert_eq!(answer.code, 201, "{:.500}", answer.text);
    client
}

/// `foos.example.com` whose `spec` is of this schema, if the server takes it.
pub(crate) async fn define(client: &Client, schema: &Value) -> Answer {
    let mut definition = foo_crd();
    let version = &mut definition["spec"]["versions"][0];
    for more in ["selectableFields", "additionalPrinterColumns", "subresources"] {
        version.as_object_mut().expect("a version").remove(more);
    }
    version["schema"]["openAPIV3Schema"] =
        json!({"type": "object", "properties": {"spec": schema}});
    client.post(CRDS, &definition).await
}

fn foo_with(spec: &str) -> String {
    let head = r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"bomb"},"spec":"#;
    format!("{head}{spec}}}")
}

async fn made(client: &Client, spec: &str) -> Answer {
    client.send("POST", FOOS, JSON, foo_with(spec)).await
}

fn list_of(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

/// Whoever comes next is served.
async fn goes_on(client: &Client) {
    client.config_map("after", "1").await;
}

const TOO_LONG: &str = "validating this value by its schema takes too long";

#[tokio::test(start_paused = true)]
async fn v1_a_pattern_that_repeats_itself_is_matched_within_bounds() {
    let pattern = "^((a?){20}){50}a{1000}$";
    let client = with_spec(&json!({"type": "string", "pattern": pattern})).await;
    let refused = made(&client, &json!("a".repeat(LARGE)).to_string()).await;
    assert_eq!(refused.code, 422);
    assert!(refused.text.contains(TOO_LONG), "{:.300}", refused.text);
    for pattern in ["^(a+)+$", "^(a|aa)*$", "(x+x+)+y"] {
        let client = with_spec(&json!({"type": "string", "pattern": pattern})).await;
        let answer = made(&client, &json!(format!("{}!", "a".repeat(100_000))).to_string()).await;
        assert_eq!(answer.code, 422, "{pattern}");
        assert!(!answer.text.contains(TOO_LONG), "it is matched: {pattern}");
    }
    goes_on(&client).await;
}

#[tokio::test(start_paused = true)]
async fn v1_thousands_of_large_patterns_are_compiled_within_bounds() {
    let mut properties = serde_json::Map::new();
    for number in 0..20_000 {
        let pattern = format!(r"^((\pL\pL\pL\pL\pL\pL\pL\pL\pL){{30}}){{30}}{number}$");
        properties.insert(format!("f{number}"), json!({"type": "string", "pattern": pattern}));
    }
    let client = with_spec(&json!({"type": "object", "properties": properties})).await;
    let spec = filled(|number| format!(r#""f{number}":"a""#), 300_000);
    let refused = made(&client, &format!("{{{spec}}}")).await;
    assert_eq!(refused.code, 422);
    assert!(refused.text.contains(TOO_LONG), "{:.300}", refused.text);
    goes_on(&client).await;
}

#[tokio::test(start_paused = true)]
async fn v1_long_lists_by_long_enumerations_are_compared_within_bounds() {
    let allowed: Vec<String> = (0..100_000).map(|number| format!("v{number}")).collect();
    let client = with_spec(&list_of(&json!({"type": "string", "enum": allowed}))).await;
    for item in ["v99999", "none"] {
        let list = filled(|_| format!("\"{item}\""), LARGE);
        let refused = made(&client, &format!("[{list}]")).await;
        assert_eq!(refused.code, 422);
        assert!(refused.text.contains(TOO_LONG), "{:.300}", refused.text);
    }
    goes_on(&client).await;
}

#[tokio::test(start_paused = true)]
async fn v1_long_lists_by_many_alternatives_are_judged_within_bounds() {
    let alternatives: Vec<Value> =
        (0..5_000).map(|number| json!({"minimum": 1_000_000 + number})).collect();
    for kind in ["anyOf", "oneOf", "allOf"] {
        let client = with_spec(&list_of(&json!({"type": "integer", kind: alternatives}))).await;
        let refused = made(&client, &format!("[{}]", filled(|_| "1".to_owned(), LARGE))).await;
        assert_eq!(refused.code, 422);
        assert!(refused.text.contains(TOO_LONG), "{:.300}", refused.text);
    }
}

/// Each of them is told, unless they are more than anybody reads.
#[tokio::test(start_paused = true)]
async fn v1_thousands_of_mistakes_are_told_and_no_more() {
    let client = with_spec(&list_of(&json!({"type": "string"}))).await;
    let refused = made(&client, &format!("[{}]", filled(|_| "1".to_owned(), 10_000))).await;
    assert_eq!(refused.code, 422);
    assert!(refused.text.contains("spec[4999]"), "{:.300}", refused.text);
    let refused = made(&client, &format!("[{}]", filled(|_| "1".to_owned(), LARGE))).await;
    assert_eq!(refused.code, 422);
    assert!(refused.text.contains(TOO_LONG), "{:.300}", refused.text);
    goes_on(&client).await;
}

#[tokio::test(start_paused = true)]
async fn v1_defaults_are_not_multiplied_without_end() {
    let large = "d".repeat(1_000_000);
    let item = json!({"type": "object", "properties": {"x": {"type": "string", "default": large}}});
    let client = with_spec(&list_of(&item)).await;
    let refused = made(&client, &format!("[{}]", filled(|_| "{}".to_owned(), LARGE))).await;
    assert_eq!(refused.line(), "500 : etcdserver: request is too large");
    let made = made(&client, "[{},{}]").await;
    assert_eq!(made.code, 201, "{:.300}", made.text);
}

/// A schema changes, and what is stored would grow beyond all bounds when it is read.
#[tokio::test(start_paused = true)]
async fn v1_defaults_of_a_newer_schema_are_not_multiplied_without_end() {
    let item = |of: Value| list_of(&json!({"type": "object", "properties": {"x": of}}));
    let client = with_spec(&item(json!({"type": "string"}))).await;
    let stored = made(&client, &format!("[{}]", filled(|_| "{}".to_owned(), 300_000))).await;
    assert_eq!(stored.code, 201, "{:.300}", stored.text);
    let change = json!([{"op": "add", "value": "d".repeat(1_000_000), "path":
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/items/properties/x/default"}]);
    let path = format!("{CRDS}/foos.example.com");
    assert_eq!(client.patch("json", &path, &change).await.code, 200);
    let read = client.get(&format!("{FOOS}/bomb")).await;
    assert_eq!(read.code, 200);
    assert!(read.text.len() < 40_000_000, "{}", read.text.len());
}

#[tokio::test(start_paused = true)]
async fn v1_what_is_wide_where_it_is_deep_is_refused() {
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let client = with_spec(&open).await;
    let wide = filled(|number| format!("\"m{number}\":1"), 2_000_000);
    let deep = format!("{}{{{wide}}}{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let refused = made(&client, &deep).await;
    assert_eq!(refused.code, 400);
    assert!(refused.text.contains("too wide where it is nested deep"), "{:.300}", refused.text);
    // The same in a patch, and with a name of a megabyte instead of thousands of levels.
    assert_eq!(made(&client, "{}").await.code, 201);
    let name = "n".repeat(1_000_000);
    let path = format!("{FOOS}/bomb");
    let body = format!(r#"{{"spec":{{"{name}":{{{wide}}}}}}}"#);
    let refused = client.send("PATCH", &path, "application/merge-patch+json", body.clone()).await;
    assert_eq!(refused.code, 400);
    let apply = format!("{path}?fieldManager=me");
    let body = format!(r#"{{"apiVersion":"example.com/v1","kind":"Foo",{}"#, &body[1..]);
    let refused = client.send("PATCH", &apply, "application/apply-patch+yaml", body).await;
    assert_eq!(refused.code, 400);
    // Each half is small; together they are not.
    let deep = format!(r#"{{"spec":{}{{}}{}}}"#, r#"{"a":"#.repeat(3_000), "}".repeat(3_000));
    let merge = "application/merge-patch+json";
    assert_eq!(client.send("PATCH", &path, merge, deep).await.code, 200);
    let place = format!("/spec{}", "/a".repeat(3_000));
    let patch = format!(r#"[{{"op":"add","path":"{place}/w","value":{{{wide}}}}}]"#);
    let refused = client.send("PATCH", &path, "application/json-patch+json", patch).await;
    assert_eq!(refused.code, 400, "{:.300}", refused.text);
    goes_on(&client).await;
}

#[tokio::test(start_paused = true)]
async fn v1_json_patches_do_not_push_long_lists_around_for_ever() {
    let client = with_spec(&list_of(&json!({"type": "integer"}))).await;
    let list = format!("[{}]", filled(|_| "1".to_owned(), LARGE / 10));
    assert_eq!(made(&client, &list).await.code, 201);
    let path = format!("{FOOS}/bomb");
    for operation in [
        json!({"op": "add", "path": "/spec/0", "value": 1}),
        json!({"op": "remove", "path": "/spec/0"}),
        json!({"op": "move", "from": "/spec/0", "path": "/spec/-"}),
    ] {
        let patch = json!(vec![operation; 10_000]);
        assert_eq!(client.patch("json", &path, &patch).await.code, 422);
    }
    let few = json!(vec![json!({"op": "remove", "path": "/spec/0"}); 20]);
    assert_eq!(client.patch("json", &path, &few).await.code, 200);
}

/// What one patch adds is bounded; what many of them add is, too.
#[tokio::test(start_paused = true)]
async fn v1_an_object_does_not_grow_without_end() {
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let client = with_spec(&open).await;
    let large = json!({"value": "x".repeat(1_000_000)}).to_string();
    assert_eq!(made(&client, &large).await.code, 201);
    let path = format!("{FOOS}/bomb");
    let mut codes = Vec::new();
    for number in 0..12 {
        let copy =
            json!([{"op": "copy", "from": "/spec/value", "path": format!("/spec/v{number}")}]);
        codes.push(client.patch("json", &path, &copy).await.code);
    }
    assert_eq!(codes.last(), Some(&500), "{codes:?}");
    assert!(client.get(&path).await.text.len() < 10_000_000);
}

#[tokio::test(start_paused = true)]
async fn v1_long_lists_are_merged_strategically() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 1)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/web");
    let variables = |value: &str| {
        let list = filled(|n| format!(r#"{{"name":"V{n}","value":"{value}"}}"#), 600_000);
        format!(
            r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"name":"main","env":[{list}]}}]}}}}}}}}"#
        )
    };
    let strategic = "application/strategic-merge-patch+json";
    for value in ["a", "b"] {
        let patched = client.send("PATCH", &path, strategic, variables(value)).await;
        assert_eq!(patched.code, 200, "{:.300}", patched.text);
    }
    let names = filled(|n| format!(r#"{{"name":"V{n}"}}"#), LARGE / 4);
    let order = format!(
        r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"name":"main","$setElementOrder/env":[{names}]}}]}}}}}}}}"#
    );
    let ordered = client.send("PATCH", &path, strategic, order).await;
    assert_eq!(ordered.code, 200, "{:.300}", ordered.text);
    let list = filled(|n| format!("\"example.com/f{n}\""), LARGE / 4);
    client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a");
    let body = format!(r#"{{"metadata":{{"finalizers":[{list}]}}}}"#);
    assert_eq!(client.send("PATCH", &path, strategic, body).await.code, 200);
    let body = format!(r#"{{"metadata":{{"$deleteFromPrimitiveList/finalizers":[{list}]}}}}"#);
    assert_eq!(client.send("PATCH", &path, strategic, body).await.code, 200);
    let keys = filled(|n| format!("\"k{n}\""), 400_000);
    let values = filled(|n| format!("\"k{n}\":\"v\""), 300_000);
    let body = format!(r#"{{"data":{{"$retainKeys":[{keys}],{values}}}}}"#);
    assert_eq!(client.send("PATCH", &path, strategic, body).await.code, 200);
}
