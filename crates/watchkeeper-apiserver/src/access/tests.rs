use expect_test::{Expect, expect};
use http::Method;
use serde_json::{Value, json};

use super::{Attributes, Target, decide, forbidden, list, resolve};
use crate::storage::{Store, TableName, key};
use crate::user::User;

const RBAC: &str = "rbac.authorization.k8s.io";

fn store(objects: &[Value]) -> Store {
    let mut store = Store::new(100);
    for object in objects {
        let plural = object["kind"].as_str().expect("a kind").to_lowercase();
        let table = TableName::from(format!("{plural}s.{RBAC}"));
        let text = |name: &str| object["metadata"][name].as_str().unwrap_or_default();
        store.put(&table, &key(text("namespace"), text("name")), object.clone());
    }
    store
}

fn role(kind: &str, name: &str, resource: &str) -> Value {
    json!({
        "kind": kind, "metadata": {"name": name, "namespace": place(kind)},
        "rules": [{"apiGroups": [""], "resources": [resource], "verbs": ["get", "list"]}],
    })
}

fn place(kind: &str) -> &'static str {
    if kind.starts_with("Cluster") { "" } else { "a" }
}

fn binding(kind: &str, name: &str, role: (&str, &str), subject: &Value) -> Value {
    json!({
        "kind": kind, "metadata": {"name": name, "namespace": place(kind)},
        "roleRef": {"apiGroup": RBAC, "kind": role.0, "name": role.1}, "subjects": [subject],
    })
}

fn ask(store: &Store, user: &User, path: &str) -> String {
    let asked = Attributes::of(&Method::GET, path, "");
    let decision = decide(store, user, &asked);
    let answer = if decision.allowed { "yes" } else { "no" };
    format!("{answer} {}", decision.reason).trim_end().to_owned()
}

