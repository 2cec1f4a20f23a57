//! The kinds of k8s-openapi, and why some of ours are not among them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use watchkeeper_schema::facts::KindFacts;

/// Decodes and encodes an object.
pub(crate) type Theirs = fn(&str) -> Result<String, serde_json::Error>;

fn theirs_of<K: DeserializeOwned + Serialize>(text: &str) -> Result<String, serde_json::Error> {
    serde_json::to_string(&serde_json::from_str::<K>(text)?)
}

macro_rules! table {
    ($($($step:ident)::+,)+) => {
        /// Where the types are.
        pub(crate) const PATHS: &[&str] = &[$(stringify!($($step)::+)),+];

        /// The types by apiVersion and kind.
        pub(crate) fn theirs() -> BTreeMap<(String, String), Theirs> {
            let mut kinds: BTreeMap<_, Theirs> = BTreeMap::new();
            $(
                let api_version =
                    <k8s_openapi::$($step)::+ as k8s_openapi::Resource>::API_VERSION.to_owned();
                let kind = <k8s_openapi::$($step)::+ as k8s_openapi::Resource>::KIND.to_owned();
                kinds.insert((api_version, kind), theirs_of::<k8s_openapi::$($step)::+>);
            )+
            kinds
        }
    };
}

table! {
    api::admissionregistration::v1::MutatingAdmissionPolicy,
    api::admissionregistration::v1::MutatingAdmissionPolicyBinding,
    api::admissionregistration::v1::MutatingWebhookConfiguration,
    api::admissionregistration::v1::ValidatingAdmissionPolicy,
    api::admissionregistration::v1::ValidatingAdmissionPolicyBinding,
    api::admissionregistration::v1::ValidatingWebhookConfiguration,
    api::admissionregistration::v1alpha1::MutatingAdmissionPolicy,
    api::admissionregistration::v1alpha1::MutatingAdmissionPolicyBinding,
    api::admissionregistration::v1beta1::MutatingAdmissionPolicy,
    api::admissionregistration::v1beta1::MutatingAdmissionPolicyBinding,
    api::apiserverinternal::v1alpha1::StorageVersion,
    api::apps::v1::ControllerRevision,
    api::apps::v1::DaemonSet,
    api::apps::v1::Deployment,
    api::apps::v1::ReplicaSet,
    api::apps::v1::StatefulSet,
    api::authentication::v1::SelfSubjectReview,
    api::authentication::v1::TokenRequest,
    api::authentication::v1::TokenReview,
    api::authorization::v1::LocalSubjectAccessReview,
    api::authorization::v1::SelfSubjectAccessReview,
    api::authorization::v1::SelfSubjectRulesReview,
    api::authorization::v1::SubjectAccessReview,
    api::autoscaling::v1::HorizontalPodAutoscaler,
    api::autoscaling::v1::Scale,
    api::autoscaling::v2::HorizontalPodAutoscaler,
    api::batch::v1::CronJob,
    api::batch::v1::Job,
    api::certificates::v1::CertificateSigningRequest,
    api::certificates::v1::ClusterTrustBundle,
    api::certificates::v1::PodCertificateRequest,
    api::certificates::v1beta1::ClusterTrustBundle,
    api::certificates::v1beta1::PodCertificateRequest,
    api::coordination::v1::Lease,
    api::coordination::v1alpha2::LeaseCandidate,
    api::coordination::v1beta1::LeaseCandidate,
    api::core::v1::Binding,
    api::core::v1::ComponentStatus,
    api::core::v1::ConfigMap,
    api::core::v1::Endpoints,
    api::core::v1::Event,
    api::core::v1::LimitRange,
    api::core::v1::Namespace,
    api::core::v1::Node,
    api::core::v1::PersistentVolume,
    api::core::v1::PersistentVolumeClaim,
    api::core::v1::Pod,
    api::core::v1::PodTemplate,
    api::core::v1::ReplicationController,
    api::core::v1::ResourceQuota,
    api::core::v1::Secret,
    api::core::v1::Service,
    api::core::v1::ServiceAccount,
    api::discovery::v1::EndpointSlice,
    api::events::v1::Event,
    api::flowcontrol::v1::FlowSchema,
    api::flowcontrol::v1::PriorityLevelConfiguration,
    api::lifecycle::v1alpha1::Eviction,
    api::lifecycle::v1alpha1::EvictionRequest,
    api::networking::v1::IPAddress,
    api::networking::v1::Ingress,
    api::networking::v1::IngressClass,
    api::networking::v1::NetworkPolicy,
    api::networking::v1::ServiceCIDR,
    api::node::v1::RuntimeClass,
    api::policy::v1::Eviction,
    api::policy::v1::PodDisruptionBudget,
    api::rbac::v1::ClusterRole,
    api::rbac::v1::ClusterRoleBinding,
    api::rbac::v1::Role,
    api::rbac::v1::RoleBinding,
    api::resource::v1::DeviceClass,
    api::resource::v1::DeviceTaintRule,
    api::resource::v1::ResourceClaim,
    api::resource::v1::ResourceClaimTemplate,
    api::resource::v1::ResourceSlice,
    api::resource::v1alpha3::DeviceTaintRule,
    api::resource::v1alpha3::ResourcePoolStatusRequest,
    api::resource::v1beta1::DeviceClass,
    api::resource::v1beta1::ResourceClaim,
    api::resource::v1beta1::ResourceClaimTemplate,
    api::resource::v1beta1::ResourceSlice,
    api::resource::v1beta2::DeviceClass,
    api::resource::v1beta2::DeviceTaintRule,
    api::resource::v1beta2::ResourceClaim,
    api::resource::v1beta2::ResourceClaimTemplate,
    api::resource::v1beta2::ResourceSlice,
    api::scheduling::v1::PriorityClass,
    api::scheduling::v1alpha3::CompositePodGroup,
    api::scheduling::v1alpha3::PodGroup,
    api::scheduling::v1alpha3::Workload,
    api::scheduling::v1beta1::PodGroup,
    api::scheduling::v1beta1::Workload,
    api::storage::v1::CSIDriver,
    api::storage::v1::CSINode,
    api::storage::v1::CSIStorageCapacity,
    api::storage::v1::StorageClass,
    api::storage::v1::VolumeAttachment,
    api::storage::v1::VolumeAttributesClass,
    api::storagemigration::v1::StorageVersionMigration,
    api::storagemigration::v1beta1::StorageVersionMigration,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    apimachinery::pkg::apis::meta::v1::APIGroup,
    apimachinery::pkg::apis::meta::v1::APIGroupList,
    apimachinery::pkg::apis::meta::v1::APIResourceList,
    apimachinery::pkg::apis::meta::v1::APIVersions,
    apimachinery::pkg::apis::meta::v1::Status,
    kube_aggregator::pkg::apis::apiregistration::v1::APIService,
}

