//! `apps/v1`: `StatefulSet` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{PersistentVolumeClaim, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Time};

/// `io.k8s.api.apps.v1.StatefulSet`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSet {
    pub metadata: ObjectMeta,
    pub spec: StatefulSetSpec,
    pub status: StatefulSetStatus,
}

codec! { StatefulSet: "apps/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { StatefulSet "apps" "v1" "statefulsets" Namespaced, StatefulSetStatus }

/// `io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingUpdateStatefulSetStrategy {
    pub partition: Option<i32>,
    pub max_unavailable: Option<IntOrString>,
}

codec! { RollingUpdateStatefulSetStrategy
    0 "partition" opt partition
    1 "maxUnavailable" opt max_unavailable
}

/// `io.k8s.api.apps.v1.StatefulSetCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { StatefulSetCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastTransitionTime" opt last_transition_time
    3 "reason" opt reason
    4 "message" opt message
}

/// `io.k8s.api.apps.v1.StatefulSetOrdinals`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetOrdinals {
    pub start: i32,
}

codec! { StatefulSetOrdinals
    0 "start" req start
}

/// `io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetPersistentVolumeClaimRetentionPolicy {
    pub when_deleted: IStr,
    pub when_scaled: IStr,
}

codec! { StatefulSetPersistentVolumeClaimRetentionPolicy
    0 "whenDeleted" opt when_deleted
    1 "whenScaled" opt when_scaled
}

/// `io.k8s.api.apps.v1.StatefulSetSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetSpec {
    pub replicas: Option<i32>,
    pub selector: Option<Box<LabelSelector>>,
    pub template: PodTemplateSpec,
    pub volume_claim_templates: List<PersistentVolumeClaim>,
    pub service_name: IStr,
    pub pod_management_policy: IStr,
    pub update_strategy: StatefulSetUpdateStrategy,
    pub revision_history_limit: Option<i32>,
    pub min_ready_seconds: i32,
    pub persistent_volume_claim_retention_policy:
        Option<Box<StatefulSetPersistentVolumeClaimRetentionPolicy>>,
    pub ordinals: Option<Box<StatefulSetOrdinals>>,
}

codec! { StatefulSetSpec
    0 "replicas" opt replicas
    1 "selector" opt selector .required() .map_atomic()
    2 "template" opt template .required()
    3 "volumeClaimTemplates" opt volume_claim_templates .list_atomic()
    4 "serviceName" req service_name
    5 "podManagementPolicy" opt pod_management_policy
    6 "updateStrategy" opt update_strategy
    7 "revisionHistoryLimit" opt revision_history_limit
    8 "minReadySeconds" opt min_ready_seconds
    9 "persistentVolumeClaimRetentionPolicy" opt persistent_volume_claim_retention_policy
    10 "ordinals" opt ordinals
}

/// `io.k8s.api.apps.v1.StatefulSetStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetStatus {
    pub observed_generation: i64,
    pub replicas: i32,
    pub ready_replicas: i32,
    pub current_replicas: i32,
    pub updated_replicas: i32,
    pub current_revision: IStr,
    pub update_revision: IStr,
    pub collision_count: Option<i32>,
    pub conditions: List<StatefulSetCondition>,
    pub available_replicas: i32,
}

codec! { StatefulSetStatus
    0 "observedGeneration" opt observed_generation
    1 "replicas" req replicas .required()
    2 "readyReplicas" opt ready_replicas
    3 "currentReplicas" opt current_replicas
    4 "updatedReplicas" opt updated_replicas
    5 "currentRevision" opt current_revision
    6 "updateRevision" opt update_revision
    7 "collisionCount" opt collision_count
    8 "conditions" opt conditions .list_map(&["type"])
    9 "availableReplicas" req available_replicas
}

/// `io.k8s.api.apps.v1.StatefulSetUpdateStrategy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatefulSetUpdateStrategy {
    pub type_: IStr,
    pub rolling_update: Option<Box<RollingUpdateStatefulSetStrategy>>,
}

codec! { StatefulSetUpdateStrategy
    0 "type" opt type_
    1 "rollingUpdate" opt rolling_update
}
