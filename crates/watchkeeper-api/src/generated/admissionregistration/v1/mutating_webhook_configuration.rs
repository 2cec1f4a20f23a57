//! `admissionregistration/v1`: `MutatingWebhookConfiguration` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::MatchCondition;
use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{ByteString, IStr, List};

/// `io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutatingWebhookConfiguration {
    pub metadata: ObjectMeta,
    pub webhooks: List<MutatingWebhook>,
}

codec! { MutatingWebhookConfiguration: "admissionregistration.k8s.io/v1"
    2 "metadata" opt metadata
    3 "webhooks" opt webhooks .list_map(&["name"])
}

kind! {
    MutatingWebhookConfiguration "admissionregistration.k8s.io" "v1" "mutatingwebhookconfigurations" Cluster
}

/// `io.k8s.api.admissionregistration.v1.MutatingWebhook`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "name" req name .required()
    1 "clientConfig" opt client_config .required()
    2 "rules" opt rules .list_atomic()
    3 "failurePolicy" opt failure_policy
    4 "matchPolicy" opt match_policy
    5 "namespaceSelector" opt namespace_selector .map_atomic()
    6 "objectSelector" opt object_selector .map_atomic()
    7 "sideEffects" opt side_effects .required()
    8 "timeoutSeconds" opt timeout_seconds
    9 "admissionReviewVersions" opt admission_review_versions .required() .list_atomic()
    10 "reinvocationPolicy" opt reinvocation_policy
    11 "matchConditions" opt match_conditions .list_map(&["name"])
}

/// `io.k8s.api.admissionregistration.v1.RuleWithOperations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleWithOperations {
    pub operations: List<IStr>,
    pub api_groups: List<IStr>,
    pub api_versions: List<IStr>,
    pub resources: List<IStr>,
    pub scope: Option<IStr>,
}

codec! { RuleWithOperations
    0 "operations" opt operations .list_atomic()
    1 "apiGroups" opt api_groups .list_atomic()
    2 "apiVersions" opt api_versions .list_atomic()
    3 "resources" opt resources .list_atomic()
    4 "scope" opt scope
}

/// `io.k8s.api.admissionregistration.v1.ServiceReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReference {
    pub namespace: IStr,
    pub name: IStr,
    pub path: Option<IStr>,
    pub port: Option<i32>,
}

codec! { ServiceReference
    0 "namespace" req namespace .required()
    1 "name" req name .required()
    2 "path" opt path
    3 "port" opt port
}

/// `io.k8s.api.admissionregistration.v1.WebhookClientConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WebhookClientConfig {
    pub url: Option<IStr>,
    pub service: Option<Box<ServiceReference>>,
    pub ca_bundle: ByteString,
}

codec! { WebhookClientConfig
    0 "url" opt url
    1 "service" opt service
    2 "caBundle" opt ca_bundle
}
