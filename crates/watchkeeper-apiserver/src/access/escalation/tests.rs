use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use super::check;
use crate::access::{Authorization, GROUP};
use crate::clock::Now;
use crate::config::Config;
use crate::error::ApiError;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::Core;
use crate::storage::{TableName, key};
use crate::user::User;

fn core(authorization: Authorization) -> Core {
    let config = Config { authorization, ..Config::default() };
    Core::new(config, Now::default(), &mut Rng::new(0))
}

/// Bob writes `x`.
fn call(kind: &str, namespace: &str) -> Call {
    let resource = builtin(GROUP, "v1", kind).expect("a kind");
    let mut call = own_call(Method::PUT, resource, namespace, "x");
    call.user = Arc::new(User::new("bob").in_group("devs"));
    call
}

fn put(core: &mut Core, plural: &str, (namespace, name): (&str, &str), mut object: Value) {
    object["metadata"] = json!({"namespace": namespace, "name": name});
    let table = TableName::from(format!("{plural}.{GROUP}"));
    core.store.put(&table, &key(namespace, name), object);
}

fn binding(kind: &str, name: &str) -> Value {
    let subjects = json!([{"kind": "User", "name": "bob"}]);
    json!({"metadata": {"name": "x"}, "roleRef": {"kind": kind, "name": name}, "subjects": subjects})
}

/// Gives Bob these rules, in one namespace or everywhere.
fn grant(core: &mut Core, namespace: &str, rules: &Value) {
    put(core, "clusterroles", ("", "held"), json!({ "rules": rules }));
    let plural = if namespace.is_empty() { "clusterrolebindings" } else { "rolebindings" };
    put(core, plural, (namespace, "held"), binding("ClusterRole", "held"));
}

fn rule(resource: &str) -> Value {
    json!({"apiGroups": [""], "resources": [resource], "verbs": ["get"]})
}

fn role(rules: &[Value]) -> Value {
    json!({"metadata": {"name": "x"}, "rules": rules})
}

fn refused(core: &Core, call: &Call, old: Option<&Value>, new: &Value) -> Option<ApiError> {
    check(core, call, old, new).err()
}

fn said(core: &Core, call: &Call, old: Option<&Value>, new: &Value) -> String {
    refused(core, call, old, new).map_or_else(String::new, |error| error.message)
}

/// What is said of a rule about the objects of a resource that Bob has not.
fn not_held(plural: &str, resource: &str) -> String {
    format!(
        "{plural}.{GROUP} \"x\" is forbidden: user \"bob\" (groups=[\"devs\"]) is attempting to \
         grant RBAC permissions not currently held:\n\
         {{APIGroups:[\"\"], Resources:[\"{resource}\"], Verbs:[\"get\"]}}"
    )
}

#[test]
fn nobody_gives_what_they_do_not_have_where_roles_hold() {
    let core = core(Authorization::Rbac);
    let (call, new) = (call("ClusterRole", ""), role(&[rule("pods")]));
    let why = not_held("clusterroles", "pods");
    assert_eq!(said(&core, &call, None, &new), why);
    assert_eq!(said(&core, &call, Some(&role(&[rule("secrets")])), &new), why);
    let mut ending = new.clone();
    ending["metadata"]["finalizers"] = json!(["a.b/c"]);
    assert_eq!(said(&core, &call, Some(&ending), &new), "", "nothing is given");
    let mut master = call.clone();
    master.user = Arc::new(User::new("bob").in_group("system:masters"));
    assert_eq!(said(&core, &master, None, &new), "");
    let mut other = call.clone();
    let resource = Resource { group: "example.com".to_owned(), ..(*call.resource).clone() };
    other.resource = Arc::new(resource);
    assert_eq!(said(&core, &other, None, &new), "", "no role");
    let core = self::core(Authorization::AlwaysAllow);
    assert_eq!(said(&core, &call, None, &new), "");
}

#[test]
fn what_somebody_has_they_give() {
    let mut core = core(Authorization::Rbac);
    grant(&mut core, "a", &json!([rule("pods"), rule("nodes")]));
    let told = |kind: &str, namespace: &str, rules: &[Value]| {
        said(&core, &call(kind, namespace), None, &role(rules))
    };
    assert_eq!(told("Role", "a", &[rule("pods"), rule("nodes")]), "");
    assert_eq!(told("Role", "a", &[rule("pods"), rule("maps")]), not_held("roles", "maps"));
    assert_eq!(told("Role", "b", &[rule("pods")]), not_held("roles", "pods"));
    assert_eq!(told("ClusterRole", "", &[rule("pods")]), not_held("clusterroles", "pods"));
}

