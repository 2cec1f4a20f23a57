//! The resources of the API group `core`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::core::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `core`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `bindings` of a namespace; of all when it is empty.
    #[must_use]
    pub fn bindings(self, namespace: impl Into<String>) -> Api<v1::Binding> {
        self.0.api().namespace(namespace)
    }

    /// The `componentstatuses`.
    #[must_use]
    pub fn component_statuses(self) -> Api<v1::ComponentStatus> {
        self.0.api()
    }

    /// The `configmaps` of a namespace; of all when it is empty.
    #[must_use]
    pub fn config_maps(self, namespace: impl Into<String>) -> Api<v1::ConfigMap> {
        self.0.api().namespace(namespace)
    }

    /// The `endpoints` of a namespace; of all when it is empty.
    #[must_use]
    pub fn endpoints(self, namespace: impl Into<String>) -> Api<v1::Endpoints> {
        self.0.api().namespace(namespace)
    }

    /// The `events` of a namespace; of all when it is empty.
    #[must_use]
    pub fn events(self, namespace: impl Into<String>) -> Api<v1::Event> {
        self.0.api().namespace(namespace)
    }

    /// The `limitranges` of a namespace; of all when it is empty.
    #[must_use]
    pub fn limit_ranges(self, namespace: impl Into<String>) -> Api<v1::LimitRange> {
        self.0.api().namespace(namespace)
    }

    /// The `namespaces`.
    #[must_use]
    pub fn namespaces(self) -> Api<v1::Namespace> {
        self.0.api()
    }

    /// The `nodes`.
    #[must_use]
    pub fn nodes(self) -> Api<v1::Node> {
        self.0.api()
    }

    /// The `persistentvolumes`.
    #[must_use]
    pub fn persistent_volumes(self) -> Api<v1::PersistentVolume> {
        self.0.api()
    }

    /// The `persistentvolumeclaims` of a namespace; of all when it is empty.
    #[must_use]
    pub fn persistent_volume_claims(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::PersistentVolumeClaim> {
        self.0.api().namespace(namespace)
    }

    /// The `pods` of a namespace; of all when it is empty.
    #[must_use]
    pub fn pods(self, namespace: impl Into<String>) -> Api<v1::Pod> {
        self.0.api().namespace(namespace)
    }

    /// The `podtemplates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn pod_templates(self, namespace: impl Into<String>) -> Api<v1::PodTemplate> {
        self.0.api().namespace(namespace)
    }

    /// The `replicationcontrollers` of a namespace; of all when it is empty.
    #[must_use]
    pub fn replication_controllers(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::ReplicationController> {
        self.0.api().namespace(namespace)
    }

    /// The `resourcequotas` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_quotas(self, namespace: impl Into<String>) -> Api<v1::ResourceQuota> {
        self.0.api().namespace(namespace)
    }

    /// The `secrets` of a namespace; of all when it is empty.
    #[must_use]
    pub fn secrets(self, namespace: impl Into<String>) -> Api<v1::Secret> {
        self.0.api().namespace(namespace)
    }

    /// The `services` of a namespace; of all when it is empty.
    #[must_use]
    pub fn services(self, namespace: impl Into<String>) -> Api<v1::Service> {
        self.0.api().namespace(namespace)
    }

    /// The `serviceaccounts` of a namespace; of all when it is empty.
    #[must_use]
    pub fn service_accounts(self, namespace: impl Into<String>) -> Api<v1::ServiceAccount> {
        self.0.api().namespace(namespace)
    }
}
