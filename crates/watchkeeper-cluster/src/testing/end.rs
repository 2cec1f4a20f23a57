//! Where a run ended, to be compared with where another one did.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use watchkeeper_api::{Result, Unstructured};
use watchkeeper_client::ListOptions;

use crate::cluster::Cluster;

/// What is drawn or counted, and so another in each run: versions, addresses, ids of containers. Uids, and names that
/// the server completed, are found wherever they stand.
const DRAWN: [&str; 7] =
    ["addresses", "clusterIP", "clusterIPs", "containerID", "resourceVersion", "podIP", "podIPs"];
/// Lists that are in the order of what was drawn.
const IN_DRAWN_ORDER: &str = "endpoints";
/// The label of an address that the server wrote down, whose name is drawn.
const OF_A_SERVICE: &str = "ipaddress.kubernetes.io/managed-by";
/// What tells how a run got where it is.
const OF_THE_WAY: [&str; 2] = ["generation", "observedGeneration"];
/// The annotation that is there or not, as the last write was about something new or not.
const OF_THE_LAST_WRITE: &str = "endpoints.kubernetes.io/last-change-trigger-time";
/// Characters of a uid.
const UID: usize = 36;

/// Events tell how a run went, not where it ended.
const NO_STATE: &str = "events";

/// Whether two runs that are compared got to their ends in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In as many steps, at the same moments: of runs in which nothing waits longer than in another one.
    Same,
    /// In another way: moments and generations are blanked.
    Other,
}

/// Every object of every kind that was ever written, events excepted, a line each. Runs that ended alike have the
/// same lines: blanked is what differs between seeds, and of a name that the server completed the end.
///
/// ```
/// use watchkeeper_api::{core::v1::ConfigMap, object};
/// use watchkeeper_cluster::Cluster;
/// use watchkeeper_cluster::testing::{Way, end_state};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// let mut ends = Vec::new();
/// for seed in [1, 2] {
///     let cluster = Cluster::builder().seed(seed).build();
///     let map = object!(ConfigMap { metadata: { generate_name: "a-", namespace: "default" } });
///     cluster.client("me").api_for(&map).create(&map, &Default::default()).await?;
///     ends.push(end_state(&cluster, Way::Other).await?);
/// }
/// assert_eq!(ends[0], ends[1]);
/// assert!(ends[0].iter().any(|line| line.starts_with("configmaps ") && line.contains("\"a-*\"")));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the server does not let everything be read.
///
/// # Cancel safety
/// Reading changes nothing: the future may be dropped at any time.
pub async fn end_state(cluster: &Cluster, way: Way) -> Result<Vec<String>> {
    let history = cluster.server().history();
    let tables = history.entries().iter().map(|entry| entry.table.to_string());
    let tables: BTreeSet<String> = tables.filter(|table| table != NO_STATE).collect();
    let client = cluster.client("end-state");
    let mut objects = Vec::new();
    for table in tables {
        let api = client.dynamic(client.resolve(&table).await?);
        let items: Vec<Unstructured> = api.list_all(&ListOptions::default()).await?.items;
        objects.extend(items.iter().map(|object| (table.clone(), object.to_value())));
    }
    let mask = Mask::of(objects.iter().map(|(_, object)| object), way);
    let lines = objects.into_iter().map(|(table, object)| (table, mask.over(object).to_string()));
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    Ok(lines.into_iter().map(|(table, object)| format!("{table} {object}")).collect())
}

/// What is blanked in the objects of one end.
struct Mask {
    way: Way,
    /// Names that the server completed or drew, each with what is told instead.
    completed: BTreeMap<String, String>,
}

impl Mask {
    fn of<'a>(objects: impl IntoIterator<Item = &'a Value>, way: Way) -> Self {
        Self { way, completed: objects.into_iter().filter_map(completed).collect() }
    }

    fn over(&self, mut object: Value) -> Value {
        self.blank(&mut object);
        object
    }

    fn blank(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                if self.way == Way::Other {
                    forget_the_last_write(members);
                }
                for (name, member) in members {
                    if is_blanked(name, self.way) {
                        *member = Value::Null;
                        continue;
                    }
                    self.blank(member);
                    if let (IN_DRAWN_ORDER, Value::Array(elements)) = (&**name, member) {
                        elements.sort_by_cached_key(ToString::to_string);
                    }
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.blank(element)),
            Value::String(text) => match self.completed.get(text) {
                Some(asked) => text.clone_from(asked),
                None => *text = without_uids(text),
            },
            _ => {}
        }
    }
}

/// The name of an object that the server completed, or drew as the address of a Service, and what is told instead.
fn completed(object: &Value) -> Option<(String, String)> {
    let metadata = &object["metadata"];
    let name = metadata["name"].as_str()?;
    if metadata["labels"][OF_A_SERVICE].is_string() {
        return Some((name.to_owned(), "*".to_owned()));
    }
    let asked = metadata["generateName"].as_str()?;
    name.starts_with(asked).then(|| (name.to_owned(), format!("{asked}*")))
}

fn is_blanked(name: &str, way: Way) -> bool {
    DRAWN.contains(&name) || (way == Way::Other && (OF_THE_WAY.contains(&name) || is_time(name)))
}

