//! `coordination/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::coordination::v1::{Lease, LeaseSpec};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, setters};

setters! {
    Lease {
        with_metadata metadata: ObjectMeta,
        with_spec spec: LeaseSpec,
    }
    LeaseSpec {
        with_holder_identity holder_identity: Option<IStr>,
        with_lease_duration_seconds lease_duration_seconds: Option<i32>,
        with_acquire_time acquire_time: Option<MicroTime>,
        with_renew_time renew_time: Option<MicroTime>,
        with_lease_transitions lease_transitions: Option<i32>,
        with_strategy strategy: Option<IStr>,
        with_preferred_holder preferred_holder: Option<IStr>,
    }
}
