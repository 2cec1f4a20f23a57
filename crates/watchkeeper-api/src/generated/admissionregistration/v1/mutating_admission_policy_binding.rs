//! `admissionregistration/v1`: `MutatingAdmissionPolicyBinding` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::MatchResources;
use crate::IStr;
use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};

/// `io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingAdmissionPolicyBinding {
    pub metadata: ObjectMeta,
    pub spec: MutatingAdmissionPolicyBindingSpec,
}

codec! { MutatingAdmissionPolicyBinding: "admissionregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! {
    MutatingAdmissionPolicyBinding "admissionregistration.k8s.io" "v1" "mutatingadmissionpolicybindings" Cluster
}

/// `io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBindingSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingAdmissionPolicyBindingSpec {
    pub policy_name: IStr,
    pub param_ref: Option<Box<ParamRef>>,
    pub match_resources: Option<Box<MatchResources>>,
}

codec! { MutatingAdmissionPolicyBindingSpec
    0 "policyName" [1] opt policy_name
    1 "paramRef" [2] opt param_ref .map_atomic()
    2 "matchResources" [3] opt match_resources .map_atomic()
    => [3 match_resources] [2 param_ref] [1 policy_name]
}

/// `io.k8s.api.admissionregistration.v1.ParamRef`.
#[derive(Clone, Default, PartialEq)]
pub struct ParamRef {
    pub name: IStr,
    pub namespace: IStr,
    pub selector: Option<Box<LabelSelector>>,
    pub parameter_not_found_action: Option<IStr>,
}

codec! { ParamRef
    0 "name" [1] opt name
    1 "namespace" [2] opt namespace
    2 "selector" [3] opt selector .map_atomic()
    3 "parameterNotFoundAction" [4] opt parameter_not_found_action
    => [4 parameter_not_found_action] [3 selector] [2 namespace] [1 name]
}
