//! `rbac/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.rbac.v1.ClusterRole`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterRole {
    pub metadata: ObjectMeta,
    pub rules: List<PolicyRule>,
    pub aggregation_rule: Option<Box<AggregationRule>>,
}

codec! { ClusterRole: "rbac.authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "rules" [2] opt rules .list_atomic()
    4 "aggregationRule" [3] opt aggregation_rule
    => [3 aggregation_rule] [2 rules] [1 metadata]
}

kind! { ClusterRole "rbac.authorization.k8s.io" "v1" "clusterroles" Cluster }

/// `io.k8s.api.rbac.v1.AggregationRule`.
#[derive(Clone, Default, PartialEq)]
pub struct AggregationRule {
    pub cluster_role_selectors: List<LabelSelector>,
}

codec! { AggregationRule
    0 "clusterRoleSelectors" [1] opt cluster_role_selectors .list_atomic()
    => [1 cluster_role_selectors]
}

/// `io.k8s.api.rbac.v1.PolicyRule`.
#[derive(Clone, Default, PartialEq)]
pub struct PolicyRule {
    pub verbs: List<IStr>,
    pub api_groups: List<IStr>,
    pub resources: List<IStr>,
    pub resource_names: List<IStr>,
    pub non_resource_urls: List<IStr>,
}

codec! { PolicyRule
    0 "verbs" [1] opt verbs .required() .list_atomic()
    1 "apiGroups" [2] opt api_groups .list_atomic()
    2 "resources" [3] opt resources .list_atomic()
    3 "resourceNames" [4] opt resource_names .list_atomic()
    4 "nonResourceURLs" [5] opt non_resource_urls .list_atomic()
    => [5 non_resource_urls] [4 resource_names] [3 resources] [2 api_groups] [1 verbs]
}

/// `io.k8s.api.rbac.v1.ClusterRoleBinding`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterRoleBinding {
    pub metadata: ObjectMeta,
    pub subjects: List<Subject>,
    pub role_ref: RoleRef,
}

codec! { ClusterRoleBinding: "rbac.authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "subjects" [2] opt subjects .list_atomic()
    4 "roleRef" [3] opt role_ref .required() .map_atomic()
    => [3 role_ref] [2 subjects] [1 metadata]
}

kind! { ClusterRoleBinding "rbac.authorization.k8s.io" "v1" "clusterrolebindings" Cluster }

/// `io.k8s.api.rbac.v1.RoleRef`.
#[derive(Clone, Default, PartialEq)]
pub struct RoleRef {
    pub api_group: IStr,
    pub kind: IStr,
    pub name: IStr,
}

codec! { RoleRef
    0 "apiGroup" [1] req api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    => [3 name] [2 kind] [1 api_group]
}

/// `io.k8s.api.rbac.v1.Subject`.
#[derive(Clone, Default, PartialEq)]
pub struct Subject {
    pub kind: IStr,
    pub api_group: IStr,
    pub name: IStr,
    pub namespace: IStr,
}

codec! { Subject
    0 "kind" [1] req kind .required()
    1 "apiGroup" [2] opt api_group
    2 "name" [3] req name .required()
    3 "namespace" [4] opt namespace
    => [4 namespace] [3 name] [2 api_group] [1 kind]
}

/// `io.k8s.api.rbac.v1.Role`.
#[derive(Clone, Default, PartialEq)]
pub struct Role {
    pub metadata: ObjectMeta,
    pub rules: List<PolicyRule>,
}

codec! { Role: "rbac.authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "rules" [2] opt rules .list_atomic()
    => [2 rules] [1 metadata]
}

kind! { Role "rbac.authorization.k8s.io" "v1" "roles" Namespaced }

/// `io.k8s.api.rbac.v1.RoleBinding`.
#[derive(Clone, Default, PartialEq)]
pub struct RoleBinding {
    pub metadata: ObjectMeta,
    pub subjects: List<Subject>,
    pub role_ref: RoleRef,
}

codec! { RoleBinding: "rbac.authorization.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "subjects" [2] opt subjects .list_atomic()
    4 "roleRef" [3] opt role_ref .required() .map_atomic()
    => [3 role_ref] [2 subjects] [1 metadata]
}

kind! { RoleBinding "rbac.authorization.k8s.io" "v1" "rolebindings" Namespaced }
