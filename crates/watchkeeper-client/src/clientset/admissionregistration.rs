//! The resources of the API group `admissionregistration`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::admissionregistration::{v1, v1alpha1, v1beta1};

use crate::api::Api;
use crate::client::Client;

/// The versions of `admissionregistration`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `admissionregistration.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `admissionregistration.k8s.io/v1alpha1`.
    #[must_use]
    pub const fn v1alpha1(self) -> V1ALPHA1<'a> {
        V1ALPHA1(self.0)
    }

    /// `admissionregistration.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `admissionregistration.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `mutatingadmissionpolicies`.
    #[must_use]
    pub fn mutating_admission_policies(self) -> Api<v1::MutatingAdmissionPolicy> {
        self.0.api()
    }

    /// The `mutatingadmissionpolicybindings`.
    #[must_use]
    pub fn mutating_admission_policy_bindings(self) -> Api<v1::MutatingAdmissionPolicyBinding> {
        self.0.api()
    }

    /// The `mutatingwebhookconfigurations`.
    #[must_use]
    pub fn mutating_webhook_configurations(self) -> Api<v1::MutatingWebhookConfiguration> {
        self.0.api()
    }

    /// The `validatingadmissionpolicies`.
    #[must_use]
    pub fn validating_admission_policies(self) -> Api<v1::ValidatingAdmissionPolicy> {
        self.0.api()
    }

    /// The `validatingadmissionpolicybindings`.
    #[must_use]
    pub fn validating_admission_policy_bindings(self) -> Api<v1::ValidatingAdmissionPolicyBinding> {
        self.0.api()
    }

    /// The `validatingwebhookconfigurations`.
    #[must_use]
    pub fn validating_webhook_configurations(self) -> Api<v1::ValidatingWebhookConfiguration> {
        self.0.api()
    }
}

/// The resources of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA1<'a>(&'a Client);

impl V1ALPHA1<'_> {
    /// The `mutatingadmissionpolicies`.
    #[must_use]
    pub fn mutating_admission_policies(self) -> Api<v1alpha1::MutatingAdmissionPolicy> {
        self.0.api()
    }

    /// The `mutatingadmissionpolicybindings`.
    #[must_use]
    pub fn mutating_admission_policy_bindings(
        self,
    ) -> Api<v1alpha1::MutatingAdmissionPolicyBinding> {
        self.0.api()
    }
}

/// The resources of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `mutatingadmissionpolicies`.
    #[must_use]
    pub fn mutating_admission_policies(self) -> Api<v1beta1::MutatingAdmissionPolicy> {
        self.0.api()
    }

    /// The `mutatingadmissionpolicybindings`.
    #[must_use]
    pub fn mutating_admission_policy_bindings(
        self,
    ) -> Api<v1beta1::MutatingAdmissionPolicyBinding> {
        self.0.api()
    }
}
