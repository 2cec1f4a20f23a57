//! The resources of the API group `networking`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::networking::{v1, v1beta1};

use crate::api::Api;
use crate::client::Client;

/// The versions of `networking`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `networking.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `networking.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `networking.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `ipaddresses`.
    #[must_use]
    pub fn ip_addresses(self) -> Api<v1::IPAddress> {
        self.0.api()
    }

    /// The `ingresses` of a namespace; of all when it is empty.
    #[must_use]
    pub fn ingresses(self, namespace: impl Into<String>) -> Api<v1::Ingress> {
        self.0.api().namespace(namespace)
    }

    /// The `ingressclasses`.
    #[must_use]
    pub fn ingress_classes(self) -> Api<v1::IngressClass> {
        self.0.api()
    }

    /// The `networkpolicies` of a namespace; of all when it is empty.
    #[must_use]
    pub fn network_policies(self, namespace: impl Into<String>) -> Api<v1::NetworkPolicy> {
        self.0.api().namespace(namespace)
    }

    /// The `servicecidrs`.
    #[must_use]
    pub fn service_cidrs(self) -> Api<v1::ServiceCIDR> {
        self.0.api()
    }
}

/// The resources of `networking.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `ipaddresses`.
    #[must_use]
    pub fn ip_addresses(self) -> Api<v1beta1::IPAddress> {
        self.0.api()
    }

    /// The `servicecidrs`.
    #[must_use]
    pub fn service_cidrs(self) -> Api<v1beta1::ServiceCIDR> {
        self.0.api()
    }
}
