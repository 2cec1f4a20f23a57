//! `storage/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::ObjectMeta;
use crate::storage::v1beta1::VolumeAttributesClass;
use crate::{IStr, Map, setters};

setters! {
    VolumeAttributesClass {
        with_metadata metadata: ObjectMeta,
        with_driver_name driver_name: IStr,
        with_parameters parameters: Map,
    }
}
