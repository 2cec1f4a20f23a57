//! Reading a definition: its versions, names and conditions.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use watchkeeper_schema::Schema;
use watchkeeper_schema::rules::Rules;

use super::{CustomVersion, ScalePaths, sync};
use crate::clock::Now;
use crate::convert::webhook::Webhook;
use crate::meta;
use crate::resource::{Resource, Subresource};
use crate::storage::{Table, TableName, VersionSchemas};

/// The versions as they are written.
#[must_use]
pub fn versions(crd: &Value) -> &[Value] {
    crd["spec"]["versions"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The table of the instances.
#[must_use]
pub fn table(crd: &Value) -> TableName {
    sync::table(text(&crd["spec"], "group"), text(&crd["spec"]["names"], "plural"))
}

fn storage_version(crd: &Value) -> &str {
    let storage = versions(crd).iter().find(|version| version["storage"] == true);
    storage.map(|version| text(version, "name")).unwrap_or_default()
}

/// Adds the storage version to `status.storedVersions`.
pub fn note_stored_version(crd: &mut Value) {
    let storage = Value::from(storage_version(crd));
    let stored = &mut crd["status"]["storedVersions"];
    match stored.as_array_mut() {
        Some(list) if list.contains(&storage) => {}
        Some(list) => list.push(storage),
        None => *stored = json!([storage]),
    }
}

/// V10.1: names that no other definition of the group has are accepted; then it is established.
pub fn accept_names(crd: &mut Value, others: Option<&Table>, now: Now) {
    let taken = taken_names(crd, others);
    let wanted = crd["spec"]["names"].clone();
    let clash = accept_free(&wanted, &taken, &mut crd["status"]["acceptedNames"]);
    let accepted = match &clash {
        None => condition("NamesAccepted", "True", "NoConflicts", "no conflicts found", now),
        Some((reason, name)) => {
            let message = format!("{} is already in use", crate::error::quoted(name));
            condition("NamesAccepted", "False", reason, &message, now)
        }
    };
    set_condition(crd, accepted);
    if clash.is_none() {
        let message = "the initial names have been accepted";
        set_condition(crd, condition("Established", "True", "InitialNamesAccepted", message, now));
    } else if !is_established(crd) {
        let message = "not all names are accepted";
        set_condition(crd, condition("Established", "False", "NotAccepted", message, now));
    }
}

/// The names that the other definitions of the group have.
fn taken_names(crd: &Value, others: Option<&Table>) -> [BTreeSet<String>; 2] {
    let (mut resources, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    let own = meta::name(crd);
    for other in others.into_iter().flat_map(|table| table.values()) {
        if other.name() == own {
            continue;
        }
        let other = other.glimpse(&["spec.group", "status.acceptedNames"]);
        if other["spec"]["group"] != crd["spec"]["group"] {
            continue;
        }
        let names = &other["status"]["acceptedNames"];
        for name in ["plural", "singular"] {
            resources.insert(text(names, name).to_owned());
        }
        resources.extend(texts(&names["shortNames"]));
        for name in ["kind", "listKind"] {
            kinds.insert(text(names, name).to_owned());
        }
    }
    resources.remove("");
    kinds.remove("");
    [resources, kinds]
}

/// Accepts the names that are free. Of those that are not the last one is told.
fn accept_free(
    wanted: &Value,
    taken: &[BTreeSet<String>; 2],
    accepted: &mut Value,
) -> Option<(&'static str, String)> {
    let [resources, kinds] = taken;
    let mut found = None;
    for (member, reason, taken) in [
        ("plural", "PluralConflict", resources),
        ("singular", "SingularConflict", resources),
        ("shortNames", "ShortNamesConflict", resources),
        ("kind", "KindConflict", kinds),
        ("listKind", "ListKindConflict", kinds),
    ] {
        let wanted = &wanted[member];
        let names = wanted.as_str().map_or_else(|| texts(wanted), |name| vec![name.to_owned()]);
        match names.into_iter().find(|name| taken.contains(name)) {
            Some(name) => found = Some((reason, name)),
            None => take(accepted, member, wanted),
        }
    }
    take(accepted, "categories", &wanted["categories"]);
    found
}

fn take(accepted: &mut Value, member: &str, wanted: &Value) {
    if !wanted.is_null() {
        accepted[member] = wanted.clone();
    } else if let Some(accepted) = accepted.as_object_mut() {
        accepted.remove(member);
    }
}

/// A condition of a definition.
#[must_use]
pub fn condition(kind: &str, status: &str, reason: &str, message: &str, now: Now) -> Value {
    json!({
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": now.rfc3339(),
    })
}

/// Adds or replaces a condition; the transition time stays while the status does.
pub fn set_condition(crd: &mut Value, mut condition: Value) {
    if !crd["status"]["conditions"].is_array() {
        crd["status"]["conditions"] = json!([]);
    }
    let Some(list) = crd["status"]["conditions"].as_array_mut() else { return };
    match list.iter_mut().find(|one| one["type"] == condition["type"]) {
        Some(old) => {
            if old["status"] == condition["status"] {
                condition["lastTransitionTime"] = old["lastTransitionTime"].clone();
            }
            *old = condition;
        }
        None => list.push(condition),
    }
}

/// Whether the definition is served.
#[must_use]
pub fn is_established(crd: &Value) -> bool {
    let list = crd["status"]["conditions"].as_array().into_iter().flatten();
    list.into_iter().any(|one| one["type"] == "Established" && one["status"] == "True")
}

/// The resources of the served versions.
#[must_use]
pub fn resources(crd: &Value) -> Vec<Resource> {
    let shared = Shared::of(crd);
    let served = versions(crd).iter().filter(|version| version["served"] == true);
    served.map(|version| resource(crd, version, &shared)).collect()
}

/// The resource in the version that is stored, served or not.
#[must_use]
pub fn storage_resource(crd: &Value) -> Option<Resource> {
    let stored = versions(crd).iter().find(|version| version["storage"] == true);
    stored.map(|version| resource(crd, version, &Shared::of(crd)))
}

/// Whether other definitions have names that this one wants.
#[must_use]
pub fn waits_for_names(crd: &Value) -> bool {
    names_refused(crd).is_some() && !meta::is_deleting(crd)
}

/// The name that another definition has, if that is why this one is not served.
pub(super) fn clash_of_names(crd: &Value) -> Option<String> {
    names_refused(crd).map(|one| format!("{}: {}", text(one, "reason"), text(one, "message")))
}

/// The condition that says so.
fn names_refused(crd: &Value) -> Option<&Value> {
    let mut list = crd["status"]["conditions"].as_array().into_iter().flatten();
    list.find(|one| one["type"] == "NamesAccepted" && one["status"] == "False")
}

/// What all versions have in common.
struct Shared {
    schemas: Arc<VersionSchemas>,
    conversion: Option<Arc<Webhook>>,
}

impl Shared {
    fn of(crd: &Value) -> Self {
        let schemas = Arc::new(schemas(crd));
        let conversion = Webhook::of(crd, &schemas).map(Arc::new);
        Self { schemas, conversion }
    }
}

fn resource(crd: &Value, version: &Value, shared: &Shared) -> Resource {
    let spec = &crd["spec"];
    let names = &crd["status"]["acceptedNames"];
    let (group, plural) = (text(spec, "group"), text(names, "plural"));
    let custom = custom_version(crd, version, shared);
    Resource {
        group: group.to_owned(),
        version: text(version, "name").to_owned(),
        kind: text(names, "kind").to_owned(),
        list_kind: text(names, "listKind").to_owned(),
        plural: plural.to_owned(),
        singular: text(names, "singular").to_owned(),
        namespaced: spec["scope"] == "Namespaced",
        verbs: VERBS.iter().map(|verb| (*verb).to_owned()).collect(),
        short_names: texts(&names["shortNames"]),
        categories: texts(&names["categories"]),
        subresources: subresources(group, version, text(names, "kind")),
        table: table(crd),
        model: String::new(),
        custom: Some(Arc::new(custom)),
        empty: OnceLock::new(),
    }
}

const VERBS: [&str; 8] =
    ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

fn subresources(group: &str, version: &Value, kind: &str) -> Vec<Subresource> {
    let declared = &version["subresources"];
    let verbs = || ["get", "patch", "update"].map(str::to_owned).to_vec();
    let mut all = Vec::new();
    if declared["status"].is_object() {
        all.push(Subresource {
            name: "status".to_owned(),
            group: group.to_owned(),
            version: text(version, "name").to_owned(),
            kind: kind.to_owned(),
            verbs: verbs(),
        });
    }
    if declared["scale"].is_object() {
        all.push(Subresource {
            name: "scale".to_owned(),
            group: "autoscaling".to_owned(),
            version: "v1".to_owned(),
            kind: "Scale".to_owned(),
            verbs: verbs(),
        });
    }
    all
}

fn custom_version(crd: &Value, version: &Value, shared: &Shared) -> CustomVersion {
    let scale = &version["subresources"]["scale"];
    let selectable = version["selectableFields"].as_array().into_iter().flatten();
    CustomVersion {
        definition: meta::name(crd).to_owned(),
        schema: schema(version).map(Arc::new),
        metadata: stated_metadata(version).map(Arc::new),
        rules: rules(version).map(Arc::new),
        columns: version["additionalPrinterColumns"].clone(),
        selectable: selectable
            .map(|field| text(field, "jsonPath").trim_start_matches('.').to_owned())
            .collect(),
        scale: scale.is_object().then(|| ScalePaths {
            spec: path(text(scale, "specReplicasPath")),
            status: path(text(scale, "statusReplicasPath")),
            selector: scale["labelSelectorPath"].as_str().map(path),
        }),
        schemas: Arc::clone(&shared.schemas),
        conversion: shared.conversion.clone(),
        storage_version: storage_version(crd).to_owned(),
        deprecation: deprecation(crd, version),
        terminating: meta::is_deleting(crd),
    }
}

/// `.spec.replicas` as keys.
fn path(text: &str) -> Vec<String> {
    text.split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// The rules of a version's schema; none when there are none.
fn rules(version: &Value) -> Option<Rules> {
    let schema = Schema::from_crd_json(version.pointer("/schema/openAPIV3Schema")?).ok()?;
    Rules::compile_stored(&schema, "").ok().filter(|rules| !rules.is_empty())
}

/// The schema of a version; none when everything is kept.
fn schema(version: &Value) -> Option<Schema> {
    let written = version.pointer("/schema/openAPIV3Schema")?;
    Schema::from_crd_json(written).ok().map(Schema::into_resource)
}

/// What the schema of a version says of names, if it does: `metadata` is of its own type there whatever is said of it.
fn stated_metadata(version: &Value) -> Option<Schema> {
    let metadata = version.pointer("/schema/openAPIV3Schema/properties/metadata")?;
    let mut stated = Schema::from_crd_json(metadata).ok()?;
    stated.properties.retain(|_, of| *of != Schema::string());
    let says = !stated.properties.is_empty() || !stated.required.is_empty();
    says.then(|| Schema::default().property("metadata", stated))
}

/// The schemas of all versions, served or not, by `apiVersion`.
#[must_use]
pub fn schemas(crd: &Value) -> VersionSchemas {
    let group = text(&crd["spec"], "group");
    let named = |version| Some((format!("{group}/{}", text(version, "name")), schema(version)?));
    versions(crd)
        .iter()
        .filter_map(named)
        .map(|(api_version, schema)| (api_version, Arc::new(schema)))
        .collect()
}

fn deprecation(crd: &Value, version: &Value) -> Option<String> {
    if version["deprecated"] != true {
        return None;
    }
    let own = version["deprecationWarning"].as_str().map(str::to_owned);
    Some(own.unwrap_or_else(|| {
        let (group, name) = (text(&crd["spec"], "group"), text(version, "name"));
        format!("{group}/{name} {} is deprecated", text(&crd["spec"]["names"], "kind"))
    }))
}

#[cfg(test)]
mod tests;
