//! The rules of core/v1.

use serde_json::{Value, json};
use watchkeeper_api::Quantity;
use watchkeeper_api::quantity::Amount;

use super::{Object, default, default_text, inner, is_empty, text};

/// Requests follow limits, service links are on, and ports of the host network are the container's.
pub(super) fn pod(object: &mut Object) {
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
    default(spec, "enableServiceLinks", true);
    let host_network = spec.get("hostNetwork") == Some(&Value::Bool(true));
    for list in ["containers", "initContainers"] {
        let containers = spec.get_mut(list).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
            request_limits(container);
            if host_network {
                publish_ports(container);
            }
        }
    }
}

fn request_limits(container: &mut Object) {
    let resources = container.get_mut("resources").and_then(Value::as_object_mut);
    let Some(resources) = resources else { return };
    let limits = resources.get("limits").and_then(Value::as_object).cloned();
    let Some(limits) = limits.filter(|limits| !limits.is_empty()) else { return };
    if let Some(requests) = inner(resources, "requests") {
        for (name, limit) in limits {
            requests.entry(name).or_insert(limit);
        }
    }
}

fn publish_ports(container: &mut Object) {
    let ports = container.get_mut("ports").and_then(Value::as_array_mut);
    for port in ports.into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(number) = port.get("containerPort").cloned() {
            default(port, "hostPort", number);
        }
    }
}

/// The old name of the service account says the same as the new one.
pub(super) fn pod_spec(object: &mut Object) {
    let (old, new) = (text(object, "serviceAccount"), text(object, "serviceAccountName"));
    let name = if new.is_empty() { old } else { new }.to_owned();
    if !name.is_empty() {
        object.insert("serviceAccount".to_owned(), name.clone().into());
        object.insert("serviceAccountName".to_owned(), name.into());
    }
}

/// The pod's address is the first of its addresses.
pub(super) fn pod_status(object: &mut Object) {
    let first = object.get("podIPs").and_then(|ips| ips.pointer("/0/ip")).cloned();
    match first {
        Some(ip) => {
            object.insert("podIP".to_owned(), ip);
        }
        None if !text(object, "podIP").is_empty() => {
            let ip = text(object, "podIP").to_owned();
            object.insert("podIPs".to_owned(), json!([{"ip": ip}]));
        }
        None => {}
    }
}

pub(super) fn container(object: &mut Object) {
    let policy = if is_latest(text(object, "image")) { "Always" } else { "IfNotPresent" };
    default_text(object, "imagePullPolicy", policy);
}

/// Whether an image has the tag `latest`, which it also has when it has neither tag nor digest.
fn is_latest(image: &str) -> bool {
    if image.is_empty() || image.contains('@') {
        return false;
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}

/// Resources are counted in thousandths; what is finer is rounded up.
pub(super) fn resources(object: &mut Object) {
    const MILLI: i128 = 1_000_000;
    for list in ["limits", "requests"] {
        let amounts = object.get_mut(list).and_then(Value::as_object_mut);
        for amount in amounts.into_iter().flatten().map(|(_, amount)| amount) {
            let Some(read) = amount.as_str().and_then(|t| Quantity::from(t).amount().ok()) else {
                continue;
            };
            let rest = read.nanos().rem_euclid(MILLI);
            if rest != 0 {
                let rounded = Amount::from_nanos(read.nanos() - rest + MILLI, read.format());
                *amount = Quantity::from(rounded).to_string().into();
            }
        }
    }
}

/// A volume without a source is an empty directory.
pub(super) fn volume(object: &mut Object) {
    let has_source = object.iter().any(|(name, value)| name != "name" && !value.is_null());
    if !has_source {
        object.insert("emptyDir".to_owned(), json!({}));
    }
    if let Some(image) = object.get_mut("image").and_then(Value::as_object_mut) {
        let policy = match is_latest(text(image, "reference")) {
            true => "Always",
            false => "IfNotPresent",
        };
        default_text(image, "pullPolicy", policy);
    }
}

/// What is sent to the address of a load balancer goes on to the nodes as it came.
pub(super) fn service(object: &mut Object) {
    let is_balancer =
        object.get("spec").and_then(|spec| spec.get("type")) == Some(&json!("LoadBalancer"));
    let status = object.get_mut("status").filter(|_| is_balancer);
    let points = status.and_then(|status| status.pointer_mut("/loadBalancer/ingress"));
    let points = points.and_then(Value::as_array_mut).into_iter().flatten();
    for point in points.filter_map(Value::as_object_mut) {
        if !text(point, "ip").is_empty() {
            default(point, "ipMode", "VIP");
        }
    }
}

pub(super) fn service_spec(object: &mut Object) {
    default_text(object, "sessionAffinity", "None");
    match text(object, "sessionAffinity") {
        "None" => {
            object.remove("sessionAffinityConfig");
        }
        "ClientIP" => {
            let config = object.get("sessionAffinityConfig");
            let timeout = config.and_then(|config| config.pointer("/clientIP/timeoutSeconds"));
            if is_empty(timeout) {
                let config = json!({"clientIP": {"timeoutSeconds": 10_800}});
                object.insert("sessionAffinityConfig".to_owned(), config);
            }
        }
        _ => {}
    }
    default_text(object, "type", "ClusterIP");
    let type_ = text(object, "type").to_owned();
    let external = matches!(type_.as_str(), "LoadBalancer" | "NodePort")
        || (type_ == "ClusterIP" && !is_empty(object.get("externalIPs")));
    if external {
        default_text(object, "externalTrafficPolicy", "Cluster");
    }
    if matches!(type_.as_str(), "NodePort" | "LoadBalancer" | "ClusterIP") {
        default(object, "internalTrafficPolicy", "Cluster");
    }
    if type_ == "LoadBalancer" {
        default(object, "allocateLoadBalancerNodePorts", true);
    }
}

/// Traffic goes to the port of the same number.
pub(super) fn service_port(object: &mut Object) {
    let target = object.get("targetPort");
    let unset = target.is_none_or(|t| t.is_null() || *t == json!(0) || *t == json!(""));
    if let Some(port) = object.get("port").filter(|_| unset).cloned() {
        object.insert("targetPort".to_owned(), port);
    }
}

/// Namespaces carry their name as a label.
pub(super) fn namespace(object: &mut Object) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let name = text(metadata, "name").to_owned();
    if name.is_empty() {
        return;
    }
    if let Some(labels) = inner(metadata, "labels") {
        labels.insert("kubernetes.io/metadata.name".to_owned(), name.into());
    }
}

