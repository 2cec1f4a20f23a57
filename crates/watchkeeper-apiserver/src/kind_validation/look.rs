//! Which parts of the metadata each kind looks at, and how often.

use super::names::NameForm;

/// How the metadata of a kind is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// How names look.
    pub(super) form: NameForm,
    /// What is looked at again in an update before anything else is.
    pub(super) again: OnUpdate,
    /// Whether finalizers without a domain are those of Kubernetes: not where upstream takes the metadata for that of
    /// any object (`apimachinery/pkg/api/validation` instead of `pkg/apis/core/validation`).
    pub(super) knows_finalizers: bool,
}

impl Look {
    /// How that of a built-in kind is looked at, when the object itself is written or its status.
    #[must_use]
    pub fn of(group: &str, kind: &str, subresource: &str) -> Self {
        let is_any = matches!(
            group,
            "admissionregistration.k8s.io"
                | "apiextensions.k8s.io"
                | "apiregistration.k8s.io"
                | "coordination.k8s.io"
        );
        let form = NameForm::of(group, kind);
        let again = OnUpdate::of(group, kind, subresource);
        let knows_finalizers = !is_any && !is_judged_last(group, kind);
        Self { form, again, knows_finalizers }
    }

    /// How that of a custom resource is looked at.
    #[must_use]
    pub fn of_custom() -> Self {
        let form = NameForm::Subdomain;
        Self { form, again: OnUpdate::Update, knows_finalizers: false }
    }
}

/// Whether the function of a kind leaves the metadata of new objects to the one of all kinds, which looks at it once
/// nothing else is wrong (`legacyValidateEvent`, `ValidatePodDisruptionBudget`).
#[must_use]
pub fn is_judged_last(group: &str, kind: &str) -> bool {
    matches!((group, kind), ("" | "events.k8s.io", "Event") | ("policy", "PodDisruptionBudget"))
}

/// What the function of a kind that judges updates looks at in the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnUpdate {
    /// Nothing, or not before it has looked at other things.
    Nothing,
    /// That what must stay has stayed.
    Update,
    /// All of it, as of a new object.
    Whole,
    /// Both.
    UpdateThenWhole,
    /// Both, the other way round.
    WholeThenUpdate,
}

/// What is looked at once.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Update,
    Whole,
}

impl OnUpdate {
    pub(super) fn parts(self) -> &'static [Part] {
        match self {
            Self::Nothing => &[],
            Self::Update => &[Part::Update],
            Self::Whole => &[Part::Whole],
            Self::UpdateThenWhole => &[Part::Update, Part::Whole],
            Self::WholeThenUpdate => &[Part::Whole, Part::Update],
        }
    }

    /// What that of a kind does first, when the object itself is written or its status. Those that come back to the
    /// metadata later say so themselves.
    ///
    /// Sources: `ValidateUpdate` of the strategies in `pkg/registry`, and what they call of `pkg/apis/*/validation`.
    fn of(group: &str, kind: &str, subresource: &str) -> Self {
        match (group, kind) {
            ("policy", "PodDisruptionBudget") | ("" | "events.k8s.io", "Event") => Self::Nothing,
            ("certificates.k8s.io", "CertificateSigningRequest") => Self::Whole,
            ("apps", "StatefulSet")
            | ("batch", "CronJob")
            | ("flowcontrol.apiserver.k8s.io", _)
            | ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy")
                if subresource == "status" =>
            {
                Self::Nothing
            }
            ("", "Pod") if matches!(subresource, "ephemeralcontainers" | "resize") => {
                Self::UpdateThenWhole
            }
            _ if !subresource.is_empty() => Self::Update,
            ("", "Namespace")
            | ("networking.k8s.io", "IPAddress")
            | ("resource.k8s.io", "ResourceClaim" | "DeviceClass") => Self::WholeThenUpdate,
            ("", "PersistentVolume" | "LimitRange" | "Node")
            | ("batch", "Job")
            | ("node.k8s.io", "RuntimeClass")
            | ("resource.k8s.io", "ResourceClaimTemplate")
            | ("rbac.authorization.k8s.io", _)
            | ("discovery.k8s.io" | "flowcontrol.apiserver.k8s.io", _)
            | ("admissionregistration.k8s.io", _)
            | (
                "storage.k8s.io",
                "CSINode" | "VolumeAttachment" | "StorageClass" | "CSIStorageCapacity",
            ) => Self::Whole,
            ("", "PersistentVolumeClaim" | "Pod" | "ServiceAccount" | "Endpoints")
            | ("networking.k8s.io", "Ingress")
            | ("apiregistration.k8s.io", _) => Self::UpdateThenWhole,
            _ => Self::Update,
        }
    }
}
