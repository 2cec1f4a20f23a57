use serde_json::{Value, json};

use super::{gathered, labels};
use crate::storage::{Stored, Table, key};

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
