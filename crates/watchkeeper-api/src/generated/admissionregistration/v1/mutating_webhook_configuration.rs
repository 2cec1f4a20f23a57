//! `admissionregistration/v1`: `MutatingWebhookConfiguration` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::MatchCondition;
use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{ByteString, IStr, List};

/// `io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingWebhookConfiguration {
    pub metadata: ObjectMeta,
    pub webhooks: List<MutatingWebhook>,
}

codec! { MutatingWebhookConfiguration: "admissionregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "webhooks" [2] opt webhooks .list_map(&["name"])
    => [2 webhooks] [1 metadata]
}

kind! {
    MutatingWebhookConfiguration "admissionregistration.k8s.io" "v1" "mutatingwebhookconfigurations" Cluster
}

/// `io.k8s.api.admissionregistration.v1.MutatingWebhook`.
#[derive(Clone, Default, PartialEq)]
pub struct MutatingWebhook {
    pub name: IStr,
    pub client_config: WebhookClientConfig,
    pub rules: List<RuleWithOperations>,
    pub failure_policy: Option<IStr>,
    pub match_policy: Option<IStr>,
    pub namespace_selector: Option<Box<LabelSelector>>,
    pub object_selector: Option<Box<LabelSelector>>,
    pub side_effects: Option<IStr>,
    pub timeout_seconds: Option<i32>,
    pub admission_review_versions: List<IStr>,
    pub reinvocation_policy: Option<IStr>,
    pub match_conditions: List<MatchCondition>,
}

codec! { MutatingWebhook
    0 "name" [1] req name .required()
    1 "clientConfig" [2] opt client_config .required()
    2 "rules" [3] opt rules .list_atomic()
    3 "failurePolicy" [4] opt failure_policy
    4 "matchPolicy" [9] opt match_policy
    5 "namespaceSelector" [5] opt namespace_selector .map_atomic()
    6 "objectSelector" [11] opt object_selector .map_atomic()
    7 "sideEffects" [6] opt side_effects .required()
    8 "timeoutSeconds" [7] opt timeout_seconds
    9 "admissionReviewVersions" [8] opt admission_review_versions .required() .list_atomic()
    10 "reinvocationPolicy" [10] opt reinvocation_policy
    11 "matchConditions" [12] opt match_conditions .list_map(&["name"])
    => [12 match_conditions] [11 object_selector] [10 reinvocation_policy] [9 match_policy]
       [8 admission_review_versions] [7 timeout_seconds] [6 side_effects] [5 namespace_selector]
       [4 failure_policy] [3 rules] [2 client_config] [1 name]
}

/// `io.k8s.api.admissionregistration.v1.RuleWithOperations`.
#[derive(Clone, Default, PartialEq)]
pub struct RuleWithOperations {
    pub operations: List<IStr>,
    pub api_groups: List<IStr>,
    pub api_versions: List<IStr>,
    pub resources: List<IStr>,
    pub scope: Option<IStr>,
}

codec! { RuleWithOperations
    0 "operations" [1] opt operations .list_atomic()
    1 "apiGroups" [2 1] opt api_groups .list_atomic()
    2 "apiVersions" [2 2] opt api_versions .list_atomic()
    3 "resources" [2 3] opt resources .list_atomic()
    4 "scope" [2 4] opt scope
    => (2 [4 scope] [3 resources] [2 api_versions] [1 api_groups]) [1 operations]
}

/// `io.k8s.api.admissionregistration.v1.ServiceReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceReference {
    pub namespace: IStr,
    pub name: IStr,
    pub path: Option<IStr>,
    pub port: Option<i32>,
}

codec! { ServiceReference
    0 "namespace" [1] req namespace .required()
    1 "name" [2] req name .required()
    2 "path" [3] opt path
    3 "port" [4] opt port
    => [4 port] [3 path] [2 name] [1 namespace]
}

/// `io.k8s.api.admissionregistration.v1.WebhookClientConfig`.
#[derive(Clone, Default, PartialEq)]
pub struct WebhookClientConfig {
    pub url: Option<IStr>,
    pub service: Option<Box<ServiceReference>>,
    pub ca_bundle: ByteString,
}

codec! { WebhookClientConfig
    0 "url" [3] opt url
    1 "service" [1] opt service
    2 "caBundle" [2] opt ca_bundle
    => [3 url] [2 ca_bundle] [1 service]
}
