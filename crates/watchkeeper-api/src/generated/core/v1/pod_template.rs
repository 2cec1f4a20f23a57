//! `core/v1`: `PodTemplate` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PodSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.core.v1.PodTemplate`.
#[derive(Clone, Default, PartialEq)]
pub struct PodTemplate {
    pub metadata: ObjectMeta,
    pub template: PodTemplateSpec,
}

codec! { PodTemplate: "v1"
    2 "metadata" [1] opt metadata
    3 "template" [2] opt template
    => [2 template] [1 metadata]
}

kind! { PodTemplate "" "v1" "podtemplates" Namespaced }

/// `io.k8s.api.core.v1.PodTemplateSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PodTemplateSpec {
    pub metadata: ObjectMeta,
    pub spec: PodSpec,
}

codec! { PodTemplateSpec
    0 "metadata" [1] opt metadata
    1 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}
