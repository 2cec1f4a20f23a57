//! Definitions of custom resources with random schemas, some of which are none, and random objects of them, good and
//! bad. Of two versions the first takes anything, so that an update in the second may leave alone what is wrong.

use serde_json::{Value, json};

use super::Dice;
use super::case::{Case, Request};

mod schema;
mod values;

const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// A case of this generator, whose name is the name of its group.
pub(crate) fn case(name: &str, dice: &mut Dice) -> Case {
    let group = format!("{name}.generated.example.com");
    let mut of_spec = schema::object(dice, 3);
    let is_wrong = dice.chance(25);
    if is_wrong {
        schema::spoil(&mut of_spec, dice);
    }
    let definition = definition(&group, &of_spec, dice.chance(50));
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let mut requests = vec![Request::json("POST", definitions, &definition)];
    let loose = format!("/apis/{group}/v1/namespaces/default/things");
    let strict = format!("/apis/{group}/v2/namespaces/default/things");
    let object = |version: &str, name: &str, spec: Value| {
        json!({"apiVersion": format!("{group}/{version}"), "kind": "Thing",
        "metadata": {"name": name}, "spec": spec})
    };
    let mut wait = Request::get(strict.clone());
    wait.waits = true;
    requests.push(wait);
    for index in 0..4 {
        let name = format!("o{index}");
        let validation = *dice.one(&["", "", "?fieldValidation=Strict", "?fieldValidation=Warn"]);
        let spec = values::value(&of_spec, dice, 0);
        let is_loose = dice.chance(30);
        let (path, version) = if is_loose { (&loose, "v1") } else { (&strict, "v2") };
        let first = object(version, &name, spec.clone());
        requests.push(Request::json("POST", format!("{path}{validation}"), &first));
        if is_loose || dice.chance(40) {
            let mut changed = object("v2", &name, values::changed(&spec, &of_spec, dice));
            changed["metadata"]["resourceVersion"] = "@rv@".into();
            requests.push(Request::json("PUT", format!("{strict}/{name}{validation}"), &changed));
        }
        if dice.chance(30) {
            let body = json!({"spec": values::value(&of_spec, dice, 0)}).to_string();
            requests.push(Request::text("PATCH", format!("{strict}/{name}"), MERGE, body));
        }
        if dice.chance(30) {
            let applied = object("v2", &name, values::value(&of_spec, dice, 0)).to_string();
            let force = *dice.one(&["", "&force=true"]);
            let path = format!("{strict}/{name}?fieldManager=one{force}");
            requests.push(Request::text("PATCH", path, APPLY, applied));
        }
    }
    requests.push(Request::get(format!("{loose}/o0")));
    let after =
        vec![Request::delete(loose), Request::delete(format!("{definitions}/things.{group}"))];
    Case { requests, after }
}

fn definition(group: &str, of_spec: &Value, has_status: bool) -> Value {
    let schema = |spec: &Value| json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}});
    let anything = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let mut strict =
        json!({"name": "v2", "served": true, "storage": true, "schema": schema(of_spec)});
    if has_status {
        strict["subresources"] = json!({"status": {}});
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("things.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": true, "storage": false, "schema": schema(&anything)}, strict],
        },
    })
}
