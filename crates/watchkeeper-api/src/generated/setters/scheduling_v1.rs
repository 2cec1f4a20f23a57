//! `scheduling/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::ObjectMeta;
use crate::scheduling::v1::PriorityClass;
use crate::{IStr, setters};

setters! {
    PriorityClass {
        with_metadata metadata: ObjectMeta,
        with_value value: i32,
        with_global_default global_default: bool,
        with_description description: IStr,
        with_preemption_policy preemption_policy: Option<IStr>,
    }
}
