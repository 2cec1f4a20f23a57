//! The final state of a world without what may differ between seeds.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper::api::Unstructured;
use watchkeeper::client::ListOptions;

use crate::world::World;

/// What differs between seeds: uids and what is made of them, versions, and which pod got which
/// address. Times do not: no seed makes anybody wait longer.
const FREE: [&str; 5] = ["uid", "containerID", "resourceVersion", "podIP", "podIPs"];

/// Events tell how a run went, not where it ended.
const NO_STATE: &str = "events";

/// Every object of every kind that was ever written, events excepted, a line each.
pub(super) async fn masked(world: &World) -> Vec<String> {
    let entries = world.cluster.server().history().entries().to_vec();
    let tables: BTreeSet<String> =
        entries.into_iter().map(|entry| entry.table).filter(|table| table != NO_STATE).collect();
    let mut lines = Vec::new();
    for table in tables {
        let kind = world.client.resolve(&table).await.expect("a kind");
        let api = world.client.dynamic(kind);
        let objects: Vec<Unstructured> =
            api.list_all(&ListOptions::default()).await.expect("a list").items;
        let texts = objects.iter().map(|object| format!("{table} {}", mask(object.to_value())));
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        lines.extend(texts);
    }
    lines
}

/// The object with its free members blanked and a name that the server completed cut back to what
/// was asked for.
fn mask(mut object: Value) -> Value {
    let asked = object["metadata"]["generateName"].as_str().map(str::to_owned);
    if let Some(asked) = asked {
        object["metadata"]["name"] = format!("{asked}*").into();
    }
    blank(&mut object);
    object
}

fn blank(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if FREE.contains(&&**name) {
                    *member = Value::Null;
                } else {
                    blank(member);
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(blank),
        _ => {}
    }
}
