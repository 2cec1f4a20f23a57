//! `networking/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.networking.v1beta1.IPAddress`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddress {
    pub metadata: ObjectMeta,
    pub spec: IPAddressSpec,
}

codec! { IPAddress: "networking.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { IPAddress "networking.k8s.io" "v1beta1" "ipaddresses" Cluster }

/// `io.k8s.api.networking.v1beta1.IPAddressSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddressSpec {
    pub parent_ref: Option<Box<ParentReference>>,
}

codec! { IPAddressSpec
    0 "parentRef" [1] opt parent_ref .required()
    => [1 parent_ref]
}

/// `io.k8s.api.networking.v1beta1.ParentReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ParentReference {
    pub group: IStr,
    pub resource: IStr,
    pub namespace: IStr,
    pub name: IStr,
}

codec! { ParentReference
    0 "group" [1] opt group
    1 "resource" [2] opt resource .required()
    2 "namespace" [3] opt namespace
    3 "name" [4] opt name .required()
    => [4 name] [3 namespace] [2 resource] [1 group]
}

/// `io.k8s.api.networking.v1beta1.ServiceCIDR`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDR {
    pub metadata: ObjectMeta,
    pub spec: ServiceCIDRSpec,
    pub status: ServiceCIDRStatus,
}

codec! { ServiceCIDR: "networking.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { ServiceCIDR "networking.k8s.io" "v1beta1" "servicecidrs" Cluster, ServiceCIDRStatus }

/// `io.k8s.api.networking.v1beta1.ServiceCIDRSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRSpec {
    pub cidrs: List<IStr>,
}

codec! { ServiceCIDRSpec
    0 "cidrs" [1] opt cidrs .list_atomic()
    => [1 cidrs]
}

/// `io.k8s.api.networking.v1beta1.ServiceCIDRStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRStatus {
    pub conditions: List<Condition>,
}

codec! { ServiceCIDRStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}
