//! Who may write what of claims of devices, and what goes with a device that a claim no longer has
//! (`k8s.io/kubernetes/pkg/registry/resource`).

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::Value;

use crate::access::{self, Attributes, Target};
use crate::error::Cause;
use crate::kind_validation::names;
use crate::kind_validation::resource_claims::{Known, known};
use crate::request::Call;
use crate::step::Core;
use crate::storage::key;

const GROUP: &str = "resource.k8s.io";
/// What the administrators of a cluster mark a namespace with whose claims may share devices with others.
const ADMINISTRATORS: &str = "resource.kubernetes.io/admin-access";
/// Where the token of a service account says on which node it is used.
const NODE: &str = "authentication.kubernetes.io/node-name";

/// Of so many drivers the devices may change in one update, at most: those of as many results as a claim has, before
/// and after it.
const MOST_DRIVERS: usize = 64;

fn list<'a>(of: &'a Value, path: &str) -> impl Iterator<Item = &'a Value> {
    of.pointer(path).and_then(Value::as_array).into_iter().flatten()
}

const RESULTS: &str = "/status/allocation/devices/results";

/// Nothing is told any more of devices that the claim no longer has.
pub(super) fn forget_devices(new: &mut Value, old: &Value) {
    let kept: BTreeSet<Known<'_>> = list(new, RESULTS).map(known).collect();
    let gone = list(old, RESULTS).map(known).filter(|known| !kept.contains(known));
    let gone: BTreeSet<Known<'_>> = gone.collect();
    if gone.is_empty() {
        return;
    }
    let Some(status) = new.get_mut("status").and_then(Value::as_object_mut) else { return };
    let Some(told) = status.get_mut("devices").and_then(Value::as_array_mut) else { return };
    told.retain(|device| !gone.contains(&known(device)));
    if told.is_empty() {
        status.remove("devices");
    }
}

/// What this user may not write.
pub(super) fn refusals(core: &Core, call: &Call, old: Option<&Value>, new: &Value) -> Vec<Cause> {
    match (&*call.resource.plural, &*call.subresource, old) {
        _ if call.resource.group != GROUP => Vec::new(),
        ("resourceclaims", "", None) => wanted(core, call, new, "/spec/devices/requests"),
        ("resourceclaimtemplates", "", None) => {
            wanted(core, call, new, "/spec/spec/devices/requests")
        }
        ("resourceclaims", "status", Some(old)) => {
            let mut causes = granted(core, call, new, old);
            causes.extend(binding(core, call, new, old));
            causes.extend(drivers(core, call, new, old));
            causes
        }
        _ => Vec::new(),
    }
}

/// Devices that are others' as well are for the namespaces of administrators.
fn wanted(core: &Core, call: &Call, new: &Value, path: &str) -> Vec<Cause> {
    let wants = |request: &Value| request["exactly"]["adminAccess"] == true;
    let at = list(new, path).position(wants);
    let at = at.map(|at| format!("spec.devices.requests[{at}].adminAccess"));
    at.and_then(|field| shared(core, call, field)).into_iter().collect()
}

fn granted(core: &Core, call: &Call, new: &Value, old: &Value) -> Vec<Cause> {
    let grants = |result: &Value| result["adminAccess"] == true;
    if list(old, RESULTS).any(grants) {
        return Vec::new();
    }
    let at = list(new, RESULTS).position(grants);
    let at = at.map(|at| format!("status.allocation.devices.results[{at}].adminAccess"));
    at.and_then(|field| shared(core, call, field)).into_iter().collect()
}

fn shared(core: &Core, call: &Call, field: String) -> Option<Cause> {
    let namespace = core.store.get("namespaces", &key("", &call.namespace));
    let is_marked = namespace
        .is_some_and(|namespace| namespace.value()["metadata"]["labels"][ADMINISTRATORS] == "true");
    let why = format!(
        "admin access to devices requires the `{ADMINISTRATORS}: true` label on the containing \
         namespace"
    );
    (!is_marked).then(|| Cause::forbidden(field, &why))
}