#[test]
fn who_may_escalate_a_role_gives_what_they_like_in_it() {
    let escalate = |group: &str, resource: &str, verb: &str, name: &str| json!([{"apiGroups": [group], "resources": [resource], "verbs": [verb], "resourceNames": [name]}]);
    for (rules, is_let) in [
        (escalate(GROUP, "clusterroles", "escalate", "x"), true),
        (escalate(GROUP, "clusterroles", "escalate", "y"), false),
        (escalate(GROUP, "clusterroles", "bind", "x"), false),
        (escalate(GROUP, "roles", "escalate", "x"), false),
        (escalate("", "clusterroles", "escalate", "x"), false),
    ] {
        let mut core = core(Authorization::Rbac);
        grant(&mut core, "", &rules);
        let told = said(&core, &call("ClusterRole", ""), None, &role(&[rule("pods")]));
        assert_eq!(told.is_empty(), is_let, "{rules}");
    }
    let mut core = core(Authorization::Rbac);
    grant(&mut core, "a", &escalate(GROUP, "roles", "escalate", "x"));
    let told =
        |namespace: &str| said(&core, &call("Role", namespace), None, &role(&[rule("pods")]));
    assert_eq!((told("a"), told("b")), (String::new(), not_held("roles", "pods")));
}

#[test]
fn who_gathers_rules_must_have_all() {
    let mut core = core(Authorization::Rbac);
    grant(&mut core, "", &json!([rule("pods")]));
    let (plain, mut gathers) = (role(&[rule("pods")]), role(&[]));
    gathers["aggregationRule"] = json!({"clusterRoleSelectors": []});
    let told = |old: Option<&Value>, new: &Value| said(&core, &call("ClusterRole", ""), old, new);
    let why = format!(
        "clusterroles.{GROUP} \"x\" is forbidden: must have cluster-admin privileges to use the \
         aggregationRule"
    );
    assert_eq!(told(None, &plain), "");
    assert_eq!(told(None, &gathers), why);
    assert_eq!(told(Some(&gathers), &plain), why, "what it gathered stays in it");
    assert_eq!(told(Some(&role(&[])), &plain), "");
    gathers["rules"] = json!([rule("secrets")]);
    assert_eq!(told(None, &gathers), not_held("clusterroles", "secrets"));
}

#[test]
fn who_binds_a_role_must_have_its_rules_or_be_let_bind_it() {
    let told = |held: &Value, (kind, name): (&str, &str)| {
        let mut core = core(Authorization::Rbac);
        grant(&mut core, "", held);
        put(&mut core, "clusterroles", ("", "view"), role(&[rule("pods")]));
        put(&mut core, "clusterroles", ("", "edit"), role(&[rule("secrets")]));
        put(&mut core, "roles", ("a", "view"), role(&[rule("secrets")]));
        said(&core, &call("RoleBinding", "a"), None, &binding(kind, name))
    };
    let pods = json!([rule("pods")]);
    assert_eq!(told(&pods, ("ClusterRole", "view")), "");
    let why = not_held("rolebindings", "secrets");
    assert_eq!(told(&pods, ("ClusterRole", "edit")), why);
    assert_eq!(told(&pods, ("Role", "view")), why);
    let missing = |name: &str| format!("rolebindings.{GROUP} \"{name}\" not found");
    assert_eq!(told(&pods, ("ClusterRole", "nope")), missing("nope"));
    assert_eq!(told(&pods, ("Role", "edit")), missing("edit"));
    assert_eq!(told(&pods, ("Group", "view")), "unsupported role reference kind: \"Group\"");
    let bind = |resource: &str, name: &str| json!([{"apiGroups": [GROUP], "resources": [resource], "verbs": ["bind"], "resourceNames": [name]}]);
    assert_eq!(told(&bind("clusterroles", "edit"), ("ClusterRole", "edit")), "");
    assert_eq!(told(&bind("clusterroles", "nope"), ("ClusterRole", "nope")), "");
    assert_eq!(told(&bind("clusterroles", "view"), ("ClusterRole", "edit")), why);
    assert_eq!(told(&bind("clusterroles", "view"), ("Role", "view")), why);
    assert_eq!(told(&bind("roles", "view"), ("Role", "view")), "");
    assert_eq!(told(&bind("roles", "edit"), ("ClusterRole", "edit")), why);
}

#[test]
fn a_binding_of_a_role_that_is_not_there_has_the_code_of_that() {
    let core = core(Authorization::Rbac);
    let code = |kind: &str| {
        let call = call("ClusterRoleBinding", "");
        refused(&core, &call, None, &binding(kind, "nope")).map(|error| error.code)
    };
    assert_eq!((code("ClusterRole"), code("Group")), (Some(404), Some(500)));
}

#[test]
fn roles_that_cannot_be_looked_at_are_told_beside_what_is_not_held() {
    let mut core = core(Authorization::Rbac);
    put(&mut core, "clusterrolebindings", ("", "gone"), binding("ClusterRole", "nope"));
    let told = said(&core, &call("ClusterRole", ""), None, &role(&[rule("pods")]));
    let why = not_held("clusterroles", "pods");
    let errors = format!("resolution errors: [clusterrole.{GROUP} \"nope\" not found]");
    assert_eq!(told, format!("{why}; {errors}"));
}
