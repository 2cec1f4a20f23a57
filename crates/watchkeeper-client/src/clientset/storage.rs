//! The resources of the API group `storage`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::storage::{v1, v1beta1};

use crate::api::Api;
use crate::client::Client;

/// The versions of `storage`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `storage.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `storage.k8s.io/v1beta1`.
    #[must_use]
    pub const fn v1beta1(self) -> V1BETA1<'a> {
        V1BETA1(self.0)
    }
}

/// The resources of `storage.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `csidrivers`.
    #[must_use]
    pub fn csi_drivers(self) -> Api<v1::CSIDriver> {
        self.0.api()
    }

    /// The `csinodes`.
    #[must_use]
    pub fn csi_nodes(self) -> Api<v1::CSINode> {
        self.0.api()
    }

    /// The `csistoragecapacities` of a namespace; of all when it is empty.
    #[must_use]
    pub fn csi_storage_capacities(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::CSIStorageCapacity> {
        self.0.api().namespace(namespace)
    }

    /// The `storageclasses`.
    #[must_use]
    pub fn storage_classes(self) -> Api<v1::StorageClass> {
        self.0.api()
    }

    /// The `volumeattachments`.
    #[must_use]
    pub fn volume_attachments(self) -> Api<v1::VolumeAttachment> {
        self.0.api()
    }

    /// The `volumeattributesclasses`.
    #[must_use]
    pub fn volume_attributes_classes(self) -> Api<v1::VolumeAttributesClass> {
        self.0.api()
    }
}

/// The resources of `storage.k8s.io/v1beta1`.
#[derive(Clone, Copy, Debug)]
pub struct V1BETA1<'a>(&'a Client);

impl V1BETA1<'_> {
    /// The `volumeattributesclasses`.
    #[must_use]
    pub fn volume_attributes_classes(self) -> Api<v1beta1::VolumeAttributesClass> {
        self.0.api()
    }
}
