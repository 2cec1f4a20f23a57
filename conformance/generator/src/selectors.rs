//! Selectors of labels and fields, good and malformed, on lists of objects that do not change, whole and in pages.

use serde_json::{Value, json};

use super::Dice;
use super::case::{Case, Request};

/// Where the objects are.
const NAMESPACE: &str = "generated-selectors";

/// What is put into both servers before, in this order.
pub(crate) fn population() -> Vec<Request> {
    let mut requests = vec![Request::json(
        "POST",
        "/api/v1/namespaces",
        &json!({"metadata": {"name": NAMESPACE}}),
    )];
    let at = |root: &str, plural: &str| format!("{root}/namespaces/{NAMESPACE}/{plural}");
    let mut dice = Dice::new(7);
    for index in 0..24 {
        let metadata = json!({"name": format!("o{index:02}"), "labels": labels(&mut dice)});
        let mut spec = json!({"containers": [{"name": "a", "image": "i"}],
            "restartPolicy": dice.one(&["Always", "Never"])});
        if dice.chance(40) {
            spec["nodeName"] = (*dice.one(&["n1", "n2"])).into();
        }
        if dice.chance(30) {
            spec["schedulerName"] = "other".into();
            spec["serviceAccountName"] = "sa".into();
            spec["hostNetwork"] = true.into();
        }
        let pod = json!({"metadata": metadata, "spec": spec});
        requests.push(Request::json("POST", at("/api/v1", "pods"), &pod));
        let config = json!({"metadata": metadata, "data": {"a": "b"}});
        requests.push(Request::json("POST", at("/api/v1", "configmaps"), &config));
        let secret =
            json!({"metadata": metadata, "type": dice.one(&["Opaque", "example.com/own"])});
        requests.push(Request::json("POST", at("/api/v1", "secrets"), &secret));
        let event = json!({"metadata": metadata, "type": dice.one(&["Normal", "Warning"]),
            "reason": dice.one(&["A", "B"]), "source": {"component": dice.one(&["c", "d"])},
            "reportingComponent": dice.one(&["", "r"]),
            "involvedObject": {"kind": dice.one(&["Pod", "Node"]), "name": dice.one(&["p", "q"]),
                "namespace": NAMESPACE, "uid": "u", "fieldPath": "f"}});
        requests.push(Request::json("POST", at("/api/v1", "events"), &event));
    }
    requests
}

fn labels(dice: &mut Dice) -> Value {
    let mut labels =
        json!({"app": dice.one(&["a", "b", ""]), "tier": dice.one(&["front", "back"])});
    if dice.chance(50) {
        labels["example.com/part"] = (*dice.one(&["x", "y.z", "A-1"])).into();
    }
    if dice.chance(40) {
        labels["number"] = dice.below(12).to_string().into();
    }
    labels
}

/// A case of this generator.
pub(crate) fn case(dice: &mut Dice) -> Case {
    let plurals = ["pods", "pods", "configmaps", "secrets", "events"];
    let plural = *dice.one(&plurals);
    let mut query = Vec::new();
    if dice.chance(70) {
        query.push(format!("labelSelector={}", encoded(&label_selector(dice))));
    }
    if dice.chance(50) {
        query.push(format!("fieldSelector={}", encoded(&field_selector(plural, dice))));
    }
    let limit = if dice.chance(20) { 1 + dice.below(9) } else { 0 };
    if limit > 0 {
        query.push(format!("limit={limit}"));
    }
    let path = format!("/api/v1/namespaces/{NAMESPACE}/{plural}?{}", query.join("&"));
    let mut requests = vec![Request::get(path.clone())];
    if limit > 0 {
        requests.push(Request::get(format!("{path}&continue=@continue@")));
    }
    Case { requests, after: Vec::new() }
}

const KEYS: [&str; 10] =
    ["app", "tier", "example.com/part", "number", "none", "a b", "-x", "a/b/c", "", "App"];
const VALUES: [&str; 12] = ["a", "b", "", "front", "back", "x", "y.z", "3", "7", "a b", "-", "A-1"];

