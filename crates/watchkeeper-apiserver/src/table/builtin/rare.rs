//! Kinds that few people list.

use serde_json::Value;

use crate::table::row::{Row, containers, labels, member};

pub(super) fn pod_template(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, "/template/spec/containers");
    vec![row.name(), names, images, labels(row, "/template/metadata/labels").into()]
}

pub(super) fn resource_quota(row: Row<'_>) -> Vec<Value> {
    let (mut requests, mut limits) = (Vec::new(), Vec::new());
    let hard = row.at("/status/hard").and_then(Value::as_object);
    for (name, most) in hard.into_iter().flatten() {
        let used = row.at("/status/used").map_or("", |used| member(used, name));
        let used = if used.is_empty() { "0" } else { used };
        let shown = format!("{name}: {used}/{}", most.as_str().unwrap_or_default());
        if name.starts_with("limits.") { &mut limits } else { &mut requests }.push(shown);
    }
    vec![row.name(), requests.join(", ").into(), limits.join(", ").into(), row.age()]
}

pub(super) fn api_service(row: Row<'_>) -> Vec<Value> {
    let service = match row.at("/spec/service") {
        Some(of) => format!("{}/{}", member(of, "namespace"), member(of, "name")),
        None => "Local".to_owned(),
    };
    let mut conditions = row.items("/status/conditions").iter();
    let available = match conditions.find(|of| member(of, "type") == "Available") {
        None => "Unknown".to_owned(),
        Some(of) => match (member(of, "status"), member(of, "reason")) {
            (status, reason) if status == "True" || reason.is_empty() => status.to_owned(),
            (status, reason) => format!("{status} ({reason})"),
        },
    };
    vec![row.name(), service.into(), available.into(), row.age()]
}

pub(super) fn signing_request(row: Row<'_>) -> Vec<Value> {
    let has = |type_: &str| row.condition(type_).is_some();
    let mut status = match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    }
    .to_owned();
    if has("Failed") {
        status.push_str(",Failed");
    }
    if !row.text("/status/certificate").is_empty() {
        status.push_str(",Issued");
    }
    let duration = row.at("/spec/expirationSeconds").and_then(Value::as_i64);
    let duration = duration.map_or("<none>".to_owned(), crate::table::human_duration);
    vec![
        row.name(),
        row.age(),
        row.text_or("/spec/signerName", "<none>").into(),
        row.text("/spec/username").into(),
        duration.into(),
        status.into(),
    ]
}

pub(super) fn runtime_class(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/handler").into(), row.age()]
}

pub(super) fn csi_node(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.count("/spec/drivers").into(), row.age()]
}

pub(super) fn csi_driver(row: Row<'_>) -> Vec<Value> {
    let join = |pointer: &str, text: fn(&Value) -> &str| {
        row.items(pointer).iter().map(text).collect::<Vec<_>>().join(",")
    };
    let modes = join("/spec/volumeLifecycleModes", |mode| mode.as_str().unwrap_or_default());
    let tokens = match row.at("/spec/tokenRequests") {
        None => "<unset>".to_owned(),
        Some(_) => join("/spec/tokenRequests", |token| member(token, "audience")),
    };
    let attach = row.at("/spec/attachRequired").and_then(Value::as_bool).unwrap_or(true);
    vec![
        row.name(),
        attach.into(),
        row.flag("/spec/podInfoOnMount").into(),
        row.flag("/spec/storageCapacity").into(),
        tokens.into(),
        row.flag("/spec/requiresRepublish").into(),
        if modes.is_empty() { "<none>".into() } else { modes.into() },
        row.age(),
    ]
}

pub(super) fn volume_attachment(row: Row<'_>) -> Vec<Value> {
    vec![
        row.name(),
        row.text("/spec/attacher").into(),
        row.text("/spec/source/persistentVolumeName").into(),
        row.text("/spec/nodeName").into(),
        row.flag("/status/attached").into(),
        row.age(),
    ]
}

pub(super) fn service_cidr(row: Row<'_>) -> Vec<Value> {
    let cidrs = row.items("/spec/cidrs").iter().filter_map(Value::as_str);
    vec![row.name(), cidrs.collect::<Vec<_>>().join(",").into(), row.age()]
}

pub(super) fn admission_policy(row: Row<'_>) -> Vec<Value> {
    let rules = row.count("/spec/validations") + row.count("/spec/mutations");
    let params = match row.at("/spec/paramKind") {
        Some(of) => format!("{}/{}", member(of, "apiVersion"), member(of, "kind")),
        None => "<unset>".to_owned(),
    };
    vec![row.name(), rules.into(), params.into(), row.age()]
}

pub(super) fn admission_binding(row: Row<'_>) -> Vec<Value> {
    let params = match (row.text("/spec/paramRef/name"), row.at("/spec/paramRef/selector")) {
        ("", None) => "<unset>".to_owned(),
        ("", Some(selector)) => go_selector(Row { object: selector, ..row }),
        (name, _) => format!("{}/{name}", row.text_or("/spec/paramRef/namespace", "*")),
    };
    vec![row.name(), row.text("/spec/policyName").into(), params.into(), row.age()]
}

/// A label selector as Go prints the struct, which is what upstream shows.
fn go_selector(selector: Row<'_>) -> String {
    let labels = selector.at("/matchLabels").and_then(Value::as_object).into_iter().flatten();
    let labels: String = labels
        .map(|(key, value)| format!("{key}: {},", value.as_str().unwrap_or_default()))
        .collect();
    let expressions = selector.items("/matchExpressions").iter().map(|of| {
        let values = of.get("values").and_then(Value::as_array).into_iter().flatten();
        let values: Vec<&str> = values.filter_map(Value::as_str).collect();
        let (key, operator) = (member(of, "key"), member(of, "operator"));
        let values = values.join(" ");
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    });
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
         MatchExpressions:[]LabelSelectorRequirement{{{}}},}}",
        expressions.collect::<String>()
    )
}

pub(super) fn volume_attributes_class(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/driverName").into(), row.age()]
}

/// Upstream gives an age, too, for which it has no column.
pub(super) fn ip_address(row: Row<'_>) -> Vec<Value> {
    let Some(of) = row.at("/spec/parentRef") else { return vec![row.name(), "<none>".into()] };
    let mut parent = member(of, "resource").to_lowercase();
    for (gap, part) in [(".", "group"), ("/", "namespace"), ("/", "name")] {
        let text = member(of, part);
        if !text.is_empty() || part == "name" {
            parent.push_str(gap);
            parent.push_str(text);
        }
    }
    vec![row.name(), parent.into()]
}
