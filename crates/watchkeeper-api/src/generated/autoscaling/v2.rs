//! `autoscaling/v2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Quantity, Time};

/// `io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscaler {
    pub metadata: ObjectMeta,
    pub spec: HorizontalPodAutoscalerSpec,
    pub status: HorizontalPodAutoscalerStatus,
}

codec! { HorizontalPodAutoscaler: "autoscaling/v2"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    HorizontalPodAutoscaler "autoscaling" "v2" "horizontalpodautoscalers" Namespaced, HorizontalPodAutoscalerStatus
}

/// `io.k8s.api.autoscaling.v2.ContainerResourceMetricSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerResourceMetricSource {
    pub name: IStr,
    pub target: MetricTarget,
    pub container: IStr,
}

codec! { ContainerResourceMetricSource
    0 "name" [1] req name .required()
    1 "target" [2] opt target .required()
    2 "container" [3] req container .required()
    => [3 container] [2 target] [1 name]
}

/// `io.k8s.api.autoscaling.v2.ContainerResourceMetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ContainerResourceMetricStatus {
    pub name: IStr,
    pub current: MetricValueStatus,
    pub container: IStr,
}

codec! { ContainerResourceMetricStatus
    0 "name" [1] req name .required()
    1 "current" [2] opt current .required()
    2 "container" [3] req container .required()
    => [3 container] [2 current] [1 name]
}

/// `io.k8s.api.autoscaling.v2.CrossVersionObjectReference`.
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

/// `io.k8s.api.autoscaling.v2.ExternalMetricSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ExternalMetricSource {
    pub metric: MetricIdentifier,
    pub target: MetricTarget,
}

codec! { ExternalMetricSource
    0 "metric" [1] opt metric .required()
    1 "target" [2] opt target .required()
    => [2 target] [1 metric]
}

/// `io.k8s.api.autoscaling.v2.ExternalMetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ExternalMetricStatus {
    pub metric: MetricIdentifier,
    pub current: MetricValueStatus,
}

codec! { ExternalMetricStatus
    0 "metric" [1] opt metric .required()
    1 "current" [2] opt current .required()
    => [2 current] [1 metric]
}

/// `io.k8s.api.autoscaling.v2.HPAScalingPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct HPAScalingPolicy {
    pub type_: IStr,
    pub value: i32,
    pub period_seconds: i32,
}

codec! { HPAScalingPolicy
    0 "type" [1] req type_ .required()
    1 "value" [2] req value .required()
    2 "periodSeconds" [3] req period_seconds .required()
    => [3 period_seconds] [2 value] [1 type_]
}

/// `io.k8s.api.autoscaling.v2.HPAScalingRules`.
#[derive(Clone, Default, PartialEq)]
pub struct HPAScalingRules {
    pub stabilization_window_seconds: Option<i32>,
    pub select_policy: Option<IStr>,
    pub policies: List<HPAScalingPolicy>,
    pub tolerance: Option<Quantity>,
}

codec! { HPAScalingRules
    0 "stabilizationWindowSeconds" [3] opt stabilization_window_seconds
    1 "selectPolicy" [1] opt select_policy
    2 "policies" [2] opt policies .list_atomic()
    3 "tolerance" [4] opt tolerance
    => [4 tolerance] [3 stabilization_window_seconds] [2 policies] [1 select_policy]
}

/// `io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerBehavior {
    pub scale_up: Option<Box<HPAScalingRules>>,
    pub scale_down: Option<Box<HPAScalingRules>>,
}

codec! { HorizontalPodAutoscalerBehavior
    0 "scaleUp" [1] opt scale_up
    1 "scaleDown" [2] opt scale_down
    => [2 scale_down] [1 scale_up]
}

/// `io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { HorizontalPodAutoscalerCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerSpec {
    pub scale_target_ref: CrossVersionObjectReference,
    pub min_replicas: Option<i32>,
    pub max_replicas: i32,
    pub metrics: List<MetricSpec>,
    pub behavior: Option<Box<HorizontalPodAutoscalerBehavior>>,
}

codec! { HorizontalPodAutoscalerSpec
    0 "scaleTargetRef" [1] opt scale_target_ref .required()
    1 "minReplicas" [2] opt min_replicas
    2 "maxReplicas" [3] req max_replicas .required()
    3 "metrics" [4] opt metrics .list_atomic()
    4 "behavior" [5] opt behavior
    => [5 behavior] [4 metrics] [3 max_replicas] [2 min_replicas] [1 scale_target_ref]
}

/// `io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct HorizontalPodAutoscalerStatus {
    pub observed_generation: Option<i64>,
    pub last_scale_time: Option<Time>,
    pub current_replicas: i32,
    pub desired_replicas: i32,
    pub current_metrics: List<MetricStatus>,
    pub conditions: List<HorizontalPodAutoscalerCondition>,
}

codec! { HorizontalPodAutoscalerStatus
    0 "observedGeneration" [1] opt observed_generation
    1 "lastScaleTime" [2] opt last_scale_time
    2 "currentReplicas" [3] opt current_replicas
    3 "desiredReplicas" [4] req desired_replicas .required()
    4 "currentMetrics" [5] opt current_metrics .list_atomic()
    5 "conditions" [6] opt conditions .list_map(&["type"])
    => [6 conditions] [5 current_metrics] [4 desired_replicas] [3 current_replicas]
       [2 last_scale_time] [1 observed_generation]
}

