//! The resources of the API group `certificates`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::certificates::{v1, v1alpha1, v1beta1};

use crate::api::Api;
use crate::client::Client;

/// The versions of `certificates`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `certificates.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `certificates.k8s.io/v1alpha1`.
    #[must_use]
    pub const fn v1alpha1(self) -> V1ALPHA1<'a> {
        V1ALPHA1(self.0)
    }

    /// `certificates.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `certificates.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `certificatesigningrequests`.
    #[must_use]
    pub fn certificate_signing_requests(self) -> Api<v1::CertificateSigningRequest> {
        self.0.api()
    }
}

/// The resources of `certificates.k8s.io/v1alpha1`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA1<'a>(&'a Client);

impl V1ALPHA1<'_> {
    /// The `clustertrustbundles`.
    #[must_use]
    pub fn cluster_trust_bundles(self) -> Api<v1alpha1::ClusterTrustBundle> {
        self.0.api()
    }
}

/// The resources of `certificates.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `clustertrustbundles`.
    #[must_use]
    pub fn cluster_trust_bundles(self) -> Api<v1beta1::ClusterTrustBundle> {
        self.0.api()
    }

    /// The `podcertificaterequests` of a namespace; of all when it is empty.
    #[must_use]
    pub fn pod_certificate_requests(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1beta1::PodCertificateRequest> {
        self.0.api().namespace(namespace)
    }
}
