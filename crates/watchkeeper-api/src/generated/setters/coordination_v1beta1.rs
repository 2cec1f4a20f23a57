//! `coordination/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, setters};

setters! {
    LeaseCandidate {
        with_metadata metadata: ObjectMeta,
        with_spec spec: LeaseCandidateSpec,
    }
    LeaseCandidateSpec {
        with_lease_name lease_name: IStr,
        with_ping_time ping_time: Option<MicroTime>,
        with_renew_time renew_time: Option<MicroTime>,
        with_binary_version binary_version: IStr,
        with_emulation_version emulation_version: IStr,
        with_strategy strategy: IStr,
    }
}