/// `io.k8s.api.autoscaling.v2.MetricIdentifier`.
#[derive(Clone, Default, PartialEq)]
pub struct MetricIdentifier {
    pub name: IStr,
    pub selector: Option<Box<LabelSelector>>,
}

codec! { MetricIdentifier
    0 "name" [1] req name .required()
    1 "selector" [2] opt selector .map_atomic()
    => [2 selector] [1 name]
}

/// `io.k8s.api.autoscaling.v2.MetricSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct MetricSpec {
    pub type_: IStr,
    pub object: Option<Box<ObjectMetricSource>>,
    pub pods: Option<Box<PodsMetricSource>>,
    pub resource: Option<Box<ResourceMetricSource>>,
    pub container_resource: Option<Box<ContainerResourceMetricSource>>,
    pub external: Option<Box<ExternalMetricSource>>,
}

codec! { MetricSpec
    0 "type" [1] req type_ .required()
    1 "object" [2] opt object
    2 "pods" [3] opt pods
    3 "resource" [4] opt resource
    4 "containerResource" [7] opt container_resource
    5 "external" [5] opt external
    => [7 container_resource] [5 external] [4 resource] [3 pods] [2 object] [1 type_]
}

/// `io.k8s.api.autoscaling.v2.MetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct MetricStatus {
    pub type_: IStr,
    pub object: Option<Box<ObjectMetricStatus>>,
    pub pods: Option<Box<PodsMetricStatus>>,
    pub resource: Option<Box<ResourceMetricStatus>>,
    pub container_resource: Option<Box<ContainerResourceMetricStatus>>,
    pub external: Option<Box<ExternalMetricStatus>>,
}

codec! { MetricStatus
    0 "type" [1] req type_ .required()
    1 "object" [2] opt object
    2 "pods" [3] opt pods
    3 "resource" [4] opt resource
    4 "containerResource" [7] opt container_resource
    5 "external" [5] opt external
    => [7 container_resource] [5 external] [4 resource] [3 pods] [2 object] [1 type_]
}

/// `io.k8s.api.autoscaling.v2.MetricTarget`.
#[derive(Clone, Default, PartialEq)]
pub struct MetricTarget {
    pub type_: IStr,
    pub value: Option<Quantity>,
    pub average_value: Option<Quantity>,
    pub average_utilization: Option<i32>,
}

codec! { MetricTarget
    0 "type" [1] req type_ .required()
    1 "value" [2] opt value
    2 "averageValue" [3] opt average_value
    3 "averageUtilization" [4] opt average_utilization
    => [4 average_utilization] [3 average_value] [2 value] [1 type_]
}

/// `io.k8s.api.autoscaling.v2.MetricValueStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct MetricValueStatus {
    pub value: Option<Quantity>,
    pub average_value: Option<Quantity>,
    pub average_utilization: Option<i32>,
}

codec! { MetricValueStatus
    0 "value" [1] opt value
    1 "averageValue" [2] opt average_value
    2 "averageUtilization" [3] opt average_utilization
    => [3 average_utilization] [2 average_value] [1 value]
}

/// `io.k8s.api.autoscaling.v2.ObjectMetricSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectMetricSource {
    pub described_object: CrossVersionObjectReference,
    pub target: MetricTarget,
    pub metric: MetricIdentifier,
}

codec! { ObjectMetricSource
    0 "describedObject" [1] opt described_object .required()
    1 "target" [2] opt target .required()
    2 "metric" [3] opt metric .required()
    => [3 metric] [2 target] [1 described_object]
}

/// `io.k8s.api.autoscaling.v2.ObjectMetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectMetricStatus {
    pub metric: MetricIdentifier,
    pub current: MetricValueStatus,
    pub described_object: CrossVersionObjectReference,
}

codec! { ObjectMetricStatus
    0 "metric" [1] opt metric .required()
    1 "current" [2] opt current .required()
    2 "describedObject" [3] opt described_object .required()
    => [3 described_object] [2 current] [1 metric]
}

/// `io.k8s.api.autoscaling.v2.PodsMetricSource`.
#[derive(Clone, Default, PartialEq)]
pub struct PodsMetricSource {
    pub metric: MetricIdentifier,
    pub target: MetricTarget,
}

codec! { PodsMetricSource
    0 "metric" [1] opt metric .required()
    1 "target" [2] opt target .required()
    => [2 target] [1 metric]
}

/// `io.k8s.api.autoscaling.v2.PodsMetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodsMetricStatus {
    pub metric: MetricIdentifier,
    pub current: MetricValueStatus,
}

codec! { PodsMetricStatus
    0 "metric" [1] opt metric .required()
    1 "current" [2] opt current .required()
    => [2 current] [1 metric]
}

/// `io.k8s.api.autoscaling.v2.ResourceMetricSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceMetricSource {
    pub name: IStr,
    pub target: MetricTarget,
}

codec! { ResourceMetricSource
    0 "name" [1] req name .required()
    1 "target" [2] opt target .required()
    => [2 target] [1 name]
}

/// `io.k8s.api.autoscaling.v2.ResourceMetricStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceMetricStatus {
    pub name: IStr,
    pub current: MetricValueStatus,
}

codec! { ResourceMetricStatus
    0 "name" [1] req name .required()
    1 "current" [2] opt current .required()
    => [2 current] [1 name]
}
