//! V1: objects of built-in kinds and rules in CEL that are made to take long. Each is answered.

use serde_json::{Value, json};

use crate::support::*;
use crate::v1_bombs::define;

/// Enough that whoever compared each with each would be noticed.
const LARGE: usize = 60_000;

/// As many of them as a body has room for.
fn many(bytes: usize, item: impl Fn(usize) -> Value) -> Value {
    let (mut items, mut length) = (Vec::new(), 0);
    while length < bytes {
        let item = item(items.len());
        length += item.to_string().len() + 1;
        items.push(item);
    }
    items.into()
}

fn members(bytes: usize, value: &Value) -> Value {
    let (mut members, mut length) = (serde_json::Map::new(), 0);
    while length < bytes {
        let name = format!("m{}", members.len());
        length += name.len() + value.to_string().len() + 4;
        members.insert(name, value.clone());
    }
    members.into()
}

/// Sends the body, and it may be taken or refused.
async fn answered(client: &Client, path: &str, body: &Value) -> u16 {
    let answer = client.post(path, body).await;
    assert!((200..505).contains(&answer.code), "{:.300}", answer.text);
    client.config_map(&format!("after-{}", client.server.revision()), "1").await;
    answer.code
}

#[tokio::test(start_paused = true)]
async fn v1_metadata_may_have_as_many_entries_as_a_body() {
    let client = client();
    let owner =
        |n: usize| json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": n.to_string()});
    let same = |_: usize| owner(1);
    for metadata in [
        json!({"name": "a", "labels": members(LARGE, &json!("b"))}),
        json!({"name": "b", "annotations": members(LARGE, &json!("b"))}),
        json!({"name": "c", "finalizers": many(LARGE, |n| json!(format!("a.b/{n}")))}),
        json!({"name": "d", "finalizers": many(LARGE, |_| json!("wrong"))}),
        json!({"name": "e", "ownerReferences": many(LARGE, owner)}),
        json!({"name": "f", "ownerReferences": many(LARGE, same)}),
        json!({"name": "g", "ownerReferences": many(LARGE, |_| json!({"controller": true}))}),
        json!({"name": "h", "managedFields": many(LARGE, |_| json!({"manager": "m"}))}),
        json!({"name": "i", "managedFields": many(LARGE, |n| json!({"manager": n.to_string(),
            "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {}}}))}),
    ] {
        answered(&client, CONFIG_MAPS, &json!({ "metadata": metadata })).await;
    }
    // Updates compare the lists of before with those of now.
    client.config_map("u", "1").await;
    let path = format!("{CONFIG_MAPS}/u");
    for turn in 0..2 {
        let finalizers = many(LARGE, |n| json!(format!("a.b/{turn}{n}")));
        let answer = client.merge(&path, &json!({"metadata": {"finalizers": finalizers}})).await;
        assert_eq!(answer.code, 200, "{:.300}", answer.text);
    }
    client.delete(&path).await;
    let more = many(LARGE, |n| json!(format!("a.b/2{n}")));
    let answer = client.merge(&path, &json!({"metadata": {"finalizers": more}})).await;
    assert_eq!(answer.code, 422, "{:.300}", answer.text);
}

#[tokio::test(start_paused = true)]
async fn v1_a_pod_may_have_as_much_of_anything_as_a_body() {
    let client = client();
    let container = |n: usize| json!({"name": format!("c{n}"), "image": "i"});
    let with = |extra: Value| {
        let mut pod =
            json!({"metadata": {"generateName": "p-"}, "spec": {"containers": [container(0)]}});
        for (name, value) in extra.as_object().expect("members") {
            pod["spec"][name] = value.clone();
        }
        pod
    };
    let in_container = |extra: Value| {
        let mut container = container(0);
        for (name, value) in extra.as_object().expect("members") {
            container[name] = value.clone();
        }
        with(json!({ "containers": [container] }))
    };
    let volume = |n: usize| json!({"name": format!("v{n}"), "emptyDir": {}});
    let mounts =
        many(LARGE / 2, |n| json!({"name": format!("v{n}"), "mountPath": format!("/{n}")}));
    for pod in [
        with(json!({"containers": many(LARGE, container)})),
        with(json!({"containers": many(LARGE, |_| container(1))})),
        with(json!({"initContainers": many(LARGE, container)})),
        with(json!({"volumes": many(LARGE, volume)})),
        with(json!({"volumes": many(LARGE, |_| volume(1))})),
        with(json!({"tolerations": many(LARGE, |n| json!({"key": n.to_string()}))})),
        with(json!({"imagePullSecrets": many(LARGE, |n| json!({"name": n.to_string()}))})),
        with(json!({"nodeSelector": members(LARGE, &json!("b"))})),
        with(json!({"hostAliases": many(LARGE, |n| json!({"ip": n.to_string()}))})),
        with(json!({"schedulingGates": many(LARGE, |n| json!({"name": n.to_string()}))})),
        with(
            json!({"topologySpreadConstraints": many(LARGE, |n| json!({"topologyKey": n.to_string()}))}),
        ),
        with(
            json!({"volumes": many(LARGE / 3, volume), "containers": [{"name": "a", "image": "i", "volumeMounts": mounts}]}),
        ),
        in_container(
            json!({"env": many(LARGE, |n| json!({"name": format!("E{n}"), "value": "$(E1)"}))}),
        ),
        in_container(json!({"env": many(LARGE, |_| json!({"name": "E"}))})),
        in_container(json!({"ports": many(LARGE, |n| json!({"containerPort": n % 60_000 + 1}))})),
        in_container(
            json!({"ports": many(LARGE, |n| json!({"name": format!("p{n}"), "hostPort": 1, "containerPort": 1}))}),
        ),
        in_container(json!({"resources": {"limits": members(LARGE, &json!("1"))}})),
    ] {
        answered(&client, PODS, &pod).await;
    }
}

#[tokio::test(start_paused = true)]
async fn v1_other_kinds_may_have_as_much_as_a_body() {
    let client = client();
    let namespaced = |group: &str, plural: &str| format!("{group}/namespaces/default/{plural}");
    let (rbac, net) = ("/apis/rbac.authorization.k8s.io/v1", "/apis/networking.k8s.io/v1");
    let ports = many(LARGE, |n| json!({"name": format!("p{n}"), "port": n % 60_000 + 1}));
    let rules = many(
        LARGE,
        |n| json!({"verbs": ["get"], "apiGroups": [""], "resources": [format!("r{n}")]}),
    );
    let subjects = many(LARGE, |n| json!({"kind": "User", "name": format!("u{n}")}));
    let endpoints = many(
        LARGE,
        |n| json!({"addresses": [format!("10.{}.{}.{}", n / 65_536, n / 256 % 256, n % 256)]}),
    );
    let webhook = |n: usize| {
        json!({"name": format!("a{n}.b.c"), "sideEffects": "None",
        "admissionReviewVersions": ["v1"], "clientConfig": {"url": "https://a.b"}})
    };
    let hard = members(LARGE, &json!("1"));
    let expressions = many(LARGE, |n| json!({"key": format!("k{n}"), "operator": "Exists"}));
    let metadata = || json!({"generateName": "b-"});
    let mut selecting = deployment("sel", 1);
    selecting["spec"]["selector"]["matchExpressions"] = expressions;
    let review = json!({"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"},
        "groups": many(LARGE, |n| json!(format!("g{n}")))}});
    for (path, body) in [
        (
            namespaced("/api/v1", "services"),
            json!({"metadata": metadata(), "spec": {"ports": ports}}),
        ),
        (format!("{rbac}/clusterroles"), json!({"metadata": metadata(), "rules": rules})),
        (
            namespaced(rbac, "rolebindings"),
            json!({"metadata": metadata(), "subjects": subjects,
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}}),
        ),
        (
            namespaced("/apis/discovery.k8s.io/v1", "endpointslices"),
            json!({"metadata": metadata(), "addressType": "IPv4", "endpoints": endpoints}),
        ),
        (
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations".to_owned(),
            json!({"metadata": metadata(), "webhooks": many(LARGE / 4, webhook)}),
        ),
        (
            namespaced("/api/v1", "resourcequotas"),
            json!({"metadata": metadata(), "spec": {"hard": hard}}),
        ),
        (
            namespaced(net, "ingresses"),
            json!({"metadata": metadata(), "spec": {"rules":
            many(LARGE, |n| json!({"host": format!("h{n}")}))}}),
        ),
        (DEPLOYMENTS.to_owned(), selecting),
        ("/apis/authorization.k8s.io/v1/subjectaccessreviews".to_owned(), review),
        (
            CONFIG_MAPS.to_owned(),
            json!({"metadata": metadata(), "data": members(LARGE, &json!("b"))}),
        ),
    ] {
        answered(&client, &path, &body).await;
    }
}

/// A definition with rules, each of which is asked.
async fn with_rules(schema: Value) -> (Client, Answer) {
    let client = client();
    let answer = define(&client, &schema).await;
    (client, answer)
}

#[tokio::test(start_paused = true)]
async fn v1_what_a_rule_costs_is_bounded_when_it_is_asked() {
    let nested = "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c < 0 || true)))";
    let doubles = "[0,1,2,3,4,5,6,7,8,9].map(i, self.s + self.s).map(t, t + t + t + t).map(t, t + t + t + t)\
                   .map(t, t + t + t + t).map(t, t + t + t + t).all(t, t.size() > 0)";
    let matching = "self.l.all(i, self.s.matches('^((a?){100}){100}$'))";
    let splits = "self.s.split('').map(c, self.s.split('')).map(l, l.join(self.s)).size() > 0";
    let lists =
        "self.l.map(a, self.l).map(a, self.l.map(b, a)).map(a, string(a).size()).size() > 0";
    for rule in [nested, doubles, matching, splits, lists] {
        let schema = json!({"type": "object", "x-kubernetes-validations": [{"rule": rule}], "properties": {
            "l": {"type": "array", "items": {"type": "integer"}}, "s": {"type": "string"}}});
        let (client, defined) = with_rules(schema).await;
        if defined.code == 422 {
            continue;
        }
        assert_eq!(defined.code, 201, "{:.300}", defined.text);
        let mut object = foo("bomb", "");
        object["spec"] =
            json!({"l": (0..100_000).collect::<Vec<u32>>(), "s": "a".repeat(1_000_000)});
        let refused = client.post(FOOS, &object).await;
        assert_eq!(refused.code, 422, "{rule}");
        assert!(refused.text.contains("cost limit exceeded"), "{rule}: {:.300}", refused.text);
    }
}

/// Each rule is cheap by the bounds of its schema, and there are as many as a list is long.
#[tokio::test(start_paused = true)]
async fn v1_what_all_rules_cost_together_is_bounded() {
    let rule = |n| json!({"rule": format!("self.matches('^a*$') && self.size() < {n}")});
    let rules: Vec<Value> = (10..19).map(rule).collect();
    let text = json!({"type": "string", "maxLength": 3, "x-kubernetes-validations": rules});
    let schema = json!({"type": "array", "maxItems": 500_000, "items": text});
    let (client, defined) = with_rules(schema).await;
    assert_eq!(defined.code, 201, "{:.300}", defined.text);
    let mut object = foo("bomb", "");
    object["spec"] = json!(vec!["aaa"; 500_000]);
    let refused = client.post(FOOS, &object).await;
    assert_eq!(refused.code, 422);
    assert!(refused.text.contains("cost"), "{:.300}", refused.text);
}

#[tokio::test(start_paused = true)]
async fn v1_a_definition_may_have_as_many_rules_as_it_has_room_for() {
    let deep = "(".repeat(50_000);
    let chain = format!("self{}", ".a".repeat(40_000));
    let sum = format!("1{} > 0", " + 1".repeat(20_000));
    let choice = format!("{}true", "true ? true : ".repeat(5_000));
    let text = format!("'{}' == ''", "x".repeat(99_000));
    for rule in [deep, chain, sum, choice, text, "'\\'".repeat(10_000), "[".repeat(90_000)] {
        let schema = json!({"type": "object", "x-kubernetes-validations": [{"rule": rule}]});
        let (client, defined) = with_rules(schema).await;
        assert!(matches!(defined.code, 201 | 422), "{}: {rule:.40}", defined.code);
        client.config_map("after", "1").await;
    }
    let rules = many(100_000, |n| json!({"rule": format!("self.size() != {n}")}));
    let (client, defined) =
        with_rules(json!({"type": "string", "x-kubernetes-validations": rules})).await;
    assert!(matches!(defined.code, 201 | 422), "{:.300}", defined.text);
    client.config_map("after", "1").await;
}

/// As upstream, each is cut where all together are long, and the last are left out.
#[tokio::test(start_paused = true)]
async fn v1_warnings_are_told_as_far_as_they_have_room() {
    let ports: Vec<Value> = (0..500).map(|_| json!({"containerPort": 1})).collect();
    let pod = json!({"metadata": {"generateName": "p-"},
        "spec": {"containers": [{"name": "a", "image": "i", "ports": ports}]}});
    let made = client().post(PODS, &pod).await;
    assert_eq!(made.code, 201, "{:.300}", made.text);
    let told: Vec<_> = made.headers.get_all("warning").iter().map(|line| line.len()).collect();
    let all: usize = told.iter().sum();
    assert!(told.len() > 10 && all > 4096 && all < 2 * 4096, "{told:?}");
}
