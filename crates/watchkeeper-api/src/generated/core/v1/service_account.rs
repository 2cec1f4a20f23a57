//! `core/v1`: `ServiceAccount` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{LocalObjectReference, ObjectReference};
use crate::List;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.core.v1.ServiceAccount`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceAccount {
    pub metadata: ObjectMeta,
    pub secrets: List<ObjectReference>,
    pub image_pull_secrets: List<LocalObjectReference>,
    pub automount_service_account_token: Option<bool>,
}

codec! { ServiceAccount: "v1"
    2 "metadata" [1] opt metadata
    3 "secrets" [2] opt secrets .list_map(&["name"])
    4 "imagePullSecrets" [3] opt image_pull_secrets .list_atomic()
    5 "automountServiceAccountToken" [4] opt automount_service_account_token
    => [4 automount_service_account_token] [3 image_pull_secrets] [2 secrets] [1 metadata]
}

kind! { ServiceAccount "" "v1" "serviceaccounts" Namespaced }
