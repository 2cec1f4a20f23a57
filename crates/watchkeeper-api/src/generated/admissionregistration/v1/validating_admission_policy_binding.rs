//! `admissionregistration/v1`: `ValidatingAdmissionPolicyBinding` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{MatchResources, ParamRef};
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidatingAdmissionPolicyBinding {
    pub metadata: ObjectMeta,
    pub spec: ValidatingAdmissionPolicyBindingSpec,
}

codec! { ValidatingAdmissionPolicyBinding: "admissionregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! {
    ValidatingAdmissionPolicyBinding "admissionregistration.k8s.io" "v1" "validatingadmissionpolicybindings" Cluster
}

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidatingAdmissionPolicyBindingSpec {
    pub policy_name: IStr,
    pub param_ref: Option<Box<ParamRef>>,
    pub match_resources: Option<Box<MatchResources>>,
    pub validation_actions: List<IStr>,
}

codec! { ValidatingAdmissionPolicyBindingSpec
    0 "policyName" [1] opt policy_name .required()
    1 "paramRef" [2] opt param_ref .map_atomic()
    2 "matchResources" [3] opt match_resources .map_atomic()
    3 "validationActions" [4] opt validation_actions .required() .list_set()
    => [4 validation_actions] [3 match_resources] [2 param_ref] [1 policy_name]
}