/// What a claim gets, and who uses it, is for schedulers to say.
fn binding(core: &Core, call: &Call, new: &Value, old: &Value) -> Option<Cause> {
    let is_kept = |name: &str| new["status"][name] == old["status"][name];
    if is_kept("allocation") && is_kept("reservedFor") {
        return None;
    }
    let verb = verb(call);
    let why = refused(core, call, (verb, "binding"), ("", ""))?;
    let what = "changing status.allocation or status.reservedFor";
    let needs = format!("requires resource=\"resourceclaims/binding\", verb=\"{verb}\" permission");
    Some(Cause::forbidden("status.allocation", &format!("{what} {needs}: {why}")))
}

/// What is told of devices is for their drivers to say; of those of their own node where they run on it.
fn drivers(core: &Core, call: &Call, new: &Value, old: &Value) -> Vec<Cause> {
    if new["status"]["allocation"].is_null() {
        return Vec::new();
    }
    let mut verbs = vec![format!("arbitrary-node:{}", verb(call))];
    if is_at_node(call, new) {
        verbs.insert(0, format!("associated-node:{}", verb(call)));
    }
    let needs = format!("verb=\"[{}]\" permission", verbs.join(" "));
    let refusal = |driver: &&str| {
        let asked =
            |verb: &String| refused(core, call, (verb, "driver"), (&call.namespace, driver));
        let whys: Vec<String> = verbs.iter().map_while(asked).collect();
        let why = whys.first().filter(|_| whys.len() == verbs.len())?;
        let what = "changing status.devices requires resource=\"resourceclaims/driver\"";
        Some(Cause::forbidden("status.devices", &format!("{what}, {needs}: {why}")))
    };
    let drivers = changed(new, old);
    let mut causes: Vec<Cause> = drivers.iter().take(MOST_DRIVERS).filter_map(refusal).collect();
    // To ask of each takes as long as all rules of access do, and no claim has devices of so many.
    if drivers.len() > MOST_DRIVERS {
        let why = format!("may not be of more than {MOST_DRIVERS} drivers at once");
        causes.push(Cause::forbidden("status.devices", &why));
    }
    causes
}

/// The drivers of the devices of which something else is told than before.
fn changed<'a>(new: &'a Value, old: &'a Value) -> BTreeSet<&'a str> {
    const TOLD: &str = "/status/devices";
    let mut before: BTreeMap<Known<'a>, &Value> =
        list(old, TOLD).map(|one| (known(one), one)).collect();
    let mut drivers = BTreeSet::new();
    for device in list(new, TOLD) {
        let known = known(device);
        if before.remove(&known) != Some(device) {
            let [driver, ..] = known;
            drivers.insert(driver);
        }
    }
    drivers.extend(before.into_keys().map(|[driver, ..]| driver));
    drivers
}

/// Whether a service account makes the request on the one node that a claim was allocated for.
fn is_at_node(call: &Call, new: &Value) -> bool {
    let terms = "/status/allocation/nodeSelector/nodeSelectorTerms";
    let terms: Vec<&Value> = list(new, terms).collect();
    let [term] = terms[..] else { return false };
    let fields: Vec<&Value> = list(term, "/matchFields").collect();
    let [field] = fields[..] else { return false };
    let values: Vec<&str> = list(field, "/values").filter_map(Value::as_str).collect();
    let is_name = field["key"] == "metadata.name" && field["operator"] == "In";
    let ([node], true, None) = (&values[..], is_name, list(term, "/matchExpressions").next())
    else {
        return false;
    };
    let nodes = call.user.extra.get(NODE).map(Vec::as_slice).unwrap_or_default();
    call.user.name.starts_with("system:serviceaccount:")
        && matches!(nodes, [own] if own == node && names::subdomain(own).is_empty())
}

/// Why the user may not do something with a part of a claim that there is for this question alone.
fn refused(
    core: &Core,
    call: &Call,
    (verb, part): (&str, &str),
    (namespace, name): (&str, &str),
) -> Option<String> {
    let target = Target::Resource {
        group: GROUP.to_owned(),
        resource: "resourceclaims".to_owned(),
        subresource: part.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    };
    let asked = Attributes { verb: verb.to_owned(), target };
    let checked = access::check(&core.store, &core.config, &call.user, &asked);
    checked.err().map(|error| error.message)
}

fn verb(call: &Call) -> &'static str {
    if call.method == Method::PATCH { "patch" } else { "update" }
}
