//! `admissionregistration/v1`: `ValidatingAdmissionPolicy` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{MatchCondition, MatchResources, ParamKind, Variable};
use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidatingAdmissionPolicy {
    pub metadata: ObjectMeta,
    pub spec: ValidatingAdmissionPolicySpec,
    pub status: ValidatingAdmissionPolicyStatus,
}

codec! { ValidatingAdmissionPolicy: "admissionregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    ValidatingAdmissionPolicy "admissionregistration.k8s.io" "v1" "validatingadmissionpolicies" Cluster, ValidatingAdmissionPolicyStatus
}

/// `io.k8s.api.admissionregistration.v1.AuditAnnotation`.
#[derive(Clone, Default, PartialEq)]
pub struct AuditAnnotation {
    pub key: IStr,
    pub value_expression: IStr,
}

codec! { AuditAnnotation
    0 "key" [1] req key .required()
    1 "valueExpression" [2] req value_expression .required()
    => [2 value_expression] [1 key]
}

/// `io.k8s.api.admissionregistration.v1.ExpressionWarning`.
#[derive(Clone, Default, PartialEq)]
pub struct ExpressionWarning {
    pub field_ref: IStr,
    pub warning: IStr,
}

codec! { ExpressionWarning
    0 "fieldRef" [2] req field_ref .required()
    1 "warning" [3] req warning .required()
    => [3 warning] [2 field_ref]
}

/// `io.k8s.api.admissionregistration.v1.TypeChecking`.
#[derive(Clone, Default, PartialEq)]
pub struct TypeChecking {
    pub expression_warnings: List<ExpressionWarning>,
}

codec! { TypeChecking
    0 "expressionWarnings" [1] opt expression_warnings .list_atomic()
    => [1 expression_warnings]
}

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec`.
#[derive(Clone, Default, PartialEq)]
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
    0 "paramKind" [1] opt param_kind .map_atomic()
    1 "matchConstraints" [2] opt match_constraints .map_atomic()
    2 "validations" [3] opt validations .list_atomic()
    3 "failurePolicy" [4] opt failure_policy
    4 "auditAnnotations" [5] opt audit_annotations .list_atomic()
    5 "matchConditions" [6] opt match_conditions .list_map(&["name"])
    6 "variables" [7] opt variables .list_map(&["name"])
    => [7 variables] [6 match_conditions] [5 audit_annotations] [4 failure_policy] [3 validations]
       [2 match_constraints] [1 param_kind]
}

/// `io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidatingAdmissionPolicyStatus {
    pub observed_generation: i64,
    pub type_checking: Option<Box<TypeChecking>>,
    pub conditions: List<Condition>,
}

codec! { ValidatingAdmissionPolicyStatus
    0 "observedGeneration" [1] opt observed_generation
    1 "typeChecking" [2] opt type_checking
    2 "conditions" [3] opt conditions .list_map(&["type"])
    => [3 conditions] [2 type_checking] [1 observed_generation]
}

/// `io.k8s.api.admissionregistration.v1.Validation`.
#[derive(Clone, Default, PartialEq)]
pub struct Validation {
    pub expression: IStr,
    pub message: IStr,
    pub reason: Option<IStr>,
    pub message_expression: IStr,
}

codec! { Validation
    0 "expression" [1] req expression .required()
    1 "message" [2] opt message
    2 "reason" [3] opt reason
    3 "messageExpression" [4] opt message_expression
    => [4 message_expression] [3 reason] [2 message] [1 expression]
}
