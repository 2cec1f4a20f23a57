//! `autoscaling/v2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::autoscaling::v2::{
    ContainerResourceMetricSource, ContainerResourceMetricStatus, CrossVersionObjectReference,
    ExternalMetricSource, ExternalMetricStatus, HPAScalingPolicy, HPAScalingRules,
    HorizontalPodAutoscaler, HorizontalPodAutoscalerBehavior, HorizontalPodAutoscalerCondition,
    HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus, MetricIdentifier, MetricSpec,
    MetricStatus, MetricTarget, MetricValueStatus, ObjectMetricSource, ObjectMetricStatus,
    PodsMetricSource, PodsMetricStatus, ResourceMetricSource, ResourceMetricStatus,
};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Quantity, Time, setters};

setters! {
    HorizontalPodAutoscaler {
        with_metadata metadata: ObjectMeta,
        with_spec spec: HorizontalPodAutoscalerSpec,
        with_status status: HorizontalPodAutoscalerStatus,
    }
    ContainerResourceMetricSource {
        with_name name: IStr,
        with_target target: MetricTarget,
        with_container container: IStr,
    }
    ContainerResourceMetricStatus {
        with_name name: IStr,
        with_current current: MetricValueStatus,
        with_container container: IStr,
    }
    CrossVersionObjectReference {
        with_kind kind: IStr,
        with_name name: IStr,
        with_api_version api_version: IStr,
    }
    ExternalMetricSource {
        with_metric metric: MetricIdentifier,
        with_target target: MetricTarget,
    }
    ExternalMetricStatus {
        with_metric metric: MetricIdentifier,
        with_current current: MetricValueStatus,
    }
    HPAScalingPolicy {
        with_type type_: IStr,
        with_value value: i32,
        with_period_seconds period_seconds: i32,
    }
    HPAScalingRules {
        with_stabilization_window_seconds stabilization_window_seconds: Option<i32>,
        with_select_policy select_policy: Option<IStr>,
        with_policies policies: List<HPAScalingPolicy>,
        with_tolerance tolerance: Option<Quantity>,
    }
    HorizontalPodAutoscalerBehavior {
        with_scale_up scale_up: Option<Box<HPAScalingRules>>,
        with_scale_down scale_down: Option<Box<HPAScalingRules>>,
    }
    HorizontalPodAutoscalerCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    HorizontalPodAutoscalerSpec {
        with_scale_target_ref scale_target_ref: CrossVersionObjectReference,
        with_min_replicas min_replicas: Option<i32>,
        with_max_replicas max_replicas: i32,
        with_metrics metrics: List<MetricSpec>,
        with_behavior behavior: Option<Box<HorizontalPodAutoscalerBehavior>>,
    }
    HorizontalPodAutoscalerStatus {
        with_observed_generation observed_generation: Option<i64>,
        with_last_scale_time last_scale_time: Option<Time>,
        with_current_replicas current_replicas: i32,
        with_desired_replicas desired_replicas: i32,
        with_current_metrics current_metrics: List<MetricStatus>,
        with_conditions conditions: List<HorizontalPodAutoscalerCondition>,
    }
    MetricIdentifier {
        with_name name: IStr,
        with_selector selector: Option<Box<LabelSelector>>,
    }
    MetricSpec {
        with_type type_: IStr,
        with_object object: Option<Box<ObjectMetricSource>>,
        with_pods pods: Option<Box<PodsMetricSource>>,
        with_resource resource: Option<Box<ResourceMetricSource>>,
        with_container_resource container_resource: Option<Box<ContainerResourceMetricSource>>,
        with_external external: Option<Box<ExternalMetricSource>>,
    }
    MetricStatus {
        with_type type_: IStr,
        with_object object: Option<Box<ObjectMetricStatus>>,
        with_pods pods: Option<Box<PodsMetricStatus>>,
        with_resource resource: Option<Box<ResourceMetricStatus>>,
        with_container_resource container_resource: Option<Box<ContainerResourceMetricStatus>>,
        with_external external: Option<Box<ExternalMetricStatus>>,
    }
    MetricTarget {
        with_type type_: IStr,
        with_value value: Option<Quantity>,
        with_average_value average_value: Option<Quantity>,
        with_average_utilization average_utilization: Option<i32>,
    }
    MetricValueStatus {
        with_value value: Option<Quantity>,
        with_average_value average_value: Option<Quantity>,
        with_average_utilization average_utilization: Option<i32>,
    }
    ObjectMetricSource {
        with_described_object described_object: CrossVersionObjectReference,
        with_target target: MetricTarget,
        with_metric metric: MetricIdentifier,
    }
    ObjectMetricStatus {
        with_metric metric: MetricIdentifier,
        with_current current: MetricValueStatus,
        with_described_object described_object: CrossVersionObjectReference,
    }
    PodsMetricSource {
        with_metric metric: MetricIdentifier,
        with_target target: MetricTarget,
    }
    PodsMetricStatus {
        with_metric metric: MetricIdentifier,
        with_current current: MetricValueStatus,
    }
    ResourceMetricSource {
        with_name name: IStr,
        with_target target: MetricTarget,
    }
    ResourceMetricStatus {
        with_name name: IStr,
        with_current current: MetricValueStatus,
    }
}
