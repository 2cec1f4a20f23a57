//! `authorization/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::authorization::v1::{
    FieldSelectorAttributes, LabelSelectorAttributes, LocalSubjectAccessReview,
    NonResourceAttributes, NonResourceRule, ResourceAttributes, ResourceRule,
    SelfSubjectAccessReview, SelfSubjectAccessReviewSpec, SelfSubjectRulesReview,
    SelfSubjectRulesReviewSpec, SubjectAccessReview, SubjectAccessReviewSpec,
    SubjectAccessReviewStatus, SubjectRulesReviewStatus,
};
use crate::meta::v1::{FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta};
use crate::{IStr, List, Map, setters};

setters! {
    LocalSubjectAccessReview {
        with_metadata metadata: ObjectMeta,
        with_spec spec: SubjectAccessReviewSpec,
        with_status status: SubjectAccessReviewStatus,
    }
    FieldSelectorAttributes {
        with_raw_selector raw_selector: IStr,
        with_requirements requirements: List<FieldSelectorRequirement>,
    }
    LabelSelectorAttributes {
        with_raw_selector raw_selector: IStr,
        with_requirements requirements: List<LabelSelectorRequirement>,
    }
    NonResourceAttributes {
        with_path path: IStr,
        with_verb verb: IStr,
    }
    ResourceAttributes {
        with_namespace namespace: IStr,
        with_verb verb: IStr,
        with_group group: IStr,
        with_version version: IStr,
        with_resource resource: IStr,
        with_subresource subresource: IStr,
        with_name name: IStr,
        with_field_selector field_selector: Option<Box<FieldSelectorAttributes>>,
        with_label_selector label_selector: Option<Box<LabelSelectorAttributes>>,
    }
    SubjectAccessReviewSpec {
        with_resource_attributes resource_attributes: Option<Box<ResourceAttributes>>,
        with_non_resource_attributes non_resource_attributes: Option<Box<NonResourceAttributes>>,
        with_user user: IStr,
        with_groups groups: List<IStr>,
        with_extra extra: Map<List<IStr>>,
        with_uid uid: IStr,
    }
    SubjectAccessReviewStatus {
        with_allowed allowed: bool,
        with_denied denied: bool,
        with_reason reason: IStr,
        with_evaluation_error evaluation_error: IStr,
    }
    SelfSubjectAccessReview {
        with_metadata metadata: ObjectMeta,
        with_spec spec: SelfSubjectAccessReviewSpec,
        with_status status: SubjectAccessReviewStatus,
    }
    SelfSubjectAccessReviewSpec {
        with_resource_attributes resource_attributes: Option<Box<ResourceAttributes>>,
        with_non_resource_attributes non_resource_attributes: Option<Box<NonResourceAttributes>>,
    }
    SelfSubjectRulesReview {
        with_metadata metadata: ObjectMeta,
        with_spec spec: SelfSubjectRulesReviewSpec,
        with_status status: SubjectRulesReviewStatus,
    }
    NonResourceRule {
        with_verbs verbs: List<IStr>,
        with_non_resource_urls non_resource_urls: List<IStr>,
    }
    ResourceRule {
        with_verbs verbs: List<IStr>,
        with_api_groups api_groups: List<IStr>,
        with_resources resources: List<IStr>,
        with_resource_names resource_names: List<IStr>,
    }
    SelfSubjectRulesReviewSpec {
        with_namespace namespace: IStr,
    }
    SubjectRulesReviewStatus {
        with_resource_rules resource_rules: List<ResourceRule>,
        with_non_resource_rules non_resource_rules: List<NonResourceRule>,
        with_incomplete incomplete: bool,
        with_evaluation_error evaluation_error: IStr,
    }
    SubjectAccessReview {
        with_metadata metadata: ObjectMeta,
        with_spec spec: SubjectAccessReviewSpec,
        with_status status: SubjectAccessReviewStatus,
    }
}
