//! `apps/v1`: `DaemonSet` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::PodTemplateSpec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Time};

/// `io.k8s.api.apps.v1.DaemonSet`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonSet {
    pub metadata: ObjectMeta,
    pub spec: DaemonSetSpec,
    pub status: DaemonSetStatus,
}

codec! { DaemonSet: "apps/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { DaemonSet "apps" "v1" "daemonsets" Namespaced, DaemonSetStatus }

/// `io.k8s.api.apps.v1.DaemonSetCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonSetCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { DaemonSetCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.apps.v1.DaemonSetSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonSetSpec {
    pub selector: Option<Box<LabelSelector>>,
    pub template: PodTemplateSpec,
    pub update_strategy: DaemonSetUpdateStrategy,
    pub min_ready_seconds: i32,
    pub revision_history_limit: Option<i32>,
}

codec! { DaemonSetSpec
    0 "selector" [1] opt selector .required() .map_atomic()
    1 "template" [2] opt template .required()
    2 "updateStrategy" [3] opt update_strategy
    3 "minReadySeconds" [4] opt min_ready_seconds
    4 "revisionHistoryLimit" [6] opt revision_history_limit
    => [6 revision_history_limit] [4 min_ready_seconds] [3 update_strategy] [2 template]
       [1 selector]
}

/// `io.k8s.api.apps.v1.DaemonSetStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonSetStatus {
    pub current_number_scheduled: i32,
    pub number_misscheduled: i32,
    pub desired_number_scheduled: i32,
    pub number_ready: i32,
    pub observed_generation: i64,
    pub updated_number_scheduled: i32,
    pub number_available: i32,
    pub number_unavailable: i32,
    pub collision_count: Option<i32>,
    pub conditions: List<DaemonSetCondition>,
}

codec! { DaemonSetStatus
    0 "currentNumberScheduled" [1] req current_number_scheduled .required()
    1 "numberMisscheduled" [2] req number_misscheduled .required()
    2 "desiredNumberScheduled" [3] req desired_number_scheduled .required()
    3 "numberReady" [4] req number_ready .required()
    4 "observedGeneration" [5] opt observed_generation
    5 "updatedNumberScheduled" [6] opt updated_number_scheduled
    6 "numberAvailable" [7] opt number_available
    7 "numberUnavailable" [8] opt number_unavailable
    8 "collisionCount" [9] opt collision_count
    9 "conditions" [10] opt conditions .list_map(&["type"])
    => [10 conditions] [9 collision_count] [8 number_unavailable] [7 number_available]
       [6 updated_number_scheduled] [5 observed_generation] [4 number_ready]
       [3 desired_number_scheduled] [2 number_misscheduled] [1 current_number_scheduled]
}

/// `io.k8s.api.apps.v1.DaemonSetUpdateStrategy`.
#[derive(Clone, Default, PartialEq)]
pub struct DaemonSetUpdateStrategy {
    pub type_: IStr,
    pub rolling_update: Option<Box<RollingUpdateDaemonSet>>,
}

codec! { DaemonSetUpdateStrategy
    0 "type" [1] opt type_
    1 "rollingUpdate" [2] opt rolling_update
    => [2 rolling_update] [1 type_]
}

/// `io.k8s.api.apps.v1.RollingUpdateDaemonSet`.
#[derive(Clone, Default, PartialEq)]
pub struct RollingUpdateDaemonSet {
    pub max_unavailable: Option<IntOrString>,
    pub max_surge: Option<IntOrString>,
}

codec! { RollingUpdateDaemonSet
    0 "maxUnavailable" [1] opt max_unavailable
    1 "maxSurge" [2] opt max_surge
    => [2 max_surge] [1 max_unavailable]
}