fn check(store: &Store, asked: &[(&User, &str)], expected: &Expect) {
    let lines = asked
        .iter()
        .map(|(user, path)| format!("{} {path}: {}\n", user.name, ask(store, user, path)));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_role_holds_in_its_namespace_and_a_cluster_role_where_it_is_bound() {
    let (bob, eve) = (User::new("bob").in_group("devs"), User::new("eve"));
    let store = store(&[
        role("Role", "reader", "pods"),
        role("ClusterRole", "reader", "nodes"),
        role("ClusterRole", "maps", "configmaps"),
        binding("RoleBinding", "1", ("Role", "reader"), &json!({"kind": "User", "name": "bob"})),
        binding(
            "RoleBinding",
            "2",
            ("ClusterRole", "maps"),
            &json!({"kind": "User", "name": "bob"}),
        ),
        binding(
            "ClusterRoleBinding",
            "3",
            ("ClusterRole", "reader"),
            &json!({"kind": "Group", "name": "devs"}),
        ),
    ]);
    check(
        &store,
        &[
            (&bob, "/api/v1/namespaces/a/pods"),
            (&bob, "/api/v1/namespaces/b/pods"),
            (&bob, "/api/v1/pods"),
            (&bob, "/api/v1/namespaces/a/configmaps/x"),
            (&bob, "/api/v1/nodes/n"),
            (&bob, "/healthz"),
            (&eve, "/api/v1/namespaces/a/pods"),
        ],
        &expect![[r#"
            bob /api/v1/namespaces/a/pods: yes RBAC: allowed by RoleBinding "1/a" of Role "reader" to User "bob"
            bob /api/v1/namespaces/b/pods: no
            bob /api/v1/pods: no
            bob /api/v1/namespaces/a/configmaps/x: yes RBAC: allowed by RoleBinding "2/a" of ClusterRole "maps" to User "bob"
            bob /api/v1/nodes/n: yes RBAC: allowed by ClusterRoleBinding "3" of ClusterRole "reader" to Group "devs"
            bob /healthz: no
            eve /api/v1/namespaces/a/pods: no
        "#]],
    );
}

#[test]
fn an_account_without_a_namespace_is_that_of_the_binding() {
    let account = |namespace: &str| {
        let mut subject = json!({"kind": "ServiceAccount", "name": "cook"});
        if !namespace.is_empty() {
            subject["namespace"] = namespace.into();
        }
        subject
    };
    let store = store(&[
        role("ClusterRole", "reader", "pods"),
        binding("RoleBinding", "own", ("ClusterRole", "reader"), &account("")),
        binding("ClusterRoleBinding", "told", ("ClusterRole", "reader"), &account("b")),
        binding("ClusterRoleBinding", "nobody", ("ClusterRole", "reader"), &account("")),
    ]);
    let (a, b, c) = ("a", "b", "c");
    let [a, b, c] = [a, b, c].map(|namespace| User::service_account(namespace, "cook"));
    check(
        &store,
        &[
            (&a, "/api/v1/namespaces/a/pods"),
            (&a, "/api/v1/namespaces/b/pods"),
            (&b, "/api/v1/namespaces/a/pods"),
            (&c, "/api/v1/namespaces/a/pods"),
        ],
        &expect![[r#"
            system:serviceaccount:a:cook /api/v1/namespaces/a/pods: yes RBAC: allowed by RoleBinding "own/a" of ClusterRole "reader" to ServiceAccount "cook/a"
            system:serviceaccount:a:cook /api/v1/namespaces/b/pods: no
            system:serviceaccount:b:cook /api/v1/namespaces/a/pods: yes RBAC: allowed by ClusterRoleBinding "told" of ClusterRole "reader" to ServiceAccount "cook/b"
            system:serviceaccount:c:cook /api/v1/namespaces/a/pods: no
        "#]],
    );
}

#[test]
fn roles_that_are_not_there_are_told_and_do_no_harm() {
    let bob = &json!({"kind": "User", "name": "bob"});
    let store = store(&[
        role("Role", "reader", "pods"),
        binding("ClusterRoleBinding", "1", ("ClusterRole", "nope"), bob),
        binding("ClusterRoleBinding", "2", ("ClusterRole", "nope"), bob),
        binding("RoleBinding", "3", ("Role", "none"), bob),
        binding("RoleBinding", "4", ("Role", "reader"), bob),
    ]);
    let bob = User::new("bob");
    check(
        &store,
        &[
            (&bob, "/api/v1/namespaces/a/pods"),
            (&bob, "/api/v1/namespaces/a/secrets"),
            (&bob, "/api/v1/secrets"),
        ],
        &expect![[r#"
            bob /api/v1/namespaces/a/pods: yes RBAC: allowed by RoleBinding "4/a" of Role "reader" to User "bob"
            bob /api/v1/namespaces/a/secrets: no RBAC: [clusterrole.rbac.authorization.k8s.io "nope" not found, role.rbac.authorization.k8s.io "none" not found]
            bob /api/v1/secrets: no RBAC: clusterrole.rbac.authorization.k8s.io "nope" not found
        "#]],
    );
    let (rules, errors) = resolve::rules(&store, &bob, "a");
    assert_eq!((rules.len(), errors.len()), (1, 3));
}

#[test]
fn masters_need_no_roles() {
    let store = store(&[]);
    assert_eq!(ask(&store, &User::admin(), "/api/v1/secrets"), "yes");
    assert_eq!(ask(&store, &User::new("system:masters"), "/api/v1/secrets"), "no");
}

#[test]
fn a_refusal_says_who_may_not_do_what_and_where() {
    let refused = |method: Method, path: &str, query: &str| {
        let asked = Attributes::of(&method, path, query);
        format!("{}\n", forbidden(&User::new("bob"), &asked, "").to_json()["message"])
    };
    let pods = "/api/v1/namespaces/a/pods";
    let told = [
        refused(Method::GET, "/api/v1/pods", ""),
        refused(Method::GET, pods, "watch=true"),
        refused(Method::DELETE, pods, ""),
        refused(Method::GET, "/api/v1/watch/pods", ""),
        refused(Method::PUT, "/apis/apps/v1/namespaces/a/deployments/x/scale", ""),
        refused(Method::POST, "/api/v1/namespaces/a/pods/x/exec", ""),
        refused(Method::GET, "/api/v1/namespaces/a", ""),
        refused(Method::PUT, "/api/v1/namespaces/a/finalize", ""),
        refused(Method::GET, "/apis/apps/v1", ""),
        refused(Method::POST, "/<b>", ""),
    ]
    .concat();
    expect![[r#"
        "pods is forbidden: User \"bob\" cannot list resource \"pods\" in API group \"\" at the cluster scope"
        "pods is forbidden: User \"bob\" cannot watch resource \"pods\" in API group \"\" in the namespace \"a\""
        "pods is forbidden: User \"bob\" cannot deletecollection resource \"pods\" in API group \"\" in the namespace \"a\""
        "pods is forbidden: User \"bob\" cannot watch resource \"pods\" in API group \"\" at the cluster scope"
        "deployments.apps \"x\" is forbidden: User \"bob\" cannot update resource \"deployments/scale\" in API group \"apps\" in the namespace \"a\""
        "pods \"x\" is forbidden: User \"bob\" cannot create resource \"pods/exec\" in API group \"\" in the namespace \"a\""
        "namespaces \"a\" is forbidden: User \"bob\" cannot get resource \"namespaces\" in API group \"\" in the namespace \"a\""
        "namespaces \"a\" is forbidden: User \"bob\" cannot update resource \"namespaces/finalize\" in API group \"\" in the namespace \"a\""
        "forbidden: User \"bob\" cannot get path \"/apis/apps/v1\""
        "forbidden: User \"bob\" cannot post path \"/&lt;b&gt;\""
    "#]]
    .assert_eq(&told);
}

#[test]
fn requests_of_many_are_lists_or_watches_and_may_be_about_one_name() {
    let asked = |method: Method, path: &str, query: &str| {
        let Attributes { verb, target } = Attributes::of(&method, path, query);
        match target {
            Target::Resource { name, .. } => format!("{verb} {name}"),
            Target::Path(path) => format!("{verb} path {path}"),
        }
    };
    let pods = "/api/v1/namespaces/a/pods";
    let one = format!("{pods}/x");
    for (method, path, query, verb) in [
        (Method::GET, pods, "", "list "),
        (Method::GET, pods, "watch=true", "watch "),
        (Method::GET, pods, "watch=false", "list "),
        (Method::HEAD, pods, "", "list "),
        (Method::HEAD, &one, "", "get x"),
        (Method::GET, &one, "watch=true", "get x"),
        (Method::DELETE, &one, "", "delete x"),
        (Method::GET, pods, "fieldSelector=metadata.name%3Dx", "list x"),
        (Method::GET, pods, "watch=1&fieldSelector=metadata.name%3Dx", "watch x"),
        (Method::GET, pods, "fieldSelector=metadata.name!%3Dx", "list "),
        (Method::GET, pods, "fieldSelector=metadata.name%3Dx%2Fy", "list "),
        (Method::DELETE, pods, "fieldSelector=metadata.name%3Dx", "deletecollection "),
        (Method::GET, "/api/v1", "", "get path /api/v1"),
    ] {
        assert_eq!(asked(method, path, query), verb, "{path}?{query}");
    }
}

#[test]
fn a_review_asks_about_a_resource_or_a_path() {
    let review = |spec: Value| Attributes::of_review(&spec);
    let resource = json!({"verb": "get", "resource": "pods", "namespace": "a", "name": "x"});
    let asked = review(json!({"resourceAttributes": resource})).expect("a question");
    assert_eq!(asked, Attributes::of(&Method::GET, "/api/v1/namespaces/a/pods/x", ""));
    assert_eq!(asked.namespace(), "a");
    let path = json!({"verb": "get", "path": "/version"});
    let asked = review(json!({"nonResourceAttributes": path})).expect("a question");
    assert_eq!(asked, Attributes::of(&Method::GET, "/version", ""));
    assert_eq!(asked.namespace(), "");
    assert_eq!(review(json!({})), None);
    assert_eq!(review(json!({"resourceAttributes": null, "nonResourceAttributes": []})), None);
}

#[test]
fn several_errors_are_told_once_each() {
    let told = |errors: &[&str]| list(errors.iter().map(|error| (*error).to_owned()).collect());
    assert_eq!(told(&["a"]), "a");
    assert_eq!(told(&["a", "a"]), "a");
    assert_eq!(told(&["b", "a", "b"]), "[b, a]");
}
