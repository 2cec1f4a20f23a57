//! The resources of the API group `coordination`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::coordination::{v1, v1alpha2, v1beta1};

use crate::api::Api;
use crate::client::Client;

/// The versions of `coordination`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `coordination.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `coordination.k8s.io/v1alpha2`.
    #[must_use]
    pub const fn v1alpha2(self) -> V1ALPHA2<'a> {
        V1ALPHA2(self.0)
    }

    /// `coordination.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `coordination.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `leases` of a namespace; of all when it is empty.
    #[must_use]
    pub fn leases(self, namespace: impl Into<String>) -> Api<v1::Lease> {
        self.0.api().namespace(namespace)
    }
}

/// The resources of `coordination.k8s.io/v1alpha2`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA2<'a>(&'a Client);

impl V1ALPHA2<'_> {
    /// The `leasecandidates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn lease_candidates(self, namespace: impl Into<String>) -> Api<v1alpha2::LeaseCandidate> {
        self.0.api().namespace(namespace)
    }
}

/// The resources of `coordination.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `leasecandidates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn lease_candidates(self, namespace: impl Into<String>) -> Api<v1beta1::LeaseCandidate> {
        self.0.api().namespace(namespace)
    }
}
