//! `networking/v1`: `IngressClass` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::IStr;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.networking.v1.IngressClass`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClass {
    pub metadata: ObjectMeta,
    pub spec: IngressClassSpec,
}

codec! { IngressClass: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! { IngressClass "networking.k8s.io" "v1" "ingressclasses" Cluster }

/// `io.k8s.api.networking.v1.IngressClassParametersReference`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClassParametersReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
    pub scope: Option<IStr>,
    pub namespace: Option<IStr>,
}

codec! { IngressClassParametersReference
    0 "apiGroup" [1] opt api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    3 "scope" [4] opt scope
    4 "namespace" [5] opt namespace
    => [5 namespace] [4 scope] [3 name] [2 kind] [1 api_group]
}

/// `io.k8s.api.networking.v1.IngressClassSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClassSpec {
    pub controller: IStr,
    pub parameters: Option<Box<IngressClassParametersReference>>,
}

codec! { IngressClassSpec
    0 "controller" [1] opt controller
    1 "parameters" [2] opt parameters
    => [2 parameters] [1 controller]
}
