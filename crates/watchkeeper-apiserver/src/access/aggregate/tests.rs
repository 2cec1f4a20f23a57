use http::Method;
use serde_json::{Value, json};

use super::{CLUSTER_ROLES, GROUP, after, gathered, labels, make_up};
use crate::clock::Now;
use crate::config::Config;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::rng::Rng;
use crate::step::{Core, Ticket};
use crate::storage::{Stored, Table, key};
use crate::turn::Turn;

fn table(roles: &[Value]) -> Table {
    let stored = roles.iter().map(|role| {
        let key = key("", role["metadata"]["name"].as_str().expect("a name"));
        (key.clone(), std::sync::Arc::new(Stored::new(key, 1, role.clone())))
    });
    stored.collect()
}

fn role(name: &str, label: &str, resource: &str) -> Value {
    let rules = json!([{"apiGroups": [""], "resources": [resource], "verbs": ["get"]}]);
    json!({"metadata": {"name": name, "labels": {"to": label}}, "rules": rules})
}

fn resources(name: &str, table: &Table) -> Option<Vec<String>> {
    let rules = gathered(table.get(name).expect("a role"), table)?;
    Some(rules.iter().map(|rule| rule["resources"][0].as_str().expect("text").to_owned()).collect())
}

#[test]
fn rules_are_gathered_by_name_and_each_once() {
    let selectors = json!([{"matchLabels": {"to": "a"}}, {"matchLabels": {"to": "b"}}]);
    let sum = json!({
        "metadata": {"name": "m", "labels": {"to": "a"}},
        "aggregationRule": {"clusterRoleSelectors": selectors},
        "rules": [{"apiGroups": [""], "resources": ["own"], "verbs": ["get"]}],
    });
    let table = table(&[
        role("z", "a", "pods"),
        role("c", "b", "nodes"),
        role("d", "b", "pods"),
        role("e", "c", "secrets"),
        sum,
    ]);
    assert_eq!(resources("m", &table), Some(vec!["nodes".to_owned(), "pods".to_owned()]));
    assert_eq!(resources("z", &table), None, "a role that gathers nothing");
}

#[test]
fn selectors_have_expressions() {
    let selector = |operator: &str, values: &[&str]| {
        let one = json!({"key": "to", "operator": operator, "values": values});
        labels(&json!({"matchExpressions": [one]})).expect("a selector")
    };
    let (a, none) = (json!({"to": "a"}), json!({}));
    for (selector, of_a, of_none) in [
        (selector("In", &["a", "b"]), true, false),
        (selector("NotIn", &["a"]), false, true),
        (selector("Exists", &[]), true, false),
        (selector("DoesNotExist", &[]), false, true),
    ] {
        assert_eq!(selector.matches(Some(&a)), of_a, "{selector:?}");
        assert_eq!(selector.matches(Some(&none)), of_none, "{selector:?}");
    }
    assert!(labels(&json!({"matchExpressions": [{"key": "to", "operator": "Like"}]})).is_none());
}

/// A server with a role that lacks the rules of another.
fn core() -> Core {
    let mut core = Core::new(Config::default(), Now::default(), &mut Rng::new(0));
    let selectors = json!([{"matchLabels": {"to": "sum"}}]);
    let sum = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "sum", "uid": "u", "creationTimestamp": "1970-01-01T00:00:00Z"},
        "aggregationRule": {"clusterRoleSelectors": selectors},
        "rules": null,
    });
    core.store.put(&CLUSTER_ROLES.into(), &key("", "sum"), sum);
    core.store.put(&CLUSTER_ROLES.into(), &key("", "part"), role("part", "sum", "pods"));
    core
}

fn call(group: &str, kind: &str, query: &str) -> Call {
    let resource = builtin(group, "v1", kind).expect("a kind");
    let mut call = own_call(Method::POST, resource, "", "x");
    call.query = crate::request::query::Query::parse(query);
    call
}

/// Whether rules are gathered, or that was tried.
fn gathers(core: &mut Core, what: impl FnOnce(&mut Turn<'_>)) -> bool {
    let (before, mut rng) = (core.store.revision(), Rng::new(0));
    let mut turn = Turn::new(core, Now::default(), &mut rng, Ticket(1));
    what(&mut turn);
    assert!(!turn.by_itself && !turn.lose_reply, "what the request writes is its own again");
    (core.store.revision(), core.gathering_is_due) != (before, false)
}

#[test]
fn a_write_to_a_cluster_role_and_no_other_gathers_rules() {
    for (group, kind, query, expected) in [
        ("", "ConfigMap", "", false),
        (GROUP, "Role", "", false),
        (GROUP, "ClusterRoleBinding", "", false),
        (GROUP, "ClusterRole", "dryRun=All", false),
        (GROUP, "ClusterRole", "", true),
    ] {
        let call = call(group, kind, query);
        let gathers = gathers(&mut core(), |turn| after(turn, &call).expect("a known dry run"));
        assert_eq!(gathers, expected, "{kind} {query}");
    }
}

#[test]
fn rules_that_could_not_be_gathered_are_gathered_later_and_others_are_not() {
    assert!(!gathers(&mut core(), make_up));
    let mut core = core();
    core.gathering_is_due = true;
    assert!(gathers(&mut core, make_up));
    let rules = core.store.get(CLUSTER_ROLES, "sum").expect("the role").value()["rules"].clone();
    assert_eq!(rules, role("part", "sum", "pods")["rules"]);
    assert!(!core.gathering_is_due);
}

#[test]
fn a_selector_wants_all_that_it_says() {
    let both = json!({"matchLabels": {"to": "a", "of": "b"}});
    let selector = labels(&both).expect("a selector");
    assert!(selector.matches(Some(&json!({"to": "a", "of": "b", "c": "d"}))));
    assert!(!selector.matches(Some(&json!({"to": "a"}))));
    for wrong in [
        json!({"matchLabels": {"to": 1}}),
        json!({"matchExpressions": [{"operator": "Exists"}]}),
        json!({"matchExpressions": [{"key": "to"}]}),
    ] {
        assert!(labels(&wrong).is_none(), "{wrong}");
    }
}
