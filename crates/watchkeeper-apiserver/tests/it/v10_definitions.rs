//! V10: custom resource definitions.

use serde_json::{Value, json};

use crate::support::*;

async fn with_foos() -> Client {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client
}

fn conditions(crd: &Value) -> Vec<String> {
    let list = crd["status"]["conditions"].as_array().expect("conditions");
    let text = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    list.iter()
        .map(|one| format!("{}={} {}", text(one, "type"), text(one, "status"), text(one, "reason")))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn v10_1_names_are_accepted_and_the_definition_is_established() {
    let client = with_foos().await;
    let crd = client.get(&format!("{CRDS}/foos.example.com")).await.expect(200);
    assert_eq!(
        conditions(&crd),
        ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]
    );
    assert_eq!(crd["status"]["storedVersions"], json!(["v1"]));
    assert_eq!(crd["status"]["acceptedNames"]["listKind"], "FooList");
    assert_eq!(crd["spec"]["names"]["singular"], "foo");
}

#[tokio::test(start_paused = true)]
async fn v10_1_names_that_are_taken_are_not_served() {
    let client = with_foos().await;
    let mut other = foo_crd();
    other["metadata"]["name"] = "others.example.com".into();
    other["spec"]["names"] =
        json!({"kind": "Foo", "plural": "others", "singular": "other", "listKind": "OtherList"});
    client.post(CRDS, &other).await.expect(201);
    let crd = client.get(&format!("{CRDS}/others.example.com")).await.expect(200);
    assert_eq!(
        conditions(&crd),
        ["NamesAccepted=False KindConflict", "Established=False NotAccepted"]
    );
    // Whoever serves definitions knows nothing of it, other than of what is missing in a built-in group.
    let missing = client.get("/apis/example.com/v1/others").await;
    assert_eq!((missing.code, &*missing.text), (404, "404 page not found\n"));
    let missing = client.get("/apis/apps/v1/others").await;
    assert_eq!(missing.line(), "404 NotFound: the server could not find the requested resource");
}

