//! Which container of a pod is meant.

use serde_json::json;

use super::*;

#[test]
fn the_only_container_need_not_be_named() {
    let named = |names: &[&str]| {
        let list = |names: &[&str]| -> Vec<Value> {
            names.iter().map(|name| json!({"name": name})).collect()
        };
        let spec = json!({
            "containers": list(names), "initContainers": list(&["init"]),
            "ephemeralContainers": list(&["debug"]),
        });
        json!({"metadata": {"name": "web"}, "spec": spec})
    };
    for (names, asked, meant) in [
        (&["main"][..], "", Ok("main")),
        (&["main"], "init", Ok("init")),
        (&["main"], "debug", Ok("debug")),
        (&["main", "side"], "side", Ok("side")),
        (&["main"], "other", Err("container other is not valid for pod web")),
        (&[], "", Err("a container name must be specified for pod web")),
        (
            &["main", "side"],
            "",
            Err(
                "a container name must be specified for pod web, choose one of: [init main side debug]",
            ),
        ),
    ] {
        let found = container(&named(names), asked).map_err(|error| error.message);
        assert_eq!(found.as_deref().map_err(String::as_str), meant, "{names:?} {asked}");
    }
}
