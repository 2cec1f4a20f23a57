//! `meta/v1`: `ObjectMeta` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List, Map, Raw, Time};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectMeta {
    pub name: IStr,
    pub generate_name: IStr,
    pub namespace: IStr,
    pub self_link: IStr,
    pub uid: IStr,
    pub resource_version: IStr,
    pub generation: i64,
    pub creation_timestamp: Option<Time>,
    pub deletion_timestamp: Option<Time>,
    pub deletion_grace_period_seconds: Option<i64>,
    pub labels: Map,
    pub annotations: Map,
    pub owner_references: List<OwnerReference>,
    pub finalizers: List<IStr>,
    pub managed_fields: List<ManagedFieldsEntry>,
}

codec! { ObjectMeta
    0 "name" [1] unique name
    1 "generateName" [2] opt generate_name
    2 "namespace" [3] opt namespace
    3 "selfLink" [4] opt self_link
    4 "uid" [5] unique uid
    5 "resourceVersion" [6] unique resource_version
    6 "generation" [7] opt generation
    7 "creationTimestamp" [8; time] opt creation_timestamp
    8 "deletionTimestamp" [9] opt deletion_timestamp
    9 "deletionGracePeriodSeconds" [10] opt deletion_grace_period_seconds
    10 "labels" [11] same labels
    11 "annotations" [12] same annotations
    12 "ownerReferences" [13] same owner_references .list_map(&["uid"])
    13 "finalizers" [14] opt finalizers .list_set()
    14 "managedFields" [17] managed managed_fields .list_atomic()
    => [17 managed_fields] [14 finalizers] [13 owner_references] [12 annotations] [11 labels]
       [10 deletion_grace_period_seconds] [9 deletion_timestamp] [8 creation_timestamp; time]
       [7 generation] [6 resource_version] [5 uid] [4 self_link] [3 namespace] [2 generate_name]
       [1 name]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry`.
#[derive(Clone, Default, PartialEq)]
pub struct ManagedFieldsEntry {
    pub manager: IStr,
    pub operation: IStr,
    pub api_version: IStr,
    pub time: Option<Time>,
    pub fields_type: IStr,
    pub fields_v1: Option<Raw>,
    pub subresource: IStr,
}

codec! { ManagedFieldsEntry
    0 "manager" [1] opt manager
    1 "operation" [2] opt operation
    2 "apiVersion" [3] opt api_version
    3 "time" [4] opt time
    4 "fieldsType" [6] opt fields_type
    5 "fieldsV1" [7] opt fields_v1
    6 "subresource" [8] opt subresource
    => [8 subresource] [7 fields_v1] [6 fields_type] [4 time] [3 api_version] [2 operation]
       [1 manager]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference`.
#[derive(Clone, Default, PartialEq)]
pub struct OwnerReference {
    pub api_version: IStr,
    pub kind: IStr,
    pub name: IStr,
    pub uid: IStr,
    pub controller: Option<bool>,
    pub block_owner_deletion: Option<bool>,
}

codec! { OwnerReference
    0 "apiVersion" [5] req api_version .required()
    1 "kind" [1] req kind .required()
    2 "name" [3] req name .required()
    3 "uid" [4] req uid .required()
    4 "controller" [6] opt controller
    5 "blockOwnerDeletion" [7] opt block_owner_deletion
    => [7 block_owner_deletion] [6 controller] [5 api_version] [4 uid] [3 name] [1 kind]
}
