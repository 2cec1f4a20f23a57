//! The resources of the API group `apiserverinternal`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::apiserverinternal::v1alpha1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `apiserverinternal`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `internal.apiserver.k8s.io/v1alpha1`.
    #[must_use]
    pub const fn v1alpha1(self) -> V1ALPHA1<'a> {
        V1ALPHA1(self.0)
    }
}

/// The resources of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, Copy, Debug)]
pub struct V1ALPHA1<'a>(&'a Client);

impl V1ALPHA1<'_> {
    /// The `storageversions`.
    #[must_use]
    pub fn storage_versions(self) -> Api<v1alpha1::StorageVersion> {
        self.0.api()
    }
}
