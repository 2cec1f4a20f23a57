//! `authorization/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta};
use crate::{IStr, List, Map};

/// `io.k8s.api.authorization.v1.LocalSubjectAccessReview`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalSubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { LocalSubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! {
    LocalSubjectAccessReview "authorization.k8s.io" "v1" "localsubjectaccessreviews" Namespaced
}

/// `io.k8s.api.authorization.v1.FieldSelectorAttributes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSelectorAttributes {
    pub raw_selector: IStr,
    pub requirements: List<FieldSelectorRequirement>,
}

codec! { FieldSelectorAttributes
    0 "rawSelector" opt raw_selector
    1 "requirements" opt requirements .list_atomic()
}

/// `io.k8s.api.authorization.v1.LabelSelectorAttributes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelSelectorAttributes {
    pub raw_selector: IStr,
    pub requirements: List<LabelSelectorRequirement>,
}

codec! { LabelSelectorAttributes
    0 "rawSelector" opt raw_selector
    1 "requirements" opt requirements .list_atomic()
}

/// `io.k8s.api.authorization.v1.NonResourceAttributes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NonResourceAttributes {
    pub path: IStr,
    pub verb: IStr,
}

codec! { NonResourceAttributes
    0 "path" opt path
    1 "verb" opt verb
}

/// `io.k8s.api.authorization.v1.ResourceAttributes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceAttributes {
    pub namespace: IStr,
    pub verb: IStr,
    pub group: IStr,
    pub version: IStr,
    pub resource: IStr,
    pub subresource: IStr,
    pub name: IStr,
    pub field_selector: Option<Box<FieldSelectorAttributes>>,
    pub label_selector: Option<Box<LabelSelectorAttributes>>,
}

codec! { ResourceAttributes
    0 "namespace" opt namespace
    1 "verb" opt verb
    2 "group" opt group
    3 "version" opt version
    4 "resource" opt resource
    5 "subresource" opt subresource
    6 "name" opt name
    7 "fieldSelector" opt field_selector
    8 "labelSelector" opt label_selector
}

/// `io.k8s.api.authorization.v1.SubjectAccessReviewSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectAccessReviewSpec {
    pub resource_attributes: Option<Box<ResourceAttributes>>,
    pub non_resource_attributes: Option<Box<NonResourceAttributes>>,
    pub user: IStr,
    pub groups: List<IStr>,
    pub extra: Map<List<IStr>>,
    pub uid: IStr,
}

codec! { SubjectAccessReviewSpec
    0 "resourceAttributes" opt resource_attributes
    1 "nonResourceAttributes" opt non_resource_attributes
    2 "user" opt user
    3 "groups" opt groups .list_atomic()
    4 "extra" opt extra
    5 "uid" opt uid
}

/// `io.k8s.api.authorization.v1.SubjectAccessReviewStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectAccessReviewStatus {
    pub allowed: bool,
    pub denied: bool,
    pub reason: IStr,
    pub evaluation_error: IStr,
}

codec! { SubjectAccessReviewStatus
    0 "allowed" req allowed .required()
    1 "denied" opt denied
    2 "reason" opt reason
    3 "evaluationError" opt evaluation_error
}

/// `io.k8s.api.authorization.v1.SelfSubjectAccessReview`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfSubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SelfSubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { SelfSubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! { SelfSubjectAccessReview "authorization.k8s.io" "v1" "selfsubjectaccessreviews" Cluster }

/// `io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfSubjectAccessReviewSpec {
    pub resource_attributes: Option<Box<ResourceAttributes>>,
    pub non_resource_attributes: Option<Box<NonResourceAttributes>>,
}

codec! { SelfSubjectAccessReviewSpec
    0 "resourceAttributes" opt resource_attributes
    1 "nonResourceAttributes" opt non_resource_attributes
}

/// `io.k8s.api.authorization.v1.SelfSubjectRulesReview`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfSubjectRulesReview {
    pub metadata: ObjectMeta,
    pub spec: SelfSubjectRulesReviewSpec,
    pub status: SubjectRulesReviewStatus,
}

codec! { SelfSubjectRulesReview: "authorization.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! { SelfSubjectRulesReview "authorization.k8s.io" "v1" "selfsubjectrulesreviews" Cluster }

/// `io.k8s.api.authorization.v1.NonResourceRule`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NonResourceRule {
    pub verbs: List<IStr>,
    pub non_resource_urls: List<IStr>,
}

codec! { NonResourceRule
    0 "verbs" opt verbs .required() .list_atomic()
    1 "nonResourceURLs" opt non_resource_urls .list_atomic()
}

/// `io.k8s.api.authorization.v1.ResourceRule`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceRule {
    pub verbs: List<IStr>,
    pub api_groups: List<IStr>,
    pub resources: List<IStr>,
    pub resource_names: List<IStr>,
}

codec! { ResourceRule
    0 "verbs" opt verbs .required() .list_atomic()
    1 "apiGroups" opt api_groups .list_atomic()
    2 "resources" opt resources .list_atomic()
    3 "resourceNames" opt resource_names .list_atomic()
}

/// `io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelfSubjectRulesReviewSpec {
    pub namespace: IStr,
}

codec! { SelfSubjectRulesReviewSpec
    0 "namespace" opt namespace
}

/// `io.k8s.api.authorization.v1.SubjectRulesReviewStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectRulesReviewStatus {
    pub resource_rules: List<ResourceRule>,
    pub non_resource_rules: List<NonResourceRule>,
    pub incomplete: bool,
    pub evaluation_error: IStr,
}

codec! { SubjectRulesReviewStatus
    0 "resourceRules" opt resource_rules .required() .list_atomic()
    1 "nonResourceRules" opt non_resource_rules .required() .list_atomic()
    2 "incomplete" req incomplete .required()
    3 "evaluationError" opt evaluation_error
}

/// `io.k8s.api.authorization.v1.SubjectAccessReview`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { SubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! { SubjectAccessReview "authorization.k8s.io" "v1" "subjectaccessreviews" Cluster }
