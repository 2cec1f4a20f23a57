//! `coordination/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime};

/// `io.k8s.api.coordination.v1beta1.LeaseCandidate`.
#[derive(Clone, Default, PartialEq)]
pub struct LeaseCandidate {
    pub metadata: ObjectMeta,
    pub spec: LeaseCandidateSpec,
}

codec! { LeaseCandidate: "coordination.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { LeaseCandidate "coordination.k8s.io" "v1beta1" "leasecandidates" Namespaced }

/// `io.k8s.api.coordination.v1beta1.LeaseCandidateSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct LeaseCandidateSpec {
    pub lease_name: IStr,
    pub ping_time: Option<MicroTime>,
    pub renew_time: Option<MicroTime>,
    pub binary_version: IStr,
    pub emulation_version: IStr,
    pub strategy: IStr,
}

codec! { LeaseCandidateSpec
    0 "leaseName" [1] req lease_name .required()
    1 "pingTime" [2] opt ping_time
    2 "renewTime" [3] opt renew_time
    3 "binaryVersion" [4] req binary_version .required()
    4 "emulationVersion" [5] opt emulation_version
    5 "strategy" [6] opt strategy .required()
    => [6 strategy] [5 emulation_version] [4 binary_version] [3 renew_time] [2 ping_time]
       [1 lease_name]
}
