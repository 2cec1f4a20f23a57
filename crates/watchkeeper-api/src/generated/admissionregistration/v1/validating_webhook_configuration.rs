//! `admissionregistration/v1`: `ValidatingWebhookConfiguration` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{MatchCondition, RuleWithOperations, WebhookClientConfig};
use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidatingWebhookConfiguration {
    pub metadata: ObjectMeta,
    pub webhooks: List<ValidatingWebhook>,
}

codec! { ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "webhooks" [2] opt webhooks .list_map(&["name"])
    => [2 webhooks] [1 metadata]
}

kind! {
    ValidatingWebhookConfiguration "admissionregistration.k8s.io" "v1" "validatingwebhookconfigurations" Cluster
}

/// `io.k8s.api.admissionregistration.v1.ValidatingWebhook`.
#[derive(Clone, Default, PartialEq)]
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
    0 "name" [1] req name .required()
    1 "clientConfig" [2] opt client_config .required()
    2 "rules" [3] opt rules .list_atomic()
    3 "failurePolicy" [4] opt failure_policy
    4 "matchPolicy" [9] opt match_policy
    5 "namespaceSelector" [5] opt namespace_selector .map_atomic()
    6 "objectSelector" [10] opt object_selector .map_atomic()
    7 "sideEffects" [6] opt side_effects .required()
    8 "timeoutSeconds" [7] opt timeout_seconds
    9 "admissionReviewVersions" [8] opt admission_review_versions .required() .list_atomic()
    10 "matchConditions" [11] opt match_conditions .list_map(&["name"])
    => [11 match_conditions] [10 object_selector] [9 match_policy] [8 admission_review_versions]
       [7 timeout_seconds] [6 side_effects] [5 namespace_selector] [4 failure_policy] [3 rules]
       [2 client_config] [1 name]
}
