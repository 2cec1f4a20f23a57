//! Where the types that upstream has inside differ from those of its APIs: in names, in order, and in what is a pointer
//! (`pkg/apis/core/types.go`).

use watchkeeper_schema::facts::Field;

/// What a pod has of its node's, and what stands there without it; first in its security inside.
pub(super) const HOST: [(&str, &str); 5] = [
    ("hostNetwork", "false"),
    ("hostPID", "false"),
    ("hostIPC", "false"),
    ("shareProcessNamespace", "null"),
    ("hostUsers", "null"),
];

/// Fields that stand elsewhere inside: of a struct, each behind another one.
const MOVED: [(&str, &str, &str); 7] = [
    ("PodSpec", "setHostnameAsFQDN", "subdomain"),
    ("PodSpec", "preemptionPolicy", "priority"),
    ("PodSpec", "overhead", "runtimeClassName"),
    ("PodSecurityContext", "fsGroupChangePolicy", "fsGroup"),
    ("VolumeSource", "quobyte", "rbd"),
    ("PersistentVolumeSource", "quobyte", "rbd"),
    ("PersistentVolumeSource", "flexVolume", "iscsi"),
];

/// The fields of a struct in the order that they have inside.
pub(super) fn fields_of<'a>(model: &str, fields: &'a [Field]) -> Vec<&'a Field> {
    let name = model.rsplit('.').next().unwrap_or_default();
    let is_gone = |field: &Field| {
        let is_host = HOST.iter().any(|(host, _)| *host == field.json);
        name == "PodSpec" && (is_host || field.json == "serviceAccount")
    };
    let mut fields: Vec<&Field> = fields.iter().filter(|field| !is_gone(field)).collect();
    for (_, moved, before) in MOVED.iter().filter(|(of, ..)| *of == name) {
        let Some(from) = fields.iter().position(|field| field.json == *moved) else { continue };
        let field = fields.remove(from);
        let to = fields.iter().position(|field| field.json == *before);
        fields.insert(to.map_or(fields.len(), |at| at + 1), field);
    }
    fields
}

/// Whether a field that is a pointer in the API is none inside.
pub(super) fn is_by_value(model: &str, json: &str) -> bool {
    model.ends_with(".ServiceAccountTokenProjection") && json == "expirationSeconds"
}

/// Names that are no more than the name in JSON with its first word in capitals.
const NAMES: [(&str, &str); 10] = [
    ("cephfs", "CephFS"),
    ("chapAuthDiscovery", "DiscoveryCHAPAuth"),
    ("chapAuthSession", "SessionCHAPAuth"),
    ("cidrs", "CIDRs"),
    ("diskURI", "DataDiskURI"),
    ("seLinux", "SELinux"),
    ("seLinuxChangePolicy", "SELinuxChangePolicy"),
    ("seLinuxOptions", "SELinuxOptions"),
    ("storageos", "StorageOS"),
    ("wwids", "WWIDs"),
];

/// Names of the fields of a few sources of volumes.
const OF_SOURCES: [(&str, &str, &str); 5] = [
    ("RBD", "image", "RBDImage"),
    ("RBD", "monitors", "CephMonitors"),
    ("RBD", "pool", "RBDPool"),
    ("RBD", "user", "RadosUser"),
    ("Glusterfs", "endpoints", "EndpointsName"),
];

/// The name that a member of the struct of a model has in Go.
pub(super) fn go_name(model: &str, json: &str) -> String {
    const SHORT: [&str; 24] = [
        "api", "aws", "cel", "csi", "dns", "fc", "fs", "gce", "gmsa", "grpc", "http", "id", "ip",
        "iqn", "iscsi", "nfs", "os", "pd", "rbd", "ssl", "tcp", "tty", "uid", "url",
    ];
    let name = model.rsplit('.').next().unwrap_or_default();
    let of_source =
        OF_SOURCES.iter().find(|(source, field, _)| name.starts_with(source) && *field == json);
    let known = of_source.map(|(_, _, go)| go);
    let known = known.or_else(|| NAMES.iter().find(|(name, _)| *name == json).map(|(_, go)| go));
    if let Some(known) = known {
        return (*known).to_owned();
    }
    let end = json.find(|c: char| c.is_ascii_uppercase()).unwrap_or(json.len());
    let (first, rest) = json.split_at(end);
    if SHORT.contains(&first) {
        return format!("{}{rest}", first.to_ascii_uppercase());
    }
    let mut letters = first.chars();
    let initial = letters.next().map(|c| c.to_ascii_uppercase());
    initial.into_iter().chain(letters).chain(rest.chars()).collect()
}
