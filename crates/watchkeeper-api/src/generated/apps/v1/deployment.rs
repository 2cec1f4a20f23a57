//! `apps/v1`: `Deployment` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::PodTemplateSpec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Time};

/// `io.k8s.api.apps.v1.Deployment`.
#[derive(Clone, Default, PartialEq)]
pub struct Deployment {
    pub metadata: ObjectMeta,
    pub spec: DeploymentSpec,
    pub status: DeploymentStatus,
}

codec! { Deployment: "apps/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Deployment "apps" "v1" "deployments" Namespaced, DeploymentStatus }

/// `io.k8s.api.apps.v1.DeploymentCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct DeploymentCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_update_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { DeploymentCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastUpdateTime" [6; time] opt last_update_time
    3 "lastTransitionTime" [7; time] opt last_transition_time
    4 "reason" [4] opt reason
    5 "message" [5] opt message
    => [7 last_transition_time; time] [6 last_update_time; time] [5 message] [4 reason] [2 status]
       [1 type_]
}

/// `io.k8s.api.apps.v1.DeploymentSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct DeploymentSpec {
    pub replicas: Option<i32>,
    pub selector: Option<Box<LabelSelector>>,
    pub template: PodTemplateSpec,
    pub strategy: DeploymentStrategy,
    pub min_ready_seconds: i32,
    pub revision_history_limit: Option<i32>,
    pub paused: bool,
    pub progress_deadline_seconds: Option<i32>,
}

codec! { DeploymentSpec
    0 "replicas" [1] opt replicas
    1 "selector" [2] opt selector .required() .map_atomic()
    2 "template" [3] opt template .required()
    3 "strategy" [4] opt strategy
    4 "minReadySeconds" [5] opt min_ready_seconds
    5 "revisionHistoryLimit" [6] opt revision_history_limit
    6 "paused" [7] opt paused
    7 "progressDeadlineSeconds" [9] opt progress_deadline_seconds
    => [9 progress_deadline_seconds] [7 paused] [6 revision_history_limit] [5 min_ready_seconds]
       [4 strategy] [3 template] [2 selector] [1 replicas]
}

/// `io.k8s.api.apps.v1.DeploymentStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct DeploymentStatus {
    pub observed_generation: i64,
    pub replicas: i32,
    pub updated_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub unavailable_replicas: i32,
    pub terminating_replicas: Option<i32>,
    pub conditions: List<DeploymentCondition>,
    pub collision_count: Option<i32>,
}

codec! { DeploymentStatus
    0 "observedGeneration" [1] opt observed_generation
    1 "replicas" [2] opt replicas
    2 "updatedReplicas" [3] opt updated_replicas
    3 "readyReplicas" [7] opt ready_replicas
    4 "availableReplicas" [4] opt available_replicas
    5 "unavailableReplicas" [5] opt unavailable_replicas
    6 "terminatingReplicas" [9] opt terminating_replicas
    7 "conditions" [6] opt conditions .list_map(&["type"])
    8 "collisionCount" [8] opt collision_count
    => [9 terminating_replicas] [8 collision_count] [7 ready_replicas] [6 conditions]
       [5 unavailable_replicas] [4 available_replicas] [3 updated_replicas] [2 replicas]
       [1 observed_generation]
}

/// `io.k8s.api.apps.v1.DeploymentStrategy`.
#[derive(Clone, Default, PartialEq)]
pub struct DeploymentStrategy {
    pub type_: IStr,
    pub rolling_update: Option<Box<RollingUpdateDeployment>>,
}

codec! { DeploymentStrategy
    0 "type" [1] opt type_
    1 "rollingUpdate" [2] opt rolling_update
    => [2 rolling_update] [1 type_]
}

/// `io.k8s.api.apps.v1.RollingUpdateDeployment`.
#[derive(Clone, Default, PartialEq)]
pub struct RollingUpdateDeployment {
    pub max_unavailable: Option<IntOrString>,
    pub max_surge: Option<IntOrString>,
}

codec! { RollingUpdateDeployment
    0 "maxUnavailable" [1] opt max_unavailable
    1 "maxSurge" [2] opt max_surge
    => [2 max_surge] [1 max_unavailable]
}
