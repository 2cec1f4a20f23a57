//! `apps/v1`: `StatefulSet` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{PersistentVolumeClaim, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Time};

/// `io.k8s.api.apps.v1.StatefulSet`.
#[derive(Clone, Default, PartialEq)]
pub struct StatefulSet {
    pub metadata: ObjectMeta,
    pub spec: StatefulSetSpec,
    pub status: StatefulSetStatus,
}

codec! { StatefulSet: "apps/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { StatefulSet "apps" "v1" "statefulsets" Namespaced, StatefulSetStatus }

/// `io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy`.
#[derive(Clone, Default, PartialEq)]
pub struct RollingUpdateStatefulSetStrategy {
    pub partition: Option<i32>,
    pub max_unavailable: Option<IntOrString>,
}

codec! { RollingUpdateStatefulSetStrategy
    0 "partition" [1] opt partition
    1 "maxUnavailable" [2] opt max_unavailable
    => [2 max_unavailable] [1 partition]
}

/// `io.k8s.api.apps.v1.StatefulSetCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct StatefulSetCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { StatefulSetCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.apps.v1.StatefulSetOrdinals`.
#[derive(Clone, Default, PartialEq)]
pub struct StatefulSetOrdinals {
    pub start: i32,
}

codec! { StatefulSetOrdinals
    0 "start" [1] req start
    => [1 start]
}

/// `io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct StatefulSetPersistentVolumeClaimRetentionPolicy {
    pub when_deleted: IStr,
    pub when_scaled: IStr,
}

codec! { StatefulSetPersistentVolumeClaimRetentionPolicy
    0 "whenDeleted" [1] opt when_deleted
    1 "whenScaled" [2] opt when_scaled
    => [2 when_scaled] [1 when_deleted]
}

/// `io.k8s.api.apps.v1.StatefulSetSpec`.
#[derive(Clone, Default, PartialEq)]
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
    0 "replicas" [1] opt replicas
    1 "selector" [2] opt selector .required() .map_atomic()
    2 "template" [3] opt template .required()
    3 "volumeClaimTemplates" [4] opt volume_claim_templates .list_atomic()
    4 "serviceName" [5] req service_name
    5 "podManagementPolicy" [6] opt pod_management_policy
    6 "updateStrategy" [7] opt update_strategy
    7 "revisionHistoryLimit" [8] opt revision_history_limit
    8 "minReadySeconds" [9] opt min_ready_seconds
    9 "persistentVolumeClaimRetentionPolicy" [10] opt persistent_volume_claim_retention_policy
    10 "ordinals" [11] opt ordinals
    => [11 ordinals] [10 persistent_volume_claim_retention_policy] [9 min_ready_seconds]
       [8 revision_history_limit] [7 update_strategy] [6 pod_management_policy] [5 service_name]
       [4 volume_claim_templates] [3 template] [2 selector] [1 replicas]
}

/// `io.k8s.api.apps.v1.StatefulSetStatus`.
#[derive(Clone, Default, PartialEq)]
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
    0 "observedGeneration" [1] opt observed_generation
    1 "replicas" [2] req replicas .required()
    2 "readyReplicas" [3] opt ready_replicas
    3 "currentReplicas" [4] opt current_replicas
    4 "updatedReplicas" [5] opt updated_replicas
    5 "currentRevision" [6] opt current_revision
    6 "updateRevision" [7] opt update_revision
    7 "collisionCount" [9] opt collision_count
    8 "conditions" [10] opt conditions .list_map(&["type"])
    9 "availableReplicas" [11] req available_replicas
    => [11 available_replicas] [10 conditions] [9 collision_count] [7 update_revision]
       [6 current_revision] [5 updated_replicas] [4 current_replicas] [3 ready_replicas]
       [2 replicas] [1 observed_generation]
}

/// `io.k8s.api.apps.v1.StatefulSetUpdateStrategy`.
#[derive(Clone, Default, PartialEq)]
pub struct StatefulSetUpdateStrategy {
    pub type_: IStr,
    pub rolling_update: Option<Box<RollingUpdateStatefulSetStrategy>>,
}

codec! { StatefulSetUpdateStrategy
    0 "type" [1] opt type_
    1 "rollingUpdate" [2] opt rolling_update
    => [2 rolling_update] [1 type_]
}
