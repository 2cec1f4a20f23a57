//! `networking/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{Condition, ObjectMeta};
use crate::networking::v1beta1::{
    IPAddress, IPAddressSpec, ParentReference, ServiceCIDR, ServiceCIDRSpec, ServiceCIDRStatus,
};
use crate::{IStr, List, setters};

setters! {
    IPAddress {
        with_metadata metadata: ObjectMeta,
        with_spec spec: IPAddressSpec,
    }
    IPAddressSpec {
        with_parent_ref parent_ref: Option<Box<ParentReference>>,
    }
    ParentReference {
        with_group group: IStr,
        with_resource resource: IStr,
        with_namespace namespace: IStr,
        with_name name: IStr,
    }
    ServiceCIDR {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ServiceCIDRSpec,
        with_status status: ServiceCIDRStatus,
    }
    ServiceCIDRSpec {
        with_cidrs cidrs: List<IStr>,
    }
    ServiceCIDRStatus {
        with_conditions conditions: List<Condition>,
    }
}
