//! `meta/v1`: `ObjectMeta` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List, Map, Raw, Time};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "name" unique name
    1 "generateName" opt generate_name
    2 "namespace" opt namespace
    3 "selfLink" opt self_link
    4 "uid" unique uid
    5 "resourceVersion" unique resource_version
    6 "generation" opt generation
    7 "creationTimestamp" opt creation_timestamp
    8 "deletionTimestamp" opt deletion_timestamp
    9 "deletionGracePeriodSeconds" opt deletion_grace_period_seconds
    10 "labels" opt labels
    11 "annotations" opt annotations
    12 "ownerReferences" opt owner_references .list_map(&["uid"])
    13 "finalizers" opt finalizers .list_set()
    14 "managedFields" managed managed_fields .list_atomic()
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "manager" opt manager
    1 "operation" opt operation
    2 "apiVersion" opt api_version
    3 "time" opt time
    4 "fieldsType" opt fields_type
    5 "fieldsV1" opt fields_v1
    6 "subresource" opt subresource
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnerReference {
    pub api_version: IStr,
    pub kind: IStr,
    pub name: IStr,
    pub uid: IStr,
    pub controller: Option<bool>,
    pub block_owner_deletion: Option<bool>,
}

codec! { OwnerReference
    0 "apiVersion" req api_version .required()
    1 "kind" req kind .required()
    2 "name" req name .required()
    3 "uid" req uid .required()
    4 "controller" opt controller
    5 "blockOwnerDeletion" opt block_owner_deletion
}