fn label_selector(dice: &mut Dice) -> String {
    let count = 1 + dice.below(3);
    let parts: Vec<String> = (0..count).map(|_| requirement(dice)).collect();
    let mut text = parts.join(*dice.one(&[",", ",", ",", " , ", ",,", " "]));
    if dice.chance(8) {
        // Something is wrong somewhere.
        let at = dice.below(text.len() as u64 + 1) as usize;
        let wrong = *dice.one(&["!", "(", ")", "=", ",", "in", " ", ">", "\"", "<5"]);
        text.insert_str(at, wrong);
    }
    text
}

fn requirement(dice: &mut Dice) -> String {
    // Those that are there more often than those that are none.
    let key = KEYS[if dice.chance(85) { dice.below(5) } else { dice.below(10) } as usize];
    let value = *dice.one(&VALUES);
    let space = *dice.one(&["", "", "", " "]);
    let set: Vec<&str> = (0..dice.below(4)).map(|_| *dice.one(&VALUES)).collect();
    let set = set.join(*dice.one(&[",", ", "]));
    match dice.below(12) {
        0 | 1 => format!("{key}{space}={space}{value}"),
        2 => format!("{key}{space}=={space}{value}"),
        3 | 4 => format!("{key}{space}!={space}{value}"),
        5 | 6 => format!("{key} in {space}({space}{set}{space})"),
        7 => format!("{key} notin ({set})"),
        8 => key.to_owned(),
        9 => format!("!{space}{key}"),
        10 => format!("{key}{space}>{space}{value}"),
        _ => format!("{key}{space}<{space}{value}"),
    }
}

fn field_selector(plural: &str, dice: &mut Dice) -> String {
    let own: &[(&str, &[&str])] = match plural {
        "pods" => &[
            ("spec.nodeName", &["n1", "n2", ""]),
            ("spec.restartPolicy", &["Always", "Never"]),
            ("status.phase", &["Pending", "Running"]),
            ("spec.schedulerName", &["other", "default-scheduler"]),
            ("spec.serviceAccountName", &["sa", ""]),
            ("spec.hostNetwork", &["true", "false"]),
            ("status.podIP", &[""]),
            ("status.nominatedNodeName", &["", "x"]),
        ],
        "secrets" => &[("type", &["Opaque", "example.com/own"])],
        "events" => &[
            ("type", &["Normal", "Warning"]),
            ("reason", &["A", "B"]),
            ("source", &["c", "d", "r"]),
            ("reportingComponent", &["", "r"]),
            ("involvedObject.kind", &["Pod", "Node"]),
            ("involvedObject.name", &["p", "q"]),
            ("involvedObject.namespace", &[NAMESPACE]),
            ("involvedObject.uid", &["u"]),
            ("involvedObject.fieldPath", &["f"]),
        ],
        _ => &[],
    };
    let shared: [(&str, &[&str]); 5] = [
        ("metadata.name", &["o01", "o17", "x"]),
        ("metadata.namespace", &[NAMESPACE, "default"]),
        ("spec.unheardOf", &["x"]),
        ("metadata.labels", &["a"]),
        ("Metadata.name", &["o01"]),
    ];
    let count = 1 + dice.below(2);
    let parts: Vec<String> = (0..count)
        .map(|_| {
            let known = if dice.chance(85) { 2 } else { 5 };
            let is_own = !own.is_empty() && dice.chance(70);
            let (key, values) = if is_own { *dice.one(own) } else { *dice.one(&shared[..known]) };
            let value = *dice.one(values);
            let operator = *dice.one(&["=", "=", "==", "!=", "!=", " = ", ">", ""]);
            let operator = if dice.chance(90) && operator.trim().len() != operator.len() {
                "="
            } else {
                operator
            };
            format!("{key}{operator}{value}")
        })
        .collect();
    let mut text = parts.join(*dice.one(&[",", ",", ",", ",,", " , "]));
    if dice.chance(6) {
        let at = dice.below(text.len() as u64 + 1) as usize;
        let wrong = *dice.one(&["\\", "=", ",", "!", " ", "\\,"]);
        text.insert_str(at, wrong);
    }
    text
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    encoded
}