#[tokio::test(start_paused = true)]
async fn v10_1_instances_go_with_their_definition() {
    let client = with_foos().await;
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let mut held = foo("b", "red");
    held["metadata"]["finalizers"] = json!(["example.com/x"]);
    client.post(FOOS, &held).await.expect(201);
    let mut watch = client.watch(&format!("{FOOS}?watch=1")).await;
    let going = client.delete(&format!("{CRDS}/foos.example.com")).await.expect(200);
    assert_eq!(
        going["metadata"]["finalizers"],
        json!(["customresourcecleanup.apiextensions.k8s.io"])
    );
    assert!(conditions(&going).contains(&"Terminating=True InstanceDeletionPending".to_owned()));
    assert_eq!(names(&client.get(FOOS).await.expect(200)), ["b"]);
    assert_eq!(
        client.post(FOOS, &foo("c", "red")).await.line(),
        "405 MethodNotAllowed: create not allowed while custom resource definition is terminating"
    );
    client
        .merge(&format!("{FOOS}/b"), &json!({"metadata": {"finalizers": null}}))
        .await
        .expect(200);
    assert_eq!(client.get(&format!("{CRDS}/foos.example.com")).await.code, 404);
    assert_eq!(client.get(FOOS).await.code, 404);
    let last = watch.ready();
    assert!(last.last().is_some_and(|line| line.starts_with("DELETED b@")), "{last:?}");
    assert!(watch.ended);
    client.post(CRDS, &foo_crd()).await.expect(201);
    assert_eq!(names(&client.get(FOOS).await.expect(200)), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn v10_2_objects_are_pruned_defaulted_and_judged_by_their_schema() {
    let client = with_foos().await;
    let mut body = foo("a", "red");
    body["spec"]["extra"] = 1.into();
    body["spec"]["any"] = json!({"kept": {"deep": true}});
    body["status"] = json!({"replicas": 9});
    let made = client.post(FOOS, &body).await.expect(201);
    assert_eq!(
        made["spec"],
        json!({"color": "red", "replicas": 1, "any": {"kept": {"deep": true}}})
    );
    assert_eq!(made.get("status"), None);
    let path = format!("{FOOS}/a");
    let green = client.merge(&path, &json!({"spec": {"color": "green", "replicas": 20}})).await;
    assert_eq!(
        green.line(),
        "422 Invalid: Foo.example.com \"a\" is invalid: [spec.color: Unsupported value: \"green\": supported values: \"red\", \"blue\", spec.replicas: Invalid value: 20: spec.replicas in body should be less than or equal to 10]"
    );
    let missing = json!({"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "b"}, "spec": {}});
    assert_eq!(
        client.post(FOOS, &missing).await.line(),
        "422 Invalid: Foo.example.com \"b\" is invalid: spec.color: Required value"
    );
    let strict = client.post(&format!("{FOOS}?fieldValidation=Strict"), &body).await;
    assert_eq!(
        strict.line(),
        "400 BadRequest: Foo in version \"v1\" cannot be handled as a Foo: strict decoding error: unknown field \"spec.extra\""
    );
}

#[tokio::test(start_paused = true)]
async fn v10_2_what_was_invalid_before_does_not_stop_an_update() {
    let client = with_foos().await;
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let crd = format!("{CRDS}/foos.example.com");
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color/enum";
    let narrow = json!([{"op": "replace", "path": pointer, "value": ["blue"]}]);
    client.patch("json", &crd, &narrow).await.expect(200);
    let path = format!("{FOOS}/a");
    client.merge(&path, &json!({"spec": {"replicas": 2}})).await.expect(200);
    assert_eq!(client.post(FOOS, &foo("b", "red")).await.code, 422);
}

const SPEC: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";

/// Changes the schema of `spec`.
async fn change_spec(client: &Client, op: &str, name: &str, value: Value) {
    let change = json!([{"op": op, "path": format!("{SPEC}/{name}"), "value": value}]);
    client.patch("json", &format!("{CRDS}/foos.example.com"), &change).await.expect(200);
}

fn size(default: &str) -> Value {
    json!({"type": "string", "default": default})
}

#[tokio::test(start_paused = true)]
async fn v10_2_defaults_of_later_are_filled_in_on_reads() {
    let client = with_foos().await;
    let before = client.get(FOOS).await.expect(200)["metadata"]["resourceVersion"].clone();
    let made = client.post(FOOS, &foo("a", "red")).await.expect(201);
    let page = client.get(&format!("{FOOS}?limit=1")).await.expect(200);
    let mut live = client.watch(&format!("{FOOS}?watch=1")).await;
    assert_eq!(live.ready().len(), 1);
    change_spec(&client, "add", "size", size("small")).await;

    let path = format!("{FOOS}/a");
    let read = client.get(&path).await.expect(200);
    assert_eq!(read["spec"], json!({"color": "red", "replicas": 1, "size": "small"}));
    assert_eq!(version(&read), version(&made), "nothing was written");
    assert_eq!(client.get(FOOS).await.expect(200)["items"][0]["spec"]["size"], "small");
    let past = page["metadata"]["resourceVersion"].as_str().expect("a version");
    let exact = format!("{FOOS}?resourceVersion={past}&resourceVersionMatch=Exact");
    assert_eq!(client.get(&exact).await.expect(200)["items"][0]["spec"]["size"], "small");

    let initial = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    let replayed = format!("watch=1&resourceVersion={}", before.as_str().expect("a version"));
    for query in ["watch=1", initial, &replayed] {
        let frame = client.watch(&format!("{FOOS}?{query}")).await.next().await.expect("a frame");
        assert_eq!(frame["object"]["spec"]["size"], "small", "{query}");
    }
    assert!(live.ready().is_empty(), "a default is no event");
    client.delete(&path).await.expect(200);
    let gone = live.next().await.expect("a frame");
    assert_eq!(
        (&gone["type"], &gone["object"]["spec"]["size"]),
        (&json!("DELETED"), &json!("small"))
    );
}

#[tokio::test(start_paused = true)]
async fn v10_2_the_next_write_stores_the_defaults_that_reads_show() {
    let client = with_foos().await;
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    change_spec(&client, "add", "size", size("small")).await;
    change_spec(&client, "replace", "size", size("large")).await;
    let path = format!("{FOOS}/a");
    let read = client.get(&path).await.expect(200);
    assert_eq!(read["spec"]["size"], "large", "the default of now, not of then");
    let written = client.put(&path, &read).await.expect(200);
    assert!(version(&written) > version(&read), "what is shown was not yet stored");
    let again = client.put(&path, &written).await.expect(200);
    assert_eq!(version(&again), version(&written), "now it is");
    change_spec(&client, "replace", "size", size("huge")).await;
    assert_eq!(client.get(&path).await.expect(200)["spec"]["size"], "large");
}

#[tokio::test(start_paused = true)]
async fn v10_2_what_the_schema_lost_is_not_shown() {
    let client = with_foos().await;
    let mut body = foo("a", "red");
    body["spec"]["any"] = json!({"x": 1});
    client.post(FOOS, &body).await.expect(201);
    change_spec(&client, "remove", "any", Value::Null).await;
    let path = format!("{FOOS}/a");
    let read = client.get(&path).await.expect(200);
    assert_eq!(read["spec"], json!({"color": "red", "replicas": 1}));
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    change_spec(&client, "add", "any", any).await;
    assert_eq!(client.get(&path).await.expect(200)["spec"]["any"], json!({"x": 1}));
}

#[tokio::test(start_paused = true)]
async fn v10_4_versions_differ_in_their_name_only() {
    let client = client();
    let mut crd = foo_crd();
    let mut newer = crd["spec"]["versions"][0].clone();
    newer["name"] = "v2".into();
    newer["storage"] = false.into();
    newer["deprecated"] = true.into();
    crd["spec"]["versions"].as_array_mut().expect("versions").push(newer);
    client.post(CRDS, &crd).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = "/apis/example.com/v2/namespaces/default/foos";
    let answer = client.get(&format!("{path}/a")).await;
    assert_eq!(answer.headers["warning"], "299 - \"example.com/v2 Foo is deprecated\"");
    assert_eq!(answer.expect(200)["apiVersion"], "example.com/v2");
    let list = client.get(path).await.expect(200);
    assert_eq!(list["items"][0]["apiVersion"], "example.com/v2");
    let mut watch = client.watch(&format!("{path}?watch=1")).await;
    assert_eq!(watch.next().await.expect("a frame")["object"]["apiVersion"], "example.com/v2");
    let mut changed = client.get(&format!("{path}/a")).await.json();
    changed["spec"]["color"] = "blue".into();
    client.put(&format!("{path}/a"), &changed).await.expect(200);
    let old = client.get(&format!("{FOOS}/a")).await.expect(200);
    assert_eq!(
        (&old["apiVersion"], &old["spec"]["color"]),
        (&json!("example.com/v1"), &json!("blue"))
    );
    let groups = client.get("/apis/example.com").await.expect(200);
    assert_eq!(groups["preferredVersion"]["version"], "v2");
}

#[tokio::test(start_paused = true)]
async fn v10_6_generations_count_all_but_metadata_and_status() {
    let client = with_foos().await;
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = format!("{FOOS}/a");
    let status = json!({"status": {"replicas": 3}});
    let written = client.merge(&format!("{path}/status"), &status).await.expect(200);
    assert_eq!(
        (&written["status"]["replicas"], &written["metadata"]["generation"]),
        (&json!(3), &json!(1))
    );
    let changed = client.merge(&path, &json!({"spec": {"color": "blue"}})).await.expect(200);
    assert_eq!(changed["metadata"]["generation"], 2);
}

#[tokio::test(start_paused = true)]
async fn v10_bad_definitions_are_refused() {
    let client = client();
    let mut misnamed = foo_crd();
    misnamed["metadata"]["name"] = "bars.example.com".into();
    let mut shapeless = foo_crd();
    shapeless["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] =
        json!({"properties": {"a": {"type": "string"}}});
    let mut unstored = foo_crd();
    unstored["spec"]["versions"][0]["storage"] = false.into();
    for body in [misnamed, shapeless, unstored] {
        let answer = client.post(CRDS, &body).await;
        assert_eq!(answer.code, 422, "{}", answer.text);
    }
}

#[tokio::test(start_paused = true)]
async fn v10_1_names_are_accepted_as_soon_as_another_definition_gives_them_up() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    let mut second = foo_crd();
    second["metadata"]["name"] = "fooz.example.com".into();
    second["spec"]["names"] = json!({"kind": "Foo", "plural": "fooz", "singular": "fooone"});
    client.post(CRDS, &second).await.expect(201);
    let condition = |crd: &Value| {
        let list = crd["status"]["conditions"].as_array().expect("conditions").clone();
        list.into_iter().find(|one| one["type"] == "NamesAccepted").expect("it")["status"].clone()
    };
    let path = format!("{CRDS}/fooz.example.com");
    let waits = client.get(&path).await.expect(200);
    assert_eq!(condition(&waits), "False");
    let list = "/apis/example.com/v1/namespaces/default/fooz";
    assert_eq!(client.get(list).await.code, 404);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client.delete(&format!("{CRDS}/foos.example.com")).await.expect(200);
    assert_eq!(condition(&client.get(&path).await.expect(200)), "True");
    assert_eq!(client.get(list).await.expect(200)["kind"], "FooList");
}

#[tokio::test(start_paused = true)]
async fn v10_1_a_definition_that_serves_nothing_can_be_deleted() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = format!("{CRDS}/foos.example.com");
    let mut crd = client.get(&path).await.expect(200);
    crd["spec"]["versions"][0]["served"] = false.into();
    client.put(&path, &crd).await.expect(200);
    assert_eq!(client.get(FOOS).await.code, 404);
    client.delete(&path).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
    // Nothing is left for a later definition of that name.
    client.post(CRDS, &foo_crd()).await.expect(201);
    assert_eq!(names(&client.get(FOOS).await.expect(200)), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v10_1_a_definition_that_somebody_holds_stays_without_its_instances() {
    let client = client();
    let mut crd = foo_crd();
    crd["metadata"]["finalizers"] = json!(["example.com/stay"]);
    client.post(CRDS, &crd).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = format!("{CRDS}/foos.example.com");
    for _again in 0..2 {
        client.delete(&path).await.expect(200);
        let held = client.get(&path).await.expect(200);
        assert_eq!(held["metadata"]["finalizers"], json!(["example.com/stay"]));
        assert_eq!(names(&client.get(FOOS).await.expect(200)), [""; 0]);
    }
    client.merge(&path, &json!({"metadata": {"finalizers": null}})).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
    assert_eq!(client.get(FOOS).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v10_1_the_end_of_a_definition_ends_the_watches_of_its_instances_only() {
    let client = with_foos().await;
    let mut foos = client.watch(&format!("{FOOS}?watch=1")).await;
    let mut maps = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    client.delete(&format!("{CRDS}/foos.example.com")).await.expect(200);
    client.config_map("a", "1").await;
    assert_eq!((foos.ready().len(), foos.ended), (0, true));
    assert_eq!((maps.ready().len(), maps.ended), (1, false));
}
