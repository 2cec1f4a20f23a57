//! `apps/v1`: `Deployment` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::PodTemplateSpec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Time};

/// `io.k8s.api.apps.v1.Deployment`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deployment {
    pub metadata: ObjectMeta,
    pub spec: DeploymentSpec,
    pub status: DeploymentStatus,
}

codec! { Deployment: "apps/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { Deployment "apps" "v1" "deployments" Namespaced, DeploymentStatus }

/// `io.k8s.api.apps.v1.DeploymentCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_update_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { DeploymentCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastUpdateTime" opt last_update_time
    3 "lastTransitionTime" opt last_transition_time
    4 "reason" opt reason
    5 "message" opt message
}

/// `io.k8s.api.apps.v1.DeploymentSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "replicas" opt replicas
    1 "selector" opt selector .required() .map_atomic()
    2 "template" opt template .required()
    3 "strategy" opt strategy
    4 "minReadySeconds" opt min_ready_seconds
    5 "revisionHistoryLimit" opt revision_history_limit
    6 "paused" opt paused
    7 "progressDeadlineSeconds" opt progress_deadline_seconds
}

/// `io.k8s.api.apps.v1.DeploymentStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "observedGeneration" opt observed_generation
    1 "replicas" opt replicas
    2 "updatedReplicas" opt updated_replicas
    3 "readyReplicas" opt ready_replicas
    4 "availableReplicas" opt available_replicas
    5 "unavailableReplicas" opt unavailable_replicas
    6 "terminatingReplicas" opt terminating_replicas
    7 "conditions" opt conditions .list_map(&["type"])
    8 "collisionCount" opt collision_count
}

/// `io.k8s.api.apps.v1.DeploymentStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentStrategy {
    pub type_: IStr,
    pub rolling_update: Option<Box<RollingUpdateDeployment>>,
}

codec! { DeploymentStrategy
    0 "type" opt type_
    1 "rollingUpdate" opt rolling_update
}

/// `io.k8s.api.apps.v1.RollingUpdateDeployment`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingUpdateDeployment {
    pub max_unavailable: Option<IntOrString>,
    pub max_surge: Option<IntOrString>,
}

codec! { RollingUpdateDeployment
    0 "maxUnavailable" opt max_unavailable
    1 "maxSurge" opt max_surge
}
