//! The plain kinds of the core group.

use serde_json::Value;

use crate::table::row::{Row, member, since};

pub(super) fn name_and_age(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.age()]
}

pub(super) fn name_and_creation(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/metadata/creationTimestamp").into()]
}

pub(super) fn namespace(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/status/phase").into(), row.age()]
}

pub(super) fn config_map(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), (row.count("/data") + row.count("/binaryData")).into(), row.age()]
}

pub(super) fn secret(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/type").into(), row.count("/data").into(), row.age()]
}

pub(super) fn node(row: Row<'_>) -> Vec<Value> {
    let mut status = match row.condition("Ready") {
        None => "Unknown".to_owned(),
        Some("True") => "Ready".to_owned(),
        Some(_) => "NotReady".to_owned(),
    };
    if row.flag("/spec/unschedulable") {
        status.push_str(",SchedulingDisabled");
    }
    let info = |name: &str| row.text_or(&format!("/status/nodeInfo/{name}"), "<unknown>");
    let kernel = match row.text("/status/nodeInfo/architecture") {
        "" => info("kernelVersion"),
        architecture => format!("{} ({architecture})", info("kernelVersion")),
    };
    vec![
        row.name(),
        status.into(),
        node_roles(row).into(),
        row.age(),
        row.text("/status/nodeInfo/kubeletVersion").into(),
        node_address(row, "InternalIP").into(),
        node_address(row, "ExternalIP").into(),
        info("osImage").into(),
        kernel.into(),
        info("containerRuntimeVersion").into(),
    ]
}

fn node_roles(row: Row<'_>) -> String {
    let labels = row.at("/metadata/labels").and_then(Value::as_object);
    let role = |(key, value): (&String, &Value)| {
        if key == "kubernetes.io/role" {
            return value.as_str().map(str::to_owned);
        }
        key.strip_prefix("node-role.kubernetes.io/").map(str::to_owned)
    };
    let mut roles: Vec<String> = labels.into_iter().flatten().filter_map(role).collect();
    roles.retain(|role| !role.is_empty());
    roles.sort();
    roles.dedup();
    if roles.is_empty() { "<none>".to_owned() } else { roles.join(",") }
}

fn node_address(row: Row<'_>, type_: &str) -> String {
    let addresses = row.items("/status/addresses").iter();
    let found = addresses.into_iter().find(|address| member(address, "type") == type_);
    found.map_or_else(|| "<none>".to_owned(), |address| member(address, "address").to_owned())
}

pub(super) fn persistent_volume(row: Row<'_>) -> Vec<Value> {
    let claim = match row.at("/spec/claimRef") {
        Some(claim) => format!("{}/{}", member(claim, "namespace"), member(claim, "name")),
        None => String::new(),
    };
    let phase = if row.is_deleting() { "Terminating" } else { row.text("/status/phase") };
    vec![
        row.name(),
        row.text_or("/spec/capacity/storage", "0").into(),
        access_modes(row, "/spec/accessModes").into(),
        row.text("/spec/persistentVolumeReclaimPolicy").into(),
        phase.into(),
        claim.into(),
        storage_class(row).into(),
        row.text_or("/spec/volumeAttributesClassName", "<unset>").into(),
        row.text("/status/reason").into(),
        row.age(),
        row.text_or("/spec/volumeMode", "<unset>").into(),
    ]
}

pub(super) fn persistent_volume_claim(row: Row<'_>) -> Vec<Value> {
    let phase = if row.is_deleting() { "Terminating" } else { row.text("/status/phase") };
    let volume = row.text("/spec/volumeName");
    let (capacity, modes) = if volume.is_empty() {
        (String::new(), String::new())
    } else {
        let capacity = row.text_or("/status/capacity/storage", "0");
        (capacity, access_modes(row, "/status/accessModes"))
    };
    vec![
        row.name(),
        phase.into(),
        volume.into(),
        capacity.into(),
        modes.into(),
        storage_class(row).into(),
        row.text_or("/spec/volumeAttributesClassName", "<unset>").into(),
        row.age(),
        row.text_or("/spec/volumeMode", "<unset>").into(),
    ]
}

/// By the annotation of old, if there is one.
fn storage_class(row: Row<'_>) -> &str {
    row.annotation("volume.beta.kubernetes.io/storage-class")
        .unwrap_or_else(|| row.text("/spec/storageClassName"))
}

/// In this order, whatever the object's is.
fn access_modes(row: Row<'_>, pointer: &str) -> String {
    let known = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let has = |mode: &str| row.items(pointer).iter().any(|of| of.as_str() == Some(mode));
    let modes = known.iter().filter(|(mode, _)| has(mode)).map(|(_, short)| *short);
    modes.collect::<Vec<_>>().join(",")
}

pub(super) fn event(row: Row<'_>) -> Vec<Value> {
    let time = |pointers: &[&str]| {
        let found = pointers.iter().map(|p| row.text(p)).find(|text| !text.is_empty());
        since(found.unwrap_or_default(), row.now)
    };
    let first = time(&["/firstTimestamp", "/deprecatedFirstTimestamp", "/eventTime"]);
    let last = match row.at("/series") {
        Some(series) => since(member(series, "lastObservedTime"), row.now),
        None => time(&[
            "/lastTimestamp",
            "/deprecatedLastTimestamp",
            "/firstTimestamp",
            "/deprecatedFirstTimestamp",
            "/eventTime",
        ]),
    };
    let count = match row.at("/series") {
        Some(_) => row.number("/series/count"),
        None => row.number("/count").max(row.number("/deprecatedCount")).max(1),
    };
    // The same object has other names for some fields in events.k8s.io.
    let about = if row.at("/involvedObject").is_some() { "/involvedObject" } else { "/regarding" };
    let about_text = |name: &str| row.text(&format!("{about}/{name}"));
    let kind = about_text("kind").to_lowercase();
    let target = match about_text("name") {
        "" => kind,
        name => format!("{kind}/{name}"),
    };
    vec![
        last.into(),
        row.text("/type").into(),
        row.text("/reason").into(),
        target.into(),
        about_text("fieldPath").into(),
        event_source(row).into(),
        row.text_or("/message", row.text("/note")).trim().into(),
        first.into(),
        count.into(),
        row.name(),
    ]
}

fn event_source(row: Row<'_>) -> String {
    let first = |pointers: [&str; 4]| {
        pointers.into_iter().map(|p| row.text(p)).find(|text| !text.is_empty()).unwrap_or_default()
    };
    let component = first([
        "/source/component",
        "/deprecatedSource/component",
        "/reportingComponent",
        "/reportingController",
    ]);
    let instance =
        first(["/source/host", "/deprecatedSource/host", "/reportingInstance", "/source/host"]);
    if instance.is_empty() { component.to_owned() } else { format!("{component}, {instance}") }
}
