//! `admissionregistration/v1`: `ValidatingWebhookConfiguration` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{MatchCondition, RuleWithOperations, WebhookClientConfig};
use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidatingWebhookConfiguration {
    pub metadata: ObjectMeta,
    pub webhooks: List<ValidatingWebhook>,
}

codec! { ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1"
    2 "metadata" opt metadata
    3 "webhooks" opt webhooks .list_map(&["name"])
}

kind! {
    ValidatingWebhookConfiguration "admissionregistration.k8s.io" "v1" "validatingwebhookconfigurations" Cluster
}

/// `io.k8s.api.admissionregistration.v1.ValidatingWebhook`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidatingWebhook {
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
    pub match_conditions: List<MatchCondition>,
}

codec! { ValidatingWebhook
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
    10 "matchConditions" opt match_conditions .list_map(&["name"])
}
