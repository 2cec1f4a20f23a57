//! The resources of the API group `storagemigration`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::storagemigration::v1beta1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `storagemigration`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `storagemigration.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `storagemigration.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `storageversionmigrations`.
    #[must_use]
    pub fn storage_version_migrations(self) -> Api<v1beta1::StorageVersionMigration> {
        self.0.api()
    }
}
