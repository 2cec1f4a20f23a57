//! What has fields: requests and namespaces (apiserver, `pkg/admission/plugin/cel/compile.go`), devices
//! (`dynamic-resource-allocation/cel`), and what patches are made of (apiserver, `pkg/cel/mutation`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::functions::type_named;
use super::types::Type;

/// The fields of an object, with the names of their types.
type Fields = &'static [(&'static str, &'static str)];

/// Each with its name.
const ALL: &[(&str, Fields)] = &[
    ("kubernetes.AdmissionRequest", REQUEST),
    (
        "kubernetes.GroupVersionKind",
        &[("group", "string"), ("version", "string"), ("kind", "string")],
    ),
    (
        "kubernetes.GroupVersionResource",
        &[("group", "string"), ("version", "string"), ("resource", "string")],
    ),
    (
        "kubernetes.UserInfo",
        &[
            ("username", "string"),
            ("uid", "string"),
            ("groups", "list(string)"),
            ("extra", "map(string, list(string))"),
        ],
    ),
    (
        "kubernetes.Namespace",
        &[
            ("metadata", "kubernetes.NamespaceMetadata"),
            ("spec", "kubernetes.NamespaceSpec"),
            ("status", "kubernetes.NamespaceStatus"),
        ],
    ),
    ("kubernetes.NamespaceMetadata", NAMESPACE_METADATA),
    ("kubernetes.NamespaceSpec", &[("finalizers", "list(string)")]),
    (
        "kubernetes.NamespaceStatus",
        &[("conditions", "list(kubernetes.NamespaceCondition)"), ("phase", "string")],
    ),
    (
        "kubernetes.NamespaceCondition",
        &[
            ("status", "string"),
            ("type", "string"),
            ("lastTransitionTime", "timestamp"),
            ("message", "string"),
            ("reason", "string"),
        ],
    ),
    (
        DEVICE,
        &[
            ("driver", "string"),
            ("allowMultipleAllocations", "bool"),
            ("attributes", "map(string, map(string, any))"),
            ("capacity", "map(string, map(string, kubernetes.Quantity))"),
        ],
    ),
];

const REQUEST: Fields = &[
    ("kind", "kubernetes.GroupVersionKind"),
    ("resource", "kubernetes.GroupVersionResource"),
    ("subResource", "string"),
    ("requestKind", "kubernetes.GroupVersionKind"),
    ("requestResource", "kubernetes.GroupVersionResource"),
    ("requestSubResource", "string"),
    ("name", "string"),
    ("namespace", "string"),
    ("operation", "string"),
    ("userInfo", "kubernetes.UserInfo"),
    ("dryRun", "bool"),
    ("options", "dyn"),
];

/// The uid is written in capitals there.
const NAMESPACE_METADATA: Fields = &[
    ("name", "string"),
    ("generateName", "string"),
    ("namespace", "string"),
    ("labels", "map(string, string)"),
    ("annotations", "map(string, string)"),
    ("UID", "string"),
    ("creationTimestamp", "timestamp"),
    ("deletionGracePeriodSeconds", "int"),
    ("deletionTimestamp", "timestamp"),
    ("generation", "int"),
    ("resourceVersion", "string"),
    ("finalizers", "list(string)"),
];

/// The name of what selectors of devices are about.
pub(super) const DEVICE: &str = "kubernetes.DRADevice";

type Known = BTreeMap<&'static str, BTreeMap<&'static str, Type>>;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let read = |(field, of): &(&'static str, &str)| Some((*field, type_named(of)?));
    ALL.iter().map(|(name, fields)| (*name, fields.iter().filter_map(read).collect())).collect()
});

/// The fields of an object that servers know of.
pub(super) fn fields(name: &str) -> Option<&'static BTreeMap<&'static str, Type>> {
    KNOWN.get(name)
}

/// Whether objects of that name may be made by policies that change objects.
pub(super) fn is_patch(name: &str) -> bool {
    matches!(name, "Object" | "JSONPatch") || name.starts_with("Object.")
}

/// The type of a field of what such policies make: any field is there, and nothing else is said of most.
pub(super) fn field_of_patch(object: &str, field: &str) -> Type {
    match (object, field) {
        ("JSONPatch", "op" | "from" | "path") => Type::String,
        ("JSONPatch", "value") => Type::Dyn,
        ("JSONPatch", _) => Type::Unspecified,
        _ => Type::Dyn,
    }
}
