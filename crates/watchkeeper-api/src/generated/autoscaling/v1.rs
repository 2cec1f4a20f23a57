//! `autoscaling/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Time};

/// `io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscaler {
    pub metadata: ObjectMeta,
    pub spec: HorizontalPodAutoscalerSpec,
    pub status: HorizontalPodAutoscalerStatus,
}

codec! { HorizontalPodAutoscaler: "autoscaling/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    HorizontalPodAutoscaler "autoscaling" "v1" "horizontalpodautoscalers" Namespaced, HorizontalPodAutoscalerStatus
}

/// `io.k8s.api.autoscaling.v1.CrossVersionObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct CrossVersionObjectReference {
    pub kind: IStr,
    pub name: IStr,
    pub api_version: IStr,
}

codec! { CrossVersionObjectReference
    0 "kind" [1] req kind .required()
    1 "name" [2] req name .required()
    2 "apiVersion" [3] opt api_version
    => [3 api_version] [2 name] [1 kind]
}

/// `io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerSpec {
    pub scale_target_ref: CrossVersionObjectReference,
    pub min_replicas: Option<i32>,
    pub max_replicas: i32,
    pub target_cpu_utilization_percentage: Option<i32>,
}

codec! { HorizontalPodAutoscalerSpec
    0 "scaleTargetRef" [1] opt scale_target_ref .required() .map_atomic()
    1 "minReplicas" [2] opt min_replicas
    2 "maxReplicas" [3] req max_replicas .required()
    3 "targetCPUUtilizationPercentage" [4] opt target_cpu_utilization_percentage
    => [4 target_cpu_utilization_percentage] [3 max_replicas] [2 min_replicas] [1 scale_target_ref]
}

/// `io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerStatus {
    pub observed_generation: Option<i64>,
    pub last_scale_time: Option<Time>,
    pub current_replicas: i32,
    pub desired_replicas: i32,
    pub current_cpu_utilization_percentage: Option<i32>,
}

codec! { HorizontalPodAutoscalerStatus
    0 "observedGeneration" [1] opt observed_generation
    1 "lastScaleTime" [2] opt last_scale_time
    2 "currentReplicas" [3] req current_replicas .required()
    3 "desiredReplicas" [4] req desired_replicas .required()
    4 "currentCPUUtilizationPercentage" [5] opt current_cpu_utilization_percentage
    => [5 current_cpu_utilization_percentage] [4 desired_replicas] [3 current_replicas]
       [2 last_scale_time] [1 observed_generation]
}

/// `io.k8s.api.autoscaling.v1.Scale`.
#[derive(Clone, Default, PartialEq)]
pub struct Scale {
    pub metadata: ObjectMeta,
    pub spec: ScaleSpec,
    pub status: ScaleStatus,
}

codec! { Scale: "autoscaling/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Scale "autoscaling" "v1" "" Namespaced }

/// `io.k8s.api.autoscaling.v1.ScaleSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleSpec {
    pub replicas: i32,
}

codec! { ScaleSpec
    0 "replicas" [1] opt replicas
    => [1 replicas]
}

/// `io.k8s.api.autoscaling.v1.ScaleStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleStatus {
    pub replicas: i32,
    pub selector: IStr,
}

codec! { ScaleStatus
    0 "replicas" [1] req replicas .required()
    1 "selector" [2] opt selector
    => [2 selector] [1 replicas]
}
