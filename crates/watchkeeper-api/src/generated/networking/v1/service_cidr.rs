//! `networking/v1`: `ServiceCIDR` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.networking.v1.ServiceCIDR`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDR {
    pub metadata: ObjectMeta,
    pub spec: ServiceCIDRSpec,
    pub status: ServiceCIDRStatus,
}

codec! { ServiceCIDR: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { ServiceCIDR "networking.k8s.io" "v1" "servicecidrs" Cluster, ServiceCIDRStatus }

/// `io.k8s.api.networking.v1.ServiceCIDRSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRSpec {
    pub cidrs: List<IStr>,
}

codec! { ServiceCIDRSpec
    0 "cidrs" [1] opt cidrs .list_atomic()
    => [1 cidrs]
}

/// `io.k8s.api.networking.v1.ServiceCIDRStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRStatus {
    pub conditions: List<Condition>,
}

codec! { ServiceCIDRStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}
