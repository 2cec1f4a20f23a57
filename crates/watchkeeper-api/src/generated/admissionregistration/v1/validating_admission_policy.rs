//! `admissionregistration/v1`: `ValidatingAdmissionPolicy` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{MatchCondition, MatchResources, ParamKind, Variable};
use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidatingAdmissionPolicy {
    pub metadata: ObjectMeta,
    pub spec: ValidatingAdmissionPolicySpec,
    pub status: ValidatingAdmissionPolicyStatus,
}

codec! { ValidatingAdmissionPolicy: "admissionregistration.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! {
    ValidatingAdmissionPolicy "admissionregistration.k8s.io" "v1" "validatingadmissionpolicies" Cluster, ValidatingAdmissionPolicyStatus
}

/// `io.k8s.api.admissionregistration.v1.AuditAnnotation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditAnnotation {
    pub key: IStr,
    pub value_expression: IStr,
}

codec! { AuditAnnotation
    0 "key" req key .required()
    1 "valueExpression" req value_expression .required()
}

/// `io.k8s.api.admissionregistration.v1.ExpressionWarning`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpressionWarning {
    pub field_ref: IStr,
    pub warning: IStr,
}

codec! { ExpressionWarning
    0 "fieldRef" req field_ref .required()
    1 "warning" req warning .required()
}

/// `io.k8s.api.admissionregistration.v1.TypeChecking`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeChecking {
    pub expression_warnings: List<ExpressionWarning>,
}

codec! { TypeChecking
    0 "expressionWarnings" opt expression_warnings .list_atomic()
}

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidatingAdmissionPolicySpec {
    pub param_kind: Option<Box<ParamKind>>,
    pub match_constraints: Option<Box<MatchResources>>,
    pub validations: List<Validation>,
    pub failure_policy: Option<IStr>,
    pub audit_annotations: List<AuditAnnotation>,
    pub match_conditions: List<MatchCondition>,
    pub variables: List<Variable>,
}

codec! { ValidatingAdmissionPolicySpec
    0 "paramKind" opt param_kind .map_atomic()
    1 "matchConstraints" opt match_constraints .map_atomic()
    2 "validations" opt validations .list_atomic()
    3 "failurePolicy" opt failure_policy
    4 "auditAnnotations" opt audit_annotations .list_atomic()
    5 "matchConditions" opt match_conditions .list_map(&["name"])
    6 "variables" opt variables .list_map(&["name"])
}

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidatingAdmissionPolicyStatus {
    pub observed_generation: i64,
    pub type_checking: Option<Box<TypeChecking>>,
    pub conditions: List<Condition>,
}

codec! { ValidatingAdmissionPolicyStatus
    0 "observedGeneration" opt observed_generation
    1 "typeChecking" opt type_checking
    2 "conditions" opt conditions .list_map(&["type"])
}

/// `io.k8s.api.admissionregistration.v1.Validation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Validation {
    pub expression: IStr,
    pub message: IStr,
    pub reason: Option<IStr>,
    pub message_expression: IStr,
}

codec! { Validation
    0 "expression" req expression .required()
    1 "message" opt message
    2 "reason" opt reason
    3 "messageExpression" opt message_expression
}