/// Leaves the annotation out, and the annotations if it was the only one: of an object, and of who owns which fields.
fn forget_the_last_write(members: &mut Map<String, Value>) {
    for name in ["annotations", "f:annotations"] {
        let Some(Value::Object(annotations)) = members.get_mut(name) else { continue };
        annotations.retain(|name, _| !name.ends_with(OF_THE_LAST_WRITE));
        if annotations.keys().all(|name| name == ".") {
            members.remove(name);
        }
    }
}

/// As the API names its moments.
fn is_time(name: &str) -> bool {
    name == "time" || ["Time", "Timestamp", "At", "-time"].iter().any(|end| name.ends_with(end))
}

/// `pvc-*` for a name that is made of a uid.
fn without_uids(text: &str) -> String {
    let (mut rest, mut told) = (text, String::new());
    while let Some(first) = rest.chars().next() {
        if rest.get(..UID).is_some_and(is_uid) {
            told.push('*');
            rest = &rest[UID..];
        } else {
            told.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    told
}

fn is_uid(text: &str) -> bool {
    let is_dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let fits = |(at, byte): (usize, u8)| match is_dash(at) {
        true => byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    text.bytes().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const UIDS: [&str; 2] =
        ["00112233-4455-4677-8899-aabbccddeeff", "ffffffff-4455-4677-8899-aabbccddeeff"];

    #[test]
    fn uids_are_found_wherever_they_stand() {
        for uid in UIDS {
            assert_eq!(without_uids(uid), "*");
            assert_eq!(without_uids(&format!("pvc-{uid}/é{uid}")), "pvc-*/é*");
        }
        for other in ["", "pvc-", "00112233-4455-4677-8899-aabbccddeef", &"é".repeat(18)] {
            assert_eq!(without_uids(other), other);
        }
    }

    #[test]
    fn what_differs_is_blanked_and_nothing_else() {
        let object = |uid: &str, name: &str, time: &str, ready: bool| {
            json!({
                "metadata": {"name": name, "generateName": "web-", "uid": uid, "generation": time.len()},
                "status": {"startTime": time, "podIP": name, "conditions": [{"ready": ready}]},
            })
        };
        let over = |object: &Value, way| Mask::of([object], way).over(object.clone());
        let [one, other] = UIDS;
        let [a, b] = [object(one, "web-a", "1", true), object(other, "web-b", "10", true)];
        assert_eq!(over(&a, Way::Other), over(&b, Way::Other));
        assert_ne!(over(&a, Way::Same), over(&b, Way::Same));
        assert_ne!(over(&a, Way::Other), over(&object(one, "web-a", "1", false), Way::Other));
    }

    #[test]
    fn whether_the_last_write_was_about_something_new_is_not_told() {
        let with = json!({"metadata": {
            "annotations": {OF_THE_LAST_WRITE: "2026-01-01T00:00:00Z"},
            "managedFields": [{"fieldsV1": {"f:metadata": {"f:annotations": {
                ".": {}, format!("f:{OF_THE_LAST_WRITE}"): {},
            }}}}],
        }});
        let without = json!({"metadata": {"managedFields": [{"fieldsV1": {"f:metadata": {}}}]}});
        let over = |object: &Value, way| Mask::of([object], way).over(object.clone());
        assert_eq!(over(&with, Way::Other), over(&without, Way::Other));
        assert_ne!(over(&with, Way::Same), over(&without, Way::Same));
        let noted = json!({"metadata": {"annotations": {"note": "1"}}});
        assert_eq!(over(&noted, Way::Other), noted);
    }

    #[test]
    fn addresses_of_services_are_told_by_their_services() {
        let address = |ip: &str, service: &str| {
            json!({
                "metadata": {"name": ip, "labels": {OF_A_SERVICE: "ipallocator.k8s.io"}},
                "spec": {"parentRef": {"resource": "services", "name": service}},
            })
        };
        let over = |object: &Value| Mask::of([object], Way::Same).over(object.clone());
        let [one, other] = ["10.96.0.7", "10.96.0.9"].map(|ip| address(ip, "web"));
        assert_eq!(over(&one), over(&other));
        assert_ne!(over(&one), over(&address("10.96.0.7", "db")));
        let by_hand = json!({"metadata": {"name": "10.96.0.7"}});
        assert_eq!(over(&by_hand), by_hand);
    }

    #[test]
    fn completed_names_are_found_where_they_are_spoken_of() {
        let pod = |name: &str| json!({"metadata": {"name": name, "generateName": "web-"}});
        let slice = |names: [&str; 2], node: &str| {
            let endpoint =
                |name| json!({"targetRef": {"name": name}, "addresses": [name], "nodeName": node});
            json!({"metadata": {"name": "web"}, "endpoints": names.map(endpoint)})
        };
        let told = |names: [&str; 2], node: &str| {
            let pods = names.map(pod);
            Mask::of(&pods, Way::Other).over(slice(names, node)).to_string()
        };
        assert_eq!(told(["web-a", "web-b"], "n"), told(["web-d", "web-c"], "n"));
        assert_ne!(told(["web-a", "web-b"], "n"), told(["web-a", "web-b"], "m"));
        let of_a_stranger =
            Mask::of(&[pod("web-a")], Way::Other).over(slice(["web-a", "db-1"], "n"));
        assert_eq!(of_a_stranger["endpoints"][0]["targetRef"]["name"], "db-1");
    }
}
