//! `flowcontrol/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::flowcontrol::v1::{
    ExemptPriorityLevelConfiguration, FlowDistinguisherMethod, FlowSchema, FlowSchemaCondition,
    FlowSchemaSpec, FlowSchemaStatus, GroupSubject, LimitResponse,
    LimitedPriorityLevelConfiguration, NonResourcePolicyRule, PolicyRulesWithSubjects,
    PriorityLevelConfiguration, PriorityLevelConfigurationCondition,
    PriorityLevelConfigurationReference, PriorityLevelConfigurationSpec,
    PriorityLevelConfigurationStatus, QueuingConfiguration, ResourcePolicyRule,
    ServiceAccountSubject, Subject, UserSubject,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Time, setters};

setters! {
    FlowSchema {
        with_metadata metadata: ObjectMeta,
        with_spec spec: FlowSchemaSpec,
        with_status status: FlowSchemaStatus,
    }
    FlowDistinguisherMethod {
        with_type type_: IStr,
    }
    FlowSchemaCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    FlowSchemaSpec {
        with_priority_level_configuration priority_level_configuration: PriorityLevelConfigurationReference,
        with_matching_precedence matching_precedence: i32,
        with_distinguisher_method distinguisher_method: Option<Box<FlowDistinguisherMethod>>,
        with_rules rules: List<PolicyRulesWithSubjects>,
    }
    FlowSchemaStatus {
        with_conditions conditions: List<FlowSchemaCondition>,
    }
    GroupSubject {
        with_name name: IStr,
    }
    NonResourcePolicyRule {
        with_verbs verbs: List<IStr>,
        with_non_resource_urls non_resource_urls: List<IStr>,
    }
    PolicyRulesWithSubjects {
        with_subjects subjects: List<Subject>,
        with_resource_rules resource_rules: List<ResourcePolicyRule>,
        with_non_resource_rules non_resource_rules: List<NonResourcePolicyRule>,
    }
    PriorityLevelConfigurationReference {
        with_name name: IStr,
    }
    ResourcePolicyRule {
        with_verbs verbs: List<IStr>,
        with_api_groups api_groups: List<IStr>,
        with_resources resources: List<IStr>,
        with_cluster_scope cluster_scope: bool,
        with_namespaces namespaces: List<IStr>,
    }
    ServiceAccountSubject {
        with_namespace namespace: IStr,
        with_name name: IStr,
    }
    Subject {
        with_kind kind: IStr,
        with_user user: Option<Box<UserSubject>>,
        with_group group: Option<Box<GroupSubject>>,
        with_service_account service_account: Option<Box<ServiceAccountSubject>>,
    }
    UserSubject {
        with_name name: IStr,
    }
    PriorityLevelConfiguration {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PriorityLevelConfigurationSpec,
        with_status status: PriorityLevelConfigurationStatus,
    }
    ExemptPriorityLevelConfiguration {
        with_nominal_concurrency_shares nominal_concurrency_shares: Option<i32>,
        with_lendable_percent lendable_percent: Option<i32>,
    }
    LimitResponse {
        with_type type_: IStr,
        with_queuing queuing: Option<Box<QueuingConfiguration>>,
    }
    LimitedPriorityLevelConfiguration {
        with_nominal_concurrency_shares nominal_concurrency_shares: Option<i32>,
        with_limit_response limit_response: LimitResponse,
        with_lendable_percent lendable_percent: Option<i32>,
        with_borrowing_limit_percent borrowing_limit_percent: Option<i32>,
    }
    PriorityLevelConfigurationCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    PriorityLevelConfigurationSpec {
        with_type type_: IStr,
        with_limited limited: Option<Box<LimitedPriorityLevelConfiguration>>,
        with_exempt exempt: Option<Box<ExemptPriorityLevelConfiguration>>,
    }
    PriorityLevelConfigurationStatus {
        with_conditions conditions: List<PriorityLevelConfigurationCondition>,
    }
    QueuingConfiguration {
        with_queues queues: i32,
        with_hand_size hand_size: i32,
        with_queue_length_limit queue_length_limit: i32,
    }
}
