//! `flowcontrol/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Time};

/// `io.k8s.api.flowcontrol.v1.FlowSchema`.
#[derive(Clone, Default, PartialEq)]
pub struct FlowSchema {
    pub metadata: ObjectMeta,
    pub spec: FlowSchemaSpec,
    pub status: FlowSchemaStatus,
}

codec! { FlowSchema: "flowcontrol.apiserver.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { FlowSchema "flowcontrol.apiserver.k8s.io" "v1" "flowschemas" Cluster, FlowSchemaStatus }

/// `io.k8s.api.flowcontrol.v1.FlowDistinguisherMethod`.
#[derive(Clone, Default, PartialEq)]
pub struct FlowDistinguisherMethod {
    pub type_: IStr,
}

codec! { FlowDistinguisherMethod
    0 "type" [1] req type_ .required()
    => [1 type_]
}

/// `io.k8s.api.flowcontrol.v1.FlowSchemaCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct FlowSchemaCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { FlowSchemaCondition
    0 "type" [1] opt type_
    1 "status" [2] opt status
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.flowcontrol.v1.FlowSchemaSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct FlowSchemaSpec {
    pub priority_level_configuration: PriorityLevelConfigurationReference,
    pub matching_precedence: i32,
    pub distinguisher_method: Option<Box<FlowDistinguisherMethod>>,
    pub rules: List<PolicyRulesWithSubjects>,
}

codec! { FlowSchemaSpec
    0 "priorityLevelConfiguration" [1] opt priority_level_configuration .required()
    1 "matchingPrecedence" [2] req matching_precedence
    2 "distinguisherMethod" [3] opt distinguisher_method
    3 "rules" [4] opt rules .list_atomic()
    => [4 rules] [3 distinguisher_method] [2 matching_precedence] [1 priority_level_configuration]
}

/// `io.k8s.api.flowcontrol.v1.FlowSchemaStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct FlowSchemaStatus {
    pub conditions: List<FlowSchemaCondition>,
}

codec! { FlowSchemaStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}

/// `io.k8s.api.flowcontrol.v1.GroupSubject`.
#[derive(Clone, Default, PartialEq)]
pub struct GroupSubject {
    pub name: IStr,
}

codec! { GroupSubject
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.flowcontrol.v1.NonResourcePolicyRule`.
#[derive(Clone, Default, PartialEq)]
pub struct NonResourcePolicyRule {
    pub verbs: List<IStr>,
    pub non_resource_urls: List<IStr>,
}

codec! { NonResourcePolicyRule
    0 "verbs" [1] opt verbs .required() .list_set()
    1 "nonResourceURLs" [6] opt non_resource_urls .required() .list_set()
    => [6 non_resource_urls] [1 verbs]
}

/// `io.k8s.api.flowcontrol.v1.PolicyRulesWithSubjects`.
#[derive(Clone, Default, PartialEq)]
pub struct PolicyRulesWithSubjects {
    pub subjects: List<Subject>,
    pub resource_rules: List<ResourcePolicyRule>,
    pub non_resource_rules: List<NonResourcePolicyRule>,
}

codec! { PolicyRulesWithSubjects
    0 "subjects" [1] opt subjects .required() .list_atomic()
    1 "resourceRules" [2] opt resource_rules .list_atomic()
    2 "nonResourceRules" [3] opt non_resource_rules .list_atomic()
    => [3 non_resource_rules] [2 resource_rules] [1 subjects]
}

/// `io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationReference`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityLevelConfigurationReference {
    pub name: IStr,
}

codec! { PriorityLevelConfigurationReference
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.flowcontrol.v1.ResourcePolicyRule`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourcePolicyRule {
    pub verbs: List<IStr>,
    pub api_groups: List<IStr>,
    pub resources: List<IStr>,
    pub cluster_scope: bool,
    pub namespaces: List<IStr>,
}

codec! { ResourcePolicyRule
    0 "verbs" [1] opt verbs .required() .list_set()
    1 "apiGroups" [2] opt api_groups .required() .list_set()
    2 "resources" [3] opt resources .required() .list_set()
    3 "clusterScope" [4] opt cluster_scope
    4 "namespaces" [5] opt namespaces .list_set()
    => [5 namespaces] [4 cluster_scope] [3 resources] [2 api_groups] [1 verbs]
}

/// `io.k8s.api.flowcontrol.v1.ServiceAccountSubject`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceAccountSubject {
    pub namespace: IStr,
    pub name: IStr,
}

