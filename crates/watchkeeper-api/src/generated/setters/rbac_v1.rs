//! `rbac/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::rbac::v1::{
    AggregationRule, ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef,
    Subject,
};
use crate::{IStr, List, setters};

setters! {
    ClusterRole {
        with_metadata metadata: ObjectMeta,
        with_rules rules: List<PolicyRule>,
        with_aggregation_rule aggregation_rule: Option<Box<AggregationRule>>,
    }
    AggregationRule {
        with_cluster_role_selectors cluster_role_selectors: List<LabelSelector>,
    }
    PolicyRule {
        with_verbs verbs: List<IStr>,
        with_api_groups api_groups: List<IStr>,
        with_resources resources: List<IStr>,
        with_resource_names resource_names: List<IStr>,
        with_non_resource_urls non_resource_urls: List<IStr>,
    }
    ClusterRoleBinding {
        with_metadata metadata: ObjectMeta,
        with_subjects subjects: List<Subject>,
        with_role_ref role_ref: RoleRef,
    }
    RoleRef {
        with_api_group api_group: IStr,
        with_kind kind: IStr,
        with_name name: IStr,
    }
    Subject {
        with_kind kind: IStr,
        with_api_group api_group: IStr,
        with_name name: IStr,
        with_namespace namespace: IStr,
    }
    Role {
        with_metadata metadata: ObjectMeta,
        with_rules rules: List<PolicyRule>,
    }
    RoleBinding {
        with_metadata metadata: ObjectMeta,
        with_subjects subjects: List<Subject>,
        with_role_ref role_ref: RoleRef,
    }
}
