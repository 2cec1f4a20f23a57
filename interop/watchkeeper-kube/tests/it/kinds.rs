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
    api::certificates::v1alpha1::ClusterTrustBundle,
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
    api::networking::v1::IPAddress,
    api::networking::v1::Ingress,
    api::networking::v1::IngressClass,
    api::networking::v1::NetworkPolicy,
    api::networking::v1::ServiceCIDR,
    api::networking::v1beta1::IPAddress,
    api::networking::v1beta1::ServiceCIDR,
    api::node::v1::RuntimeClass,
    api::policy::v1::Eviction,
    api::policy::v1::PodDisruptionBudget,
    api::rbac::v1::ClusterRole,
    api::rbac::v1::ClusterRoleBinding,
    api::rbac::v1::Role,
    api::rbac::v1::RoleBinding,
    api::resource::v1::DeviceClass,
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
    api::scheduling::v1alpha2::PodGroup,
    api::scheduling::v1alpha2::Workload,
    api::storage::v1::CSIDriver,
    api::storage::v1::CSINode,
    api::storage::v1::CSIStorageCapacity,
    api::storage::v1::StorageClass,
    api::storage::v1::VolumeAttachment,
    api::storage::v1::VolumeAttributesClass,
    api::storage::v1beta1::VolumeAttributesClass,
    api::storagemigration::v1beta1::StorageVersionMigration,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    apimachinery::pkg::apis::meta::v1::APIGroup,
    apimachinery::pkg::apis::meta::v1::APIGroupList,
    apimachinery::pkg::apis::meta::v1::APIResourceList,
    apimachinery::pkg::apis::meta::v1::APIVersions,
    apimachinery::pkg::apis::meta::v1::Status,
    kube_aggregator::pkg::apis::apiregistration::v1::APIService,
}

/// The release that is built, by the feature of k8s-openapi: the one that the lean types are made of.
const RELEASE: &str = "v1_36";

/// Where the two differ, and why.
pub(crate) const KNOWN: &[(&str, &str)] = &[
    ("policy/v1 Eviction /deleteOptions/apiVersion", SAYS_ITS_KIND),
    ("policy/v1 Eviction /deleteOptions/kind", SAYS_ITS_KIND),
];

const SAYS_ITS_KIND: &str = "the lean type says what it is, also within another";

/// How many kinds are compared: whatever a server of that release can serve.
pub(crate) const COMPARED: usize = 103;

/// How many are not, each for a reason that [`why_not`] knows.
pub(crate) const LEFT_OUT: usize = 90;

/// Why k8s-openapi has no such kind. Every resource that a server of that release can serve, it has.
pub(crate) fn why_not(kind: &KindFacts) -> &'static str {
    let is_stable = !kind.version.contains("alpha") && !kind.version.contains("beta");
    if !kind.plural.is_empty() {
        panic!("{} {} is missing", kind.api_version(), kind.kind)
    } else if is_stable || kind.group == "apidiscovery.k8s.io" {
        "no resource: what is asked with or answered, of which k8s-openapi makes no kind"
    } else {
        "a version that servers of 1.36 do not have any more"
    }
}

/// The kinds in the source of k8s-openapi, of the release that the lean types are made of.
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
    let source = Path::new(manifest).with_file_name("src").join(RELEASE);
    let mut found = BTreeSet::new();
    collect(&source, "", &mut found);
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
