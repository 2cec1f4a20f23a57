//! `autoscaling/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::autoscaling::v1::{
    CrossVersionObjectReference, HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec,
    HorizontalPodAutoscalerStatus, Scale, ScaleSpec, ScaleStatus,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Time, setters};

setters! {
    HorizontalPodAutoscaler {
        with_metadata metadata: ObjectMeta,
        with_spec spec: HorizontalPodAutoscalerSpec,
        with_status status: HorizontalPodAutoscalerStatus,
    }
    CrossVersionObjectReference {
        with_kind kind: IStr,
        with_name name: IStr,
        with_api_version api_version: IStr,
    }
    HorizontalPodAutoscalerSpec {
        with_scale_target_ref scale_target_ref: CrossVersionObjectReference,
        with_min_replicas min_replicas: Option<i32>,
        with_max_replicas max_replicas: i32,
        with_target_cpu_utilization_percentage target_cpu_utilization_percentage: Option<i32>,
    }
    HorizontalPodAutoscalerStatus {
        with_observed_generation observed_generation: Option<i64>,
        with_last_scale_time last_scale_time: Option<Time>,
        with_current_replicas current_replicas: i32,
        with_desired_replicas desired_replicas: i32,
        with_current_cpu_utilization_percentage current_cpu_utilization_percentage: Option<i32>,
    }
    Scale {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ScaleSpec,
        with_status status: ScaleStatus,
    }
    ScaleSpec {
        with_replicas replicas: i32,
    }
    ScaleStatus {
        with_replicas replicas: i32,
        with_selector selector: IStr,
    }
}