/// How many kinds there are at least.
pub(crate) const AT_LEAST: usize = 95;

/// Where the two differ, and why.
pub(crate) const KNOWN: &[(&str, &str)] = &[
    ("policy/v1 Eviction /deleteOptions/apiVersion", SAYS_ITS_KIND),
    ("policy/v1 Eviction /deleteOptions/kind", SAYS_ITS_KIND),
    ("resource.k8s.io/v1 ResourceSlice /spec/devices/nodeAllocatableResourceMappings", GONE),
    (
        "resource.k8s.io/v1beta1 ResourceSlice /spec/devices/basic/nodeAllocatableResourceMappings",
        GONE,
    ),
    ("resource.k8s.io/v1beta2 ResourceSlice /spec/devices/nodeAllocatableResourceMappings", GONE),
    ("v1 Pod /status/nodeAllocatableResourceClaimStatuses/resources", GONE),
];

const SAYS_ITS_KIND: &str = "the lean type says what it is, also within another";
const GONE: &str = "alpha in 1.36, otherwise in the newest release: k8s-openapi does not know it";

pub(crate) const ONLY_THEIRS: &str = "newer than the release that the lean types are made of";

/// Why k8s-openapi has no such kind.
pub(crate) fn why_not(kind: &KindFacts) -> &'static str {
    let is_stable = !kind.version.contains("alpha") && !kind.version.contains("beta");
    let is_resource = !kind.plural.is_empty();
    if !is_resource && (is_stable || kind.group == "apidiscovery.k8s.io") {
        "no resource: what is asked with or answered, of which k8s-openapi makes no kind"
    } else if !is_resource {
        "a version that servers of 1.36 do not have any more"
    } else if kind.off {
        "an alpha or beta version that the newest release does not have any more"
    } else {
        panic!("{} {} is missing", kind.api_version(), kind.kind)
    }
}

/// The kinds in the source of k8s-openapi, of the newest release that it has.
pub(crate) fn in_the_source() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "k8s-openapi");
    let manifest = package.expect("k8s-openapi")["manifest_path"].as_str().expect("a path");
    let source = Path::new(manifest).with_file_name("src");
    let releases = std::fs::read_dir(&source).expect("its source");
    let releases = releases.map(|entry| entry.expect("an entry").path());
    let newest = releases.filter(|path| path.is_dir()).max().expect("a release");
    let mut found = BTreeSet::new();
    collect(&newest, "", &mut found);
    found
}

fn collect(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            collect(&path, &format!("{module}{name}::"), found);
        } else {
            found.extend(kinds_of(&path).into_iter().map(|kind| format!("{module}{kind}")));
        }
    }
}

fn kinds_of(file: &PathBuf) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a source");
    let kinds = text.lines().filter_map(|line| line.strip_prefix("impl crate::Resource for "));
    kinds.filter_map(|rest| rest.strip_suffix(" {")).map(str::to_owned).collect()
}
