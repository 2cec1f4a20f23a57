//! Which groups and versions are generated, and the reviewed choices about them.

/// The groups to generate, and what is decided by hand about their fields.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The groups in the order of their names; `meta` is always compiled, others have a feature.
    pub groups: Vec<Group>,
    /// Fields whose value is often the same in many objects: they become `Shared<…>`. A field is
    /// named by its model and its JSON name.
    pub shared: Vec<(&'static str, &'static str)>,
    /// Fields whose text hardly repeats in other objects: they are not interned.
    pub unique: Vec<(&'static str, &'static str)>,
    /// Fields that replicas have in common and that everybody edits: decoders clone them when their
    /// text comes again.
    pub same: Vec<(&'static str, &'static str)>,
    /// Lists whose elements are shared one by one: they become `List<Shared<…>>`.
    pub each: Vec<(&'static str, &'static str)>,
}

/// A group of the API: a module and a cargo feature of `watchkeeper-api`.
#[derive(Clone, Debug)]
pub struct Group {
    /// The module and, except for `meta`, the cargo feature.
    pub name: &'static str,
    /// The start of its model names, up to the version.
    pub package: &'static str,
    /// The versions to generate.
    pub versions: &'static [&'static str],
    /// Generate every struct of the package, and not only what the kinds need.
    pub whole: bool,
    /// Structs that get a file of their own beside the kinds, in a group too large for one file.
    pub families: &'static [&'static str],
}

/// The name of the group that has no feature.
pub(crate) const META: &str = "meta";

const fn group(
    name: &'static str,
    package: &'static str,
    versions: &'static [&'static str],
) -> Group {
    Group { name, package, versions, whole: false, families: &[] }
}

impl Groups {
    /// The groups of Kubernetes that `watchkeeper-api` has.
    #[must_use]
    pub fn kubernetes() -> Self {
        Self {
            groups: vec![
                group("admission", "io.k8s.api.admission", &["v1"]),
                group(
                    "admissionregistration",
                    "io.k8s.api.admissionregistration",
                    &["v1", "v1alpha1", "v1beta1"],
                ),
                group(
                    "apiextensions",
                    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
                    &["v1"],
                ),
                group("apidiscovery", "io.k8s.api.apidiscovery", &["v2"]),
                group(
                    "apiregistration",
                    "io.k8s.kube-aggregator.pkg.apis.apiregistration",
                    &["v1"],
                ),
                group("apiserverinternal", "io.k8s.api.apiserverinternal", &["v1alpha1"]),
                group("apps", "io.k8s.api.apps", &["v1"]),
                group("authentication", "io.k8s.api.authentication", &["v1"]),
                group("authorization", "io.k8s.api.authorization", &["v1"]),
                group("autoscaling", "io.k8s.api.autoscaling", &["v1", "v2"]),
                group("batch", "io.k8s.api.batch", &["v1"]),
                group("certificates", "io.k8s.api.certificates", &["v1", "v1alpha1", "v1beta1"]),
                group("coordination", "io.k8s.api.coordination", &["v1", "v1alpha2", "v1beta1"]),
                Group { families: CORE, ..group("core", "io.k8s.api.core", &["v1"]) },
                group("discovery", "io.k8s.api.discovery", &["v1"]),
                group("events", "io.k8s.api.events", &["v1"]),
                group("flowcontrol", "io.k8s.api.flowcontrol", &["v1"]),
                Group {
                    whole: true,
                    families: METADATA,
                    ..group(META, "io.k8s.apimachinery.pkg.apis.meta", &["v1"])
                },
                group("networking", "io.k8s.api.networking", &["v1", "v1beta1"]),
                group("node", "io.k8s.api.node", &["v1"]),
                group("policy", "io.k8s.api.policy", &["v1"]),
                group("rbac", "io.k8s.api.rbac", &["v1"]),
                group("resource", "io.k8s.api.resource", &["v1", "v1alpha3", "v1beta1", "v1beta2"]),
                group("scheduling", "io.k8s.api.scheduling", &["v1", "v1alpha2"]),
                group("storage", "io.k8s.api.storage", &["v1", "v1beta1"]),
                group("storagemigration", "io.k8s.api.storagemigration", &["v1beta1"]),
            ],
            shared: SHARED.to_vec(),
            unique: UNIQUE.to_vec(),
            same: SAME.to_vec(),
            each: EACH.to_vec(),
        }
    }

    pub(crate) fn is_shared(&self, model: &str, json: &str) -> bool {
        self.shared.contains(&(model, json))
    }

    pub(crate) fn is_same(&self, model: &str, json: &str) -> bool {
        self.same.contains(&(model, json))
    }

    pub(crate) fn is_each(&self, model: &str, json: &str) -> bool {
        self.each.contains(&(model, json))
    }

    pub(crate) fn is_unique(&self, model: &str, json: &str) -> bool {
        self.unique.contains(&(model, json))
    }
}

/// What belongs together in `meta`.
const METADATA: &[&str] = &[
    "ObjectMeta",
    "LabelSelector",
    "Condition",
    "Status",
    "Table",
    "APIGroupList",
    "APIResourceList",
    "DeleteOptions",
];

/// The parts of a pod that are worth a file.
const CORE: &[&str] = &["Affinity", "Container", "Volume", "PersistentVolumeSpec", "PodSpec"];

/// Pods of one workload differ in little: what their containers carry is the same text again and
/// again, and so are the tolerations and the projected tokens that the server adds to every pod.
const SHARED: &[(&str, &str)] = &[
    ("io.k8s.api.core.v1.Container", "args"),
    ("io.k8s.api.core.v1.Container", "command"),
    ("io.k8s.api.core.v1.Container", "env"),
    ("io.k8s.api.core.v1.Container", "livenessProbe"),
    ("io.k8s.api.core.v1.Container", "ports"),
    ("io.k8s.api.core.v1.Container", "readinessProbe"),
    ("io.k8s.api.core.v1.Container", "resources"),
    ("io.k8s.api.core.v1.Container", "securityContext"),
    ("io.k8s.api.core.v1.Container", "startupProbe"),
    ("io.k8s.api.core.v1.ContainerStatus", "resources"),
    ("io.k8s.api.core.v1.PodSpec", "affinity"),
    ("io.k8s.api.core.v1.PodSpec", "securityContext"),
    ("io.k8s.api.core.v1.PodSpec", "tolerations"),
    ("io.k8s.api.core.v1.VolumeSource", "projected"),
];

/// What names one object, or one version of it.
const UNIQUE: &[(&str, &str)] = &[
    ("io.k8s.api.core.v1.ContainerStatus", "containerID"),
    ("io.k8s.api.core.v1.PodIP", "ip"),
    ("io.k8s.api.core.v1.PodStatus", "podIP"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "name"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "resourceVersion"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "uid"),
];

/// What replicas have in common beside [`SHARED`].
const SAME: &[(&str, &str)] = &[
    ("io.k8s.api.core.v1.ContainerStatus", "allocatedResources"),
    ("io.k8s.api.core.v1.PodSpec", "nodeSelector"),
    ("io.k8s.api.core.v1.PodSpec", "topologySpreadConstraints"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "annotations"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "labels"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "ownerReferences"),
];

/// Lists whose elements are shared one by one. One of a pod's volumes has a name of its own, which the server
/// gave it; the others are those of its workload.
const EACH: &[(&str, &str)] = &[
    ("io.k8s.api.core.v1.Container", "volumeMounts"),
    ("io.k8s.api.core.v1.ContainerStatus", "volumeMounts"),
    ("io.k8s.api.core.v1.PodSpec", "volumes"),
];
