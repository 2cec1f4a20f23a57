//! `core/v1`: `ReplicationController` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PodTemplateSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Time};

/// `io.k8s.api.core.v1.ReplicationController`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationController {
    pub metadata: ObjectMeta,
    pub spec: ReplicationControllerSpec,
    pub status: ReplicationControllerStatus,
}

codec! { ReplicationController: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! {
    ReplicationController "" "v1" "replicationcontrollers" Namespaced, ReplicationControllerStatus
}

/// `io.k8s.api.core.v1.ReplicationControllerCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationControllerCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { ReplicationControllerCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastTransitionTime" opt last_transition_time
    3 "reason" opt reason
    4 "message" opt message
}

/// `io.k8s.api.core.v1.ReplicationControllerSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationControllerSpec {
    pub replicas: Option<i32>,
    pub min_ready_seconds: i32,
    pub selector: Map,
    pub template: Option<Box<PodTemplateSpec>>,
}

codec! { ReplicationControllerSpec
    0 "replicas" opt replicas .default_json("1")
    1 "minReadySeconds" opt min_ready_seconds
    2 "selector" opt selector .map_atomic()
    3 "template" opt template
}

/// `io.k8s.api.core.v1.ReplicationControllerStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationControllerStatus {
    pub replicas: i32,
    pub fully_labeled_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub observed_generation: i64,
    pub conditions: List<ReplicationControllerCondition>,
}

codec! { ReplicationControllerStatus
    0 "replicas" req replicas .required()
    1 "fullyLabeledReplicas" opt fully_labeled_replicas
    2 "readyReplicas" opt ready_replicas
    3 "availableReplicas" opt available_replicas
    4 "observedGeneration" opt observed_generation
    5 "conditions" opt conditions .list_map(&["type"])
}
