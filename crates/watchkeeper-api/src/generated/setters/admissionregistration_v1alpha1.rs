//! `admissionregistration/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::admissionregistration::v1alpha1::{
    ApplyConfiguration, JSONPatch, MatchCondition, MatchResources, MutatingAdmissionPolicy,
    MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBindingSpec,
    MutatingAdmissionPolicySpec, Mutation, NamedRuleWithOperations, ParamKind, ParamRef, Variable,
};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, setters};

setters! {
    MutatingAdmissionPolicy {
        with_metadata metadata: ObjectMeta,
        with_spec spec: MutatingAdmissionPolicySpec,
    }
    ApplyConfiguration {
        with_expression expression: IStr,
    }
    JSONPatch {
        with_expression expression: IStr,
    }
    MatchCondition {
        with_name name: IStr,
        with_expression expression: IStr,
    }
    MatchResources {
        with_namespace_selector namespace_selector: Option<Box<LabelSelector>>,
        with_object_selector object_selector: Option<Box<LabelSelector>>,
        with_resource_rules resource_rules: List<NamedRuleWithOperations>,
        with_exclude_resource_rules exclude_resource_rules: List<NamedRuleWithOperations>,
        with_match_policy match_policy: Option<IStr>,
    }
    MutatingAdmissionPolicySpec {
        with_param_kind param_kind: Option<Box<ParamKind>>,
        with_match_constraints match_constraints: Option<Box<MatchResources>>,
        with_variables variables: List<Variable>,
        with_mutations mutations: List<Mutation>,
        with_failure_policy failure_policy: Option<IStr>,
        with_match_conditions match_conditions: List<MatchCondition>,
        with_reinvocation_policy reinvocation_policy: IStr,
    }
    Mutation {
        with_patch_type patch_type: IStr,
        with_apply_configuration apply_configuration: Option<Box<ApplyConfiguration>>,
        with_json_patch json_patch: Option<Box<JSONPatch>>,
    }
    NamedRuleWithOperations {
        with_resource_names resource_names: List<IStr>,
        with_operations operations: List<IStr>,
        with_api_groups api_groups: List<IStr>,
        with_api_versions api_versions: List<IStr>,
        with_resources resources: List<IStr>,
        with_scope scope: Option<IStr>,
    }
    ParamKind {
        with_api_version api_version: IStr,
        with_kind kind: IStr,
    }
    Variable {
        with_name name: IStr,
        with_expression expression: IStr,
    }
    MutatingAdmissionPolicyBinding {
        with_metadata metadata: ObjectMeta,
        with_spec spec: MutatingAdmissionPolicyBindingSpec,
    }
    MutatingAdmissionPolicyBindingSpec {
        with_policy_name policy_name: IStr,
        with_param_ref param_ref: Option<Box<ParamRef>>,
        with_match_resources match_resources: Option<Box<MatchResources>>,
    }
    ParamRef {
        with_name name: IStr,
        with_namespace namespace: IStr,
        with_selector selector: Option<Box<LabelSelector>>,
        with_parameter_not_found_action parameter_not_found_action: Option<IStr>,
    }
}
