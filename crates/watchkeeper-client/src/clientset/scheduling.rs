//! The resources of the API group `scheduling`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::scheduling::{v1, v1alpha2};

use crate::api::Api;
use crate::client::Client;

/// The versions of `scheduling`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `scheduling.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `scheduling.k8s.io/v1alpha2`.
    #[must_use]
    pub const fn v1alpha2(self) -> V1ALPHA2<'a> {
        V1ALPHA2(self.0)
    }
}

/// The resources of `scheduling.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `priorityclasses`.
    #[must_use]
    pub fn priority_classes(self) -> Api<v1::PriorityClass> {
        self.0.api()
    }
}

/// The resources of `scheduling.k8s.io/v1alpha2`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA2<'a>(&'a Client);

impl V1ALPHA2<'_> {
    /// The `podgroups` of a namespace; of all when it is empty.
    #[must_use]
    pub fn pod_groups(self, namespace: impl Into<String>) -> Api<v1alpha2::PodGroup> {
        self.0.api().namespace(namespace)
    }

    /// The `workloads` of a namespace; of all when it is empty.
    #[must_use]
    pub fn workloads(self, namespace: impl Into<String>) -> Api<v1alpha2::Workload> {
        self.0.api().namespace(namespace)
    }
}