codec! { ServiceAccountSubject
    0 "namespace" [1] req namespace .required()
    1 "name" [2] req name .required()
    => [2 name] [1 namespace]
}

/// `io.k8s.api.flowcontrol.v1.Subject`.
#[derive(Clone, Default, PartialEq)]
pub struct Subject {
    pub kind: IStr,
    pub user: Option<Box<UserSubject>>,
    pub group: Option<Box<GroupSubject>>,
    pub service_account: Option<Box<ServiceAccountSubject>>,
}

codec! { Subject
    0 "kind" [1] req kind .required()
    1 "user" [2] opt user
    2 "group" [3] opt group
    3 "serviceAccount" [4] opt service_account
    => [4 service_account] [3 group] [2 user] [1 kind]
}

/// `io.k8s.api.flowcontrol.v1.UserSubject`.
#[derive(Clone, Default, PartialEq)]
pub struct UserSubject {
    pub name: IStr,
}

codec! { UserSubject
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityLevelConfiguration {
    pub metadata: ObjectMeta,
    pub spec: PriorityLevelConfigurationSpec,
    pub status: PriorityLevelConfigurationStatus,
}

codec! { PriorityLevelConfiguration: "flowcontrol.apiserver.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    PriorityLevelConfiguration "flowcontrol.apiserver.k8s.io" "v1" "prioritylevelconfigurations" Cluster, PriorityLevelConfigurationStatus
}

/// `io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct ExemptPriorityLevelConfiguration {
    pub nominal_concurrency_shares: Option<i32>,
    pub lendable_percent: Option<i32>,
}

codec! { ExemptPriorityLevelConfiguration
    0 "nominalConcurrencyShares" [1] opt nominal_concurrency_shares
    1 "lendablePercent" [2] opt lendable_percent
    => [2 lendable_percent] [1 nominal_concurrency_shares]
}

/// `io.k8s.api.flowcontrol.v1.LimitResponse`.
#[derive(Clone, Default, PartialEq)]
pub struct LimitResponse {
    pub type_: IStr,
    pub queuing: Option<Box<QueuingConfiguration>>,
}

codec! { LimitResponse
    0 "type" [1] req type_ .required()
    1 "queuing" [2] opt queuing
    => [2 queuing] [1 type_]
}

/// `io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct LimitedPriorityLevelConfiguration {
    pub nominal_concurrency_shares: Option<i32>,
    pub limit_response: LimitResponse,
    pub lendable_percent: Option<i32>,
    pub borrowing_limit_percent: Option<i32>,
}

codec! { LimitedPriorityLevelConfiguration
    0 "nominalConcurrencyShares" [1] opt nominal_concurrency_shares
    1 "limitResponse" [2] opt limit_response
    2 "lendablePercent" [3] opt lendable_percent
    3 "borrowingLimitPercent" [4] opt borrowing_limit_percent
    => [4 borrowing_limit_percent] [3 lendable_percent] [2 limit_response]
       [1 nominal_concurrency_shares]
}

/// `io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityLevelConfigurationCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { PriorityLevelConfigurationCondition
    0 "type" [1] opt type_
    1 "status" [2] opt status
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityLevelConfigurationSpec {
    pub type_: IStr,
    pub limited: Option<Box<LimitedPriorityLevelConfiguration>>,
    pub exempt: Option<Box<ExemptPriorityLevelConfiguration>>,
}

codec! { PriorityLevelConfigurationSpec
    0 "type" [1] req type_ .required()
    1 "limited" [2] opt limited
    2 "exempt" [3] opt exempt
    => [3 exempt] [2 limited] [1 type_]
}

/// `io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityLevelConfigurationStatus {
    pub conditions: List<PriorityLevelConfigurationCondition>,
}

codec! { PriorityLevelConfigurationStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}

/// `io.k8s.api.flowcontrol.v1.QueuingConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct QueuingConfiguration {
    pub queues: i32,
    pub hand_size: i32,
    pub queue_length_limit: i32,
}

codec! { QueuingConfiguration
    0 "queues" [1] req queues
    1 "handSize" [2] req hand_size
    2 "queueLengthLimit" [3] req queue_length_limit
    => [3 queue_length_limit] [2 hand_size] [1 queues]
}
