//! The resources of the API group `rbac`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::rbac::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `rbac`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `rbac.authorization.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `rbac.authorization.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `clusterroles`.
    #[must_use]
    pub fn cluster_roles(self) -> Api<v1::ClusterRole> {
        self.0.api()
    }

    /// The `clusterrolebindings`.
    #[must_use]
    pub fn cluster_role_bindings(self) -> Api<v1::ClusterRoleBinding> {
        self.0.api()
    }

    /// The `roles` of a namespace; of all when it is empty.
    #[must_use]
    pub fn roles(self, namespace: impl Into<String>) -> Api<v1::Role> {
        self.0.api().namespace(namespace)
    }

    /// The `rolebindings` of a namespace; of all when it is empty.
    #[must_use]
    pub fn role_bindings(self, namespace: impl Into<String>) -> Api<v1::RoleBinding> {
        self.0.api().namespace(namespace)
    }
}
