//! `authorization/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta};
use crate::{IStr, List, Map};

/// `io.k8s.api.authorization.v1.LocalSubjectAccessReview`.
#[derive(Clone, Default, PartialEq)]
pub struct LocalSubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { LocalSubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    LocalSubjectAccessReview "authorization.k8s.io" "v1" "localsubjectaccessreviews" Namespaced
}

/// `io.k8s.api.authorization.v1.FieldSelectorAttributes`.
#[derive(Clone, Default, PartialEq)]
pub struct FieldSelectorAttributes {
    pub raw_selector: IStr,
    pub requirements: List<FieldSelectorRequirement>,
}

codec! { FieldSelectorAttributes
    0 "rawSelector" [1] opt raw_selector
    1 "requirements" [2] opt requirements .list_atomic()
    => [2 requirements] [1 raw_selector]
}

/// `io.k8s.api.authorization.v1.LabelSelectorAttributes`.
#[derive(Clone, Default, PartialEq)]
pub struct LabelSelectorAttributes {
    pub raw_selector: IStr,
    pub requirements: List<LabelSelectorRequirement>,
}

codec! { LabelSelectorAttributes
    0 "rawSelector" [1] opt raw_selector
    1 "requirements" [2] opt requirements .list_atomic()
    => [2 requirements] [1 raw_selector]
}

/// `io.k8s.api.authorization.v1.NonResourceAttributes`.
#[derive(Clone, Default, PartialEq)]
pub struct NonResourceAttributes {
    pub path: IStr,
    pub verb: IStr,
}

codec! { NonResourceAttributes
    0 "path" [1] opt path
    1 "verb" [2] opt verb
    => [2 verb] [1 path]
}

/// `io.k8s.api.authorization.v1.ResourceAttributes`.
#[derive(Clone, Default, PartialEq)]
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
    0 "namespace" [1] opt namespace
    1 "verb" [2] opt verb
    2 "group" [3] opt group
    3 "version" [4] opt version
    4 "resource" [5] opt resource
    5 "subresource" [6] opt subresource
    6 "name" [7] opt name
    7 "fieldSelector" [8] opt field_selector
    8 "labelSelector" [9] opt label_selector
    => [9 label_selector] [8 field_selector] [7 name] [6 subresource] [5 resource] [4 version]
       [3 group] [2 verb] [1 namespace]
}

/// `io.k8s.api.authorization.v1.SubjectAccessReviewSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct SubjectAccessReviewSpec {
    pub resource_attributes: Option<Box<ResourceAttributes>>,
    pub non_resource_attributes: Option<Box<NonResourceAttributes>>,
    pub user: IStr,
    pub groups: List<IStr>,
    pub extra: Map<List<IStr>>,
    pub uid: IStr,
}

codec! { SubjectAccessReviewSpec
    0 "resourceAttributes" [1] opt resource_attributes
    1 "nonResourceAttributes" [2] opt non_resource_attributes
    2 "user" [3] opt user
    3 "groups" [4] opt groups .list_atomic()
    4 "extra" [5; wrap] opt extra
    5 "uid" [6] opt uid
    => [6 uid] [5 extra; wrap] [4 groups] [3 user] [2 non_resource_attributes]
       [1 resource_attributes]
}

/// `io.k8s.api.authorization.v1.SubjectAccessReviewStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct SubjectAccessReviewStatus {
    pub allowed: bool,
    pub denied: bool,
    pub reason: IStr,
    pub evaluation_error: IStr,
}

codec! { SubjectAccessReviewStatus
    0 "allowed" [1] req allowed .required()
    1 "denied" [4] opt denied
    2 "reason" [2] opt reason
    3 "evaluationError" [3] opt evaluation_error
    => [4 denied] [3 evaluation_error] [2 reason] [1 allowed]
}

/// `io.k8s.api.authorization.v1.SelfSubjectAccessReview`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SelfSubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { SelfSubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { SelfSubjectAccessReview "authorization.k8s.io" "v1" "selfsubjectaccessreviews" Cluster }

/// `io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectAccessReviewSpec {
    pub resource_attributes: Option<Box<ResourceAttributes>>,
    pub non_resource_attributes: Option<Box<NonResourceAttributes>>,
}

codec! { SelfSubjectAccessReviewSpec
    0 "resourceAttributes" [1] opt resource_attributes
    1 "nonResourceAttributes" [2] opt non_resource_attributes
    => [2 non_resource_attributes] [1 resource_attributes]
}

/// `io.k8s.api.authorization.v1.SelfSubjectRulesReview`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectRulesReview {
    pub metadata: ObjectMeta,
    pub spec: SelfSubjectRulesReviewSpec,
    pub status: SubjectRulesReviewStatus,
}

codec! { SelfSubjectRulesReview: "authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { SelfSubjectRulesReview "authorization.k8s.io" "v1" "selfsubjectrulesreviews" Cluster }

/// `io.k8s.api.authorization.v1.NonResourceRule`.
#[derive(Clone, Default, PartialEq)]
pub struct NonResourceRule {
    pub verbs: List<IStr>,
    pub non_resource_urls: List<IStr>,
}

codec! { NonResourceRule
    0 "verbs" [1] opt verbs .required() .list_atomic()
    1 "nonResourceURLs" [2] opt non_resource_urls .list_atomic()
    => [2 non_resource_urls] [1 verbs]
}

/// `io.k8s.api.authorization.v1.ResourceRule`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceRule {
    pub verbs: List<IStr>,
    pub api_groups: List<IStr>,
    pub resources: List<IStr>,
    pub resource_names: List<IStr>,
}

codec! { ResourceRule
    0 "verbs" [1] opt verbs .required() .list_atomic()
    1 "apiGroups" [2] opt api_groups .list_atomic()
    2 "resources" [3] opt resources .list_atomic()
    3 "resourceNames" [4] opt resource_names .list_atomic()
    => [4 resource_names] [3 resources] [2 api_groups] [1 verbs]
}

/// `io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectRulesReviewSpec {
    pub namespace: IStr,
}

codec! { SelfSubjectRulesReviewSpec
    0 "namespace" [1] opt namespace
    => [1 namespace]
}

/// `io.k8s.api.authorization.v1.SubjectRulesReviewStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct SubjectRulesReviewStatus {
    pub resource_rules: List<ResourceRule>,
    pub non_resource_rules: List<NonResourceRule>,
    pub incomplete: bool,
    pub evaluation_error: IStr,
}

codec! { SubjectRulesReviewStatus
    0 "resourceRules" [1] opt resource_rules .required() .list_atomic()
    1 "nonResourceRules" [2] opt non_resource_rules .required() .list_atomic()
    2 "incomplete" [3] req incomplete .required()
    3 "evaluationError" [4] opt evaluation_error
    => [4 evaluation_error] [3 incomplete] [2 non_resource_rules] [1 resource_rules]
}

/// `io.k8s.api.authorization.v1.SubjectAccessReview`.
#[derive(Clone, Default, PartialEq)]
pub struct SubjectAccessReview {
    pub metadata: ObjectMeta,
    pub spec: SubjectAccessReviewSpec,
    pub status: SubjectAccessReviewStatus,
}

codec! { SubjectAccessReview: "authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { SubjectAccessReview "authorization.k8s.io" "v1" "subjectaccessreviews" Cluster }
