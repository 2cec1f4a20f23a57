//! `coordination/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime};

/// `io.k8s.api.coordination.v1.Lease`.
#[derive(Clone, Default, PartialEq)]
pub struct Lease {
    pub metadata: ObjectMeta,
    pub spec: LeaseSpec,
}

codec! { Lease: "coordination.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! { Lease "coordination.k8s.io" "v1" "leases" Namespaced }

/// `io.k8s.api.coordination.v1.LeaseSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct LeaseSpec {
    pub holder_identity: Option<IStr>,
    pub lease_duration_seconds: Option<i32>,
    pub acquire_time: Option<MicroTime>,
    pub renew_time: Option<MicroTime>,
    pub lease_transitions: Option<i32>,
    pub strategy: Option<IStr>,
    pub preferred_holder: Option<IStr>,
}

codec! { LeaseSpec
    0 "holderIdentity" [1] opt holder_identity
    1 "leaseDurationSeconds" [2] opt lease_duration_seconds
    2 "acquireTime" [3] opt acquire_time
    3 "renewTime" [4] opt renew_time
    4 "leaseTransitions" [5] opt lease_transitions
    5 "strategy" [6] opt strategy
    6 "preferredHolder" [7] opt preferred_holder
    => [7 preferred_holder] [6 strategy] [5 lease_transitions] [4 renew_time] [3 acquire_time]
       [2 lease_duration_seconds] [1 holder_identity]
}
