//! The resources of the API group `resource`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::resource::{v1, v1alpha3, v1beta1, v1beta2};

use crate::api::Api;
use crate::client::Client;

/// The versions of `resource`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `resource.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `resource.k8s.io/v1alpha3`.
    #[must_use]
    pub const fn v1alpha3(self) -> V1ALPHA3<'a> {
        V1ALPHA3(self.0)
    }

    /// `resource.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }

    /// `resource.k8s.io/v1beta2`.
    #[must_use]
    pub const fn v1beta2(self) -> V1BETA2<'a> {
        V1BETA2(self.0)
    }
}

/// The resources of `resource.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `deviceclasses`.
    #[must_use]
    pub fn device_classes(self) -> Api<v1::DeviceClass> {
        self.0.api()
    }

    /// The `resourceclaims` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claims(self, namespace: impl Into<String>) -> Api<v1::ResourceClaim> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceclaimtemplates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claim_templates(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::ResourceClaimTemplate> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceslices`.
    #[must_use]
    pub fn resource_slices(self) -> Api<v1::ResourceSlice> {
        self.0.api()
    }
}

/// The resources of `resource.k8s.io/v1alpha3`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA3<'a>(&'a Client);

impl V1ALPHA3<'_> {
    /// The `devicetaintrules`.
    #[must_use]
    pub fn device_taint_rules(self) -> Api<v1alpha3::DeviceTaintRule> {
        self.0.api()
    }

    /// The `resourcepoolstatusrequests`.
    #[must_use]
    pub fn resource_pool_status_requests(self) -> Api<v1alpha3::ResourcePoolStatusRequest> {
        self.0.api()
    }
}

/// The resources of `resource.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `deviceclasses`.
    #[must_use]
    pub fn device_classes(self) -> Api<v1beta1::DeviceClass> {
        self.0.api()
    }

    /// The `resourceclaims` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claims(self, namespace: impl Into<String>) -> Api<v1beta1::ResourceClaim> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceclaimtemplates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claim_templates(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1beta1::ResourceClaimTemplate> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceslices`.
    #[must_use]
    pub fn resource_slices(self) -> Api<v1beta1::ResourceSlice> {
        self.0.api()
    }
}

/// The resources of `resource.k8s.io/v1beta2`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA2<'a>(&'a Client);

impl V1BETA2<'_> {
    /// The `deviceclasses`.
    #[must_use]
    pub fn device_classes(self) -> Api<v1beta2::DeviceClass> {
        self.0.api()
    }

    /// The `devicetaintrules`.
    #[must_use]
    pub fn device_taint_rules(self) -> Api<v1beta2::DeviceTaintRule> {
        self.0.api()
    }

    /// The `resourceclaims` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claims(self, namespace: impl Into<String>) -> Api<v1beta2::ResourceClaim> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceclaimtemplates` of a namespace; of all when it is empty.
    #[must_use]
    pub fn resource_claim_templates(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1beta2::ResourceClaimTemplate> {
        self.0.api().namespace(namespace)
    }

    /// The `resourceslices`.
    #[must_use]
    pub fn resource_slices(self) -> Api<v1beta2::ResourceSlice> {
        self.0.api()
    }
}
