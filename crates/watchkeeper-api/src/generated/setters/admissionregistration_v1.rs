//! `admissionregistration/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::admissionregistration::v1::{
    ApplyConfiguration, AuditAnnotation, ExpressionWarning, JSONPatch, MatchCondition,
    MatchResources, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding,
    MutatingAdmissionPolicyBindingSpec, MutatingAdmissionPolicySpec, MutatingWebhook,
    MutatingWebhookConfiguration, Mutation, NamedRuleWithOperations, ParamKind, ParamRef,
    RuleWithOperations, ServiceReference, TypeChecking, ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBindingSpec,
    ValidatingAdmissionPolicySpec, ValidatingAdmissionPolicyStatus, ValidatingWebhook,
    ValidatingWebhookConfiguration, Validation, Variable, WebhookClientConfig,
};
use crate::meta::v1::{Condition, LabelSelector, ObjectMeta};
use crate::{ByteString, IStr, List, setters};

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
    MutatingWebhookConfiguration {
        with_metadata metadata: ObjectMeta,
        with_webhooks webhooks: List<MutatingWebhook>,
    }
    MutatingWebhook {
        with_name name: IStr,
        with_client_config client_config: WebhookClientConfig,
        with_rules rules: List<RuleWithOperations>,
        with_failure_policy failure_policy: Option<IStr>,
        with_match_policy match_policy: Option<IStr>,
        with_namespace_selector namespace_selector: Option<Box<LabelSelector>>,
        with_object_selector object_selector: Option<Box<LabelSelector>>,
        with_side_effects side_effects: Option<IStr>,
        with_timeout_seconds timeout_seconds: Option<i32>,
        with_admission_review_versions admission_review_versions: List<IStr>,
        with_reinvocation_policy reinvocation_policy: Option<IStr>,
        with_match_conditions match_conditions: List<MatchCondition>,
    }
    RuleWithOperations {
        with_operations operations: List<IStr>,
        with_api_groups api_groups: List<IStr>,
        with_api_versions api_versions: List<IStr>,
        with_resources resources: List<IStr>,
        with_scope scope: Option<IStr>,
    }
    ServiceReference {
        with_namespace namespace: IStr,
        with_name name: IStr,
        with_path path: Option<IStr>,
        with_port port: Option<i32>,
    }
    WebhookClientConfig {
        with_url url: Option<IStr>,
        with_service service: Option<Box<ServiceReference>>,
        with_ca_bundle ca_bundle: ByteString,
    }
    ValidatingAdmissionPolicy {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ValidatingAdmissionPolicySpec,
        with_status status: ValidatingAdmissionPolicyStatus,
    }
    AuditAnnotation {
        with_key key: IStr,
        with_value_expression value_expression: IStr,
    }
    ExpressionWarning {
        with_field_ref field_ref: IStr,
        with_warning warning: IStr,
    }
    TypeChecking {
        with_expression_warnings expression_warnings: List<ExpressionWarning>,
    }
    ValidatingAdmissionPolicySpec {
        with_param_kind param_kind: Option<Box<ParamKind>>,
        with_match_constraints match_constraints: Option<Box<MatchResources>>,
        with_validations validations: List<Validation>,
        with_failure_policy failure_policy: Option<IStr>,
        with_audit_annotations audit_annotations: List<AuditAnnotation>,
        with_match_conditions match_conditions: List<MatchCondition>,
        with_variables variables: List<Variable>,
    }
    ValidatingAdmissionPolicyStatus {
        with_observed_generation observed_generation: i64,
        with_type_checking type_checking: Option<Box<TypeChecking>>,
        with_conditions conditions: List<Condition>,
    }
    Validation {
        with_expression expression: IStr,
        with_message message: IStr,
        with_reason reason: Option<IStr>,
        with_message_expression message_expression: IStr,
    }
    ValidatingAdmissionPolicyBinding {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ValidatingAdmissionPolicyBindingSpec,
    }
    ValidatingAdmissionPolicyBindingSpec {
        with_policy_name policy_name: IStr,
        with_param_ref param_ref: Option<Box<ParamRef>>,
        with_match_resources match_resources: Option<Box<MatchResources>>,
        with_validation_actions validation_actions: List<IStr>,
    }
    ValidatingWebhookConfiguration {
        with_metadata metadata: ObjectMeta,
        with_webhooks webhooks: List<ValidatingWebhook>,
    }
    ValidatingWebhook {
        with_name name: IStr,
        with_client_config client_config: WebhookClientConfig,
        with_rules rules: List<RuleWithOperations>,
        with_failure_policy failure_policy: Option<IStr>,
        with_match_policy match_policy: Option<IStr>,
        with_namespace_selector namespace_selector: Option<Box<LabelSelector>>,
        with_object_selector object_selector: Option<Box<LabelSelector>>,
        with_side_effects side_effects: Option<IStr>,
        with_timeout_seconds timeout_seconds: Option<i32>,
        with_admission_review_versions admission_review_versions: List<IStr>,
        with_match_conditions match_conditions: List<MatchCondition>,
    }
}
