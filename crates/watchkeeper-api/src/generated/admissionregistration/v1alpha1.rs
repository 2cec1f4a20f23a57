//! `admissionregistration/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingAdmissionPolicy {
    pub metadata: ObjectMeta,
    pub spec: MutatingAdmissionPolicySpec,
}

codec! { MutatingAdmissionPolicy: "admissionregistration.k8s.io/v1alpha1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! {
    MutatingAdmissionPolicy "admissionregistration.k8s.io" "v1alpha1" "mutatingadmissionpolicies" Cluster
}

/// `io.k8s.api.admissionregistration.v1alpha1.ApplyConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct ApplyConfiguration {
    pub expression: IStr,
}

codec! { ApplyConfiguration
    0 "expression" [1] opt expression
    => [1 expression]
}

/// `io.k8s.api.admissionregistration.v1alpha1.JSONPatch`.
#[derive(Clone, Default, PartialEq)]
pub struct JSONPatch {
    pub expression: IStr,
}

codec! { JSONPatch
    0 "expression" [1] opt expression
    => [1 expression]
}

/// `io.k8s.api.admissionregistration.v1alpha1.MatchCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct MatchCondition {
    pub name: IStr,
    pub expression: IStr,
}

codec! { MatchCondition
    0 "name" [1] req name .required()
    1 "expression" [2] req expression .required()
    => [2 expression] [1 name]
}

/// `io.k8s.api.admissionregistration.v1alpha1.MatchResources`.
#[derive(Clone, Default, PartialEq)]
pub struct MatchResources {
    pub namespace_selector: Option<Box<LabelSelector>>,
    pub object_selector: Option<Box<LabelSelector>>,
    pub resource_rules: List<NamedRuleWithOperations>,
    pub exclude_resource_rules: List<NamedRuleWithOperations>,
    pub match_policy: Option<IStr>,
}

codec! { MatchResources
    0 "namespaceSelector" [1] opt namespace_selector .map_atomic()
    1 "objectSelector" [2] opt object_selector .map_atomic()
    2 "resourceRules" [3] opt resource_rules .list_atomic()
    3 "excludeResourceRules" [4] opt exclude_resource_rules .list_atomic()
    4 "matchPolicy" [7] opt match_policy
    => [7 match_policy] [4 exclude_resource_rules] [3 resource_rules] [2 object_selector]
       [1 namespace_selector]
}

/// `io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicySpec`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingAdmissionPolicySpec {
    pub param_kind: Option<Box<ParamKind>>,
    pub match_constraints: Option<Box<MatchResources>>,
    pub variables: List<Variable>,
    pub mutations: List<Mutation>,
    pub failure_policy: Option<IStr>,
    pub match_conditions: List<MatchCondition>,
    pub reinvocation_policy: IStr,
}

codec! { MutatingAdmissionPolicySpec
    0 "paramKind" [1] opt param_kind .map_atomic()
    1 "matchConstraints" [2] opt match_constraints .map_atomic()
    2 "variables" [3] opt variables .list_atomic()
    3 "mutations" [4] opt mutations .list_atomic()
    4 "failurePolicy" [5] opt failure_policy
    5 "matchConditions" [6] opt match_conditions .list_map(&["name"])
    6 "reinvocationPolicy" [7] opt reinvocation_policy
    => [7 reinvocation_policy] [6 match_conditions] [5 failure_policy] [4 mutations] [3 variables]
       [2 match_constraints] [1 param_kind]
}

/// `io.k8s.api.admissionregistration.v1alpha1.Mutation`.
#[derive(Clone, Default, PartialEq)]
pub struct Mutation {
    pub patch_type: IStr,
    pub apply_configuration: Option<Box<ApplyConfiguration>>,
    pub json_patch: Option<Box<JSONPatch>>,
}

codec! { Mutation
    0 "patchType" [2] req patch_type .required()
    1 "applyConfiguration" [3] opt apply_configuration
    2 "jsonPatch" [4] opt json_patch
    => [4 json_patch] [3 apply_configuration] [2 patch_type]
}

/// `io.k8s.api.admissionregistration.v1alpha1.NamedRuleWithOperations`.
#[derive(Clone, Default, PartialEq)]
pub struct NamedRuleWithOperations {
    pub resource_names: List<IStr>,
    pub operations: List<IStr>,
    pub api_groups: List<IStr>,
    pub api_versions: List<IStr>,
    pub resources: List<IStr>,
    pub scope: Option<IStr>,
}

codec! { NamedRuleWithOperations
    0 "resourceNames" [1] opt resource_names .list_atomic()
    1 "operations" [2 1] opt operations .list_atomic()
    2 "apiGroups" [2 2 1] opt api_groups .list_atomic()
    3 "apiVersions" [2 2 2] opt api_versions .list_atomic()
    4 "resources" [2 2 3] opt resources .list_atomic()
    5 "scope" [2 2 4] opt scope
    => (2 (2 [4 scope] [3 resources] [2 api_versions] [1 api_groups]) [1 operations])
       [1 resource_names]
}

/// `io.k8s.api.admissionregistration.v1alpha1.ParamKind`.
#[derive(Clone, Default, PartialEq)]
pub struct ParamKind {
    pub api_version: IStr,
    pub kind: IStr,
}

codec! { ParamKind
    0 "apiVersion" [1] opt api_version
    1 "kind" [2] opt kind
    => [2 kind] [1 api_version]
}

/// `io.k8s.api.admissionregistration.v1alpha1.Variable`.
#[derive(Clone, Default, PartialEq)]
pub struct Variable {
    pub name: IStr,
    pub expression: IStr,
}

codec! { Variable
    0 "name" [1] req name .required()
    1 "expression" [2] req expression .required()
    => [2 expression] [1 name]
}

/// `io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingAdmissionPolicyBinding {
    pub metadata: ObjectMeta,
    pub spec: MutatingAdmissionPolicyBindingSpec,
}

codec! { MutatingAdmissionPolicyBinding: "admissionregistration.k8s.io/v1alpha1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! {
    MutatingAdmissionPolicyBinding "admissionregistration.k8s.io" "v1alpha1" "mutatingadmissionpolicybindings" Cluster
}

/// `io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingSpec`.
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

/// `io.k8s.api.admissionregistration.v1alpha1.ParamRef`.
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
