//! `resource/v1beta1`: `ResourceClaimTemplate` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ResourceClaimSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.resource.v1beta1.ResourceClaimTemplate`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaimTemplate {
    pub metadata: ObjectMeta,
    pub spec: ResourceClaimTemplateSpec,
}

codec! { ResourceClaimTemplate: "resource.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { ResourceClaimTemplate "resource.k8s.io" "v1beta1" "resourceclaimtemplates" Namespaced }

/// `io.k8s.api.resource.v1beta1.ResourceClaimTemplateSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceClaimTemplateSpec {
    pub metadata: ObjectMeta,
    pub spec: ResourceClaimSpec,
}

codec! { ResourceClaimTemplateSpec
    0 "metadata" [1] opt metadata
    1 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}
