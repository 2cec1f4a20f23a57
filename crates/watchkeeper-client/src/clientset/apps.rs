//! The resources of the API group `apps`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::apps::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `apps`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `apps/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `apps/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `controllerrevisions` of a namespace; of all when it is empty.
    #[must_use]
    pub fn controller_revisions(self, namespace: impl Into<String>) -> Api<v1::ControllerRevision> {
        self.0.api().namespace(namespace)
    }

    /// The `daemonsets` of a namespace; of all when it is empty.
    #[must_use]
    pub fn daemon_sets(self, namespace: impl Into<String>) -> Api<v1::DaemonSet> {
        self.0.api().namespace(namespace)
    }

    /// The `deployments` of a namespace; of all when it is empty.
    #[must_use]
    pub fn deployments(self, namespace: impl Into<String>) -> Api<v1::Deployment> {
        self.0.api().namespace(namespace)
    }

    /// The `replicasets` of a namespace; of all when it is empty.
    #[must_use]
    pub fn replica_sets(self, namespace: impl Into<String>) -> Api<v1::ReplicaSet> {
        self.0.api().namespace(namespace)
    }

    /// The `statefulsets` of a namespace; of all when it is empty.
    #[must_use]
    pub fn stateful_sets(self, namespace: impl Into<String>) -> Api<v1::StatefulSet> {
        self.0.api().namespace(namespace)
    }
}
