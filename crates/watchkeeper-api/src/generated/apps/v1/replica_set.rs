//! `apps/v1`: `ReplicaSet` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::PodTemplateSpec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Time};

/// `io.k8s.api.apps.v1.ReplicaSet`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicaSet {
    pub metadata: ObjectMeta,
    pub spec: ReplicaSetSpec,
    pub status: ReplicaSetStatus,
}

codec! { ReplicaSet: "apps/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { ReplicaSet "apps" "v1" "replicasets" Namespaced, ReplicaSetStatus }

/// `io.k8s.api.apps.v1.ReplicaSetCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicaSetCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { ReplicaSetCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.apps.v1.ReplicaSetSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicaSetSpec {
    pub replicas: Option<i32>,
    pub min_ready_seconds: i32,
    pub selector: Option<Box<LabelSelector>>,
    pub template: PodTemplateSpec,
}

codec! { ReplicaSetSpec
    0 "replicas" [1] opt replicas
    1 "minReadySeconds" [4] opt min_ready_seconds
    2 "selector" [2] opt selector .required() .map_atomic()
    3 "template" [3] opt template
    => [4 min_ready_seconds] [3 template] [2 selector] [1 replicas]
}

/// `io.k8s.api.apps.v1.ReplicaSetStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ReplicaSetStatus {
    pub replicas: i32,
    pub fully_labeled_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub terminating_replicas: Option<i32>,
    pub observed_generation: i64,
    pub conditions: List<ReplicaSetCondition>,
}

codec! { ReplicaSetStatus
    0 "replicas" [1] req replicas .required()
    1 "fullyLabeledReplicas" [2] opt fully_labeled_replicas
    2 "readyReplicas" [4] opt ready_replicas
    3 "availableReplicas" [5] opt available_replicas
    4 "terminatingReplicas" [7] opt terminating_replicas
    5 "observedGeneration" [3] opt observed_generation
    6 "conditions" [6] opt conditions .list_map(&["type"])
    => [7 terminating_replicas] [6 conditions] [5 available_replicas] [4 ready_replicas]
       [3 observed_generation] [2 fully_labeled_replicas] [1 replicas]
}
