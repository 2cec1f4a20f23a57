//! `storage/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Map};

/// `io.k8s.api.storage.v1beta1.VolumeAttributesClass`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttributesClass {
    pub metadata: ObjectMeta,
    pub driver_name: IStr,
    pub parameters: Map,
}

codec! { VolumeAttributesClass: "storage.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "driverName" [2] req driver_name .required()
    4 "parameters" [3] opt parameters
    => [3 parameters] [2 driver_name] [1 metadata]
}

kind! { VolumeAttributesClass "storage.k8s.io" "v1beta1" "volumeattributesclasses" Cluster }