/// What a node has is for pods unless it says otherwise.
pub(super) fn node_status(object: &mut Object) {
    if let Some(capacity) = object.get("capacity").filter(|c| !is_empty(Some(c))).cloned() {
        default(object, "allocatable", capacity);
    }
}

/// Selector and labels are the template's.
pub(super) fn replication_controller(object: &mut Object) {
    let labels = object.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels"));
    let Some(labels) = labels.filter(|labels| !is_empty(Some(labels))).cloned() else { return };
    for (outer, name) in [("spec", "selector"), ("metadata", "labels")] {
        if let Some(into) = object.get_mut(outer).and_then(Value::as_object_mut)
            && is_empty(into.get(name))
        {
            into.insert(name.to_owned(), labels.clone());
        }
    }
}

/// What containers may have is what they have unless they ask, and what they have is what they ask for.
pub(super) fn limit_range_item(item: &mut Object) {
    if text(item, "type") != "Container" {
        return;
    }
    for (from, to) in [("max", "default"), ("default", "defaultRequest"), ("min", "defaultRequest")]
    {
        let Some(Value::Object(from)) = item.get(from).cloned() else { continue };
        let Some(to) = inner(item, to) else { continue };
        for (name, amount) in from {
            default(to, &name, amount);
        }
    }
}

/// What admission adds to every new pod: the default priority, and that it tolerates a node in
/// trouble for five minutes (plugins Priority and DefaultTolerationSeconds).
pub fn admit_pod(pod: &mut Value) {
    let Some(spec) = pod.get_mut("spec").and_then(Value::as_object_mut) else { return };
    default(spec, "priority", 0);
    default(spec, "preemptionPolicy", "PreemptLowerPriority");
    tolerate(spec);
}

/// What the admission of a pod that is updated adds (upstream's `DefaultTolerationSeconds`).
pub fn admit_tolerations(pod: &mut Value) {
    if let Some(spec) = pod.get_mut("spec").and_then(Value::as_object_mut) {
        tolerate(spec);
    }
}

fn tolerate(spec: &mut Object) {
    default(spec, "tolerations", json!([]));
    let Some(tolerations) = spec.get_mut("tolerations").and_then(Value::as_array_mut) else {
        return;
    };
    for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        if !tolerations.iter().any(|toleration| tolerates(toleration, key)) {
            tolerations.push(json!({"key": key, "operator": "Exists", "effect": "NoExecute",
                "tolerationSeconds": 300}));
        }
    }
}

fn tolerates(toleration: &Value, key: &str) -> bool {
    let member = |name| toleration.get(name).and_then(Value::as_str).unwrap_or_default();
    matches!(member("effect"), "" | "NoExecute")
        && (member("key") == key || member("key").is_empty())
}

/// The first range of a node is told twice, and the older way of telling it wins.
pub(super) fn node_spec(object: &mut Object) {
    let range = text(object, "podCIDR").to_owned();
    let ranges = object.get("podCIDRs").and_then(Value::as_array).cloned().unwrap_or_default();
    let first = ranges.first().and_then(Value::as_str).unwrap_or_default().to_owned();
    if !range.is_empty() && range != first {
        object.insert("podCIDRs".to_owned(), json!([range]));
    } else if range.is_empty() && !first.is_empty() {
        object.insert("podCIDR".to_owned(), first.into());
    }
}
