//! `core/v1`: `ComponentStatus` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List};

/// `io.k8s.api.core.v1.ComponentStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ComponentStatus {
    pub metadata: ObjectMeta,
    pub conditions: List<ComponentCondition>,
}

codec! { ComponentStatus: "v1"
    2 "metadata" [1] opt metadata
    3 "conditions" [2] opt conditions .list_map(&["type"])
    => [2 conditions] [1 metadata]
}

kind! { ComponentStatus "" "v1" "componentstatuses" Cluster }

/// `io.k8s.api.core.v1.ComponentCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct ComponentCondition {
    pub type_: IStr,
    pub status: IStr,
    pub message: IStr,
    pub error: IStr,
}

codec! { ComponentCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "message" [3] opt message
    3 "error" [4] opt error
    => [4 error] [3 message] [2 status] [1 type_]
}
