//! `core/v1`: `ReplicationController` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PodTemplateSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Time};

/// `io.k8s.api.core.v1.ReplicationController`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicationController {
    pub metadata: ObjectMeta,
    pub spec: ReplicationControllerSpec,
    pub status: ReplicationControllerStatus,
}

codec! { ReplicationController: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    ReplicationController "" "v1" "replicationcontrollers" Namespaced, ReplicationControllerStatus
}

/// `io.k8s.api.core.v1.ReplicationControllerCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicationControllerCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { ReplicationControllerCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.core.v1.ReplicationControllerSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicationControllerSpec {
    pub replicas: Option<i32>,
    pub min_ready_seconds: i32,
    pub selector: Map,
    pub template: Option<Box<PodTemplateSpec>>,
}

codec! { ReplicationControllerSpec
    0 "replicas" [1] opt replicas .default_json("1")
    1 "minReadySeconds" [4] opt min_ready_seconds
    2 "selector" [2] opt selector .map_atomic()
    3 "template" [3] opt template
    => [4 min_ready_seconds] [3 template] [2 selector] [1 replicas]
}

/// `io.k8s.api.core.v1.ReplicationControllerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicationControllerStatus {
    pub replicas: i32,
    pub fully_labeled_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub observed_generation: i64,
    pub conditions: List<ReplicationControllerCondition>,
}

codec! { ReplicationControllerStatus
    0 "replicas" [1] req replicas .required()
    1 "fullyLabeledReplicas" [2] opt fully_labeled_replicas
    2 "readyReplicas" [4] opt ready_replicas
    3 "availableReplicas" [5] opt available_replicas
    4 "observedGeneration" [3] opt observed_generation
    5 "conditions" [6] opt conditions .list_map(&["type"])
    => [6 conditions] [5 available_replicas] [4 ready_replicas] [3 observed_generation]
       [2 fully_labeled_replicas] [1 replicas]
}
