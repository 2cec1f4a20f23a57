//! `meta/v1`: `APIResourceList` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList`.
#[derive(Clone, Default, PartialEq)]
pub struct APIResourceList {
    pub group_version: IStr,
    pub resources: List<APIResource>,
}

codec! { APIResourceList: any "v1"
    2 "groupVersion" [1] req group_version .required()
    3 "resources" [2] opt resources .required() .list_atomic()
    => [2 resources] [1 group_version]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIResource`.
#[derive(Clone, Default, PartialEq)]
pub struct APIResource {
    pub name: IStr,
    pub singular_name: IStr,
    pub namespaced: bool,
    pub group: IStr,
    pub version: IStr,
    pub kind: IStr,
    pub verbs: List<IStr>,
    pub short_names: List<IStr>,
    pub categories: List<IStr>,
    pub storage_version_hash: IStr,
}

codec! { APIResource
    0 "name" [1] req name .required()
    1 "singularName" [6] req singular_name .required()
    2 "namespaced" [2] req namespaced .required()
    3 "group" [8] opt group
    4 "version" [9] opt version
    5 "kind" [3] req kind .required()
    6 "verbs" [4; wrap] opt verbs .required()
    7 "shortNames" [5] opt short_names .list_atomic()
    8 "categories" [7] opt categories .list_atomic()
    9 "storageVersionHash" [10] opt storage_version_hash
    => [10 storage_version_hash] [9 version] [8 group] [7 categories] [6 singular_name]
       [5 short_names] [4 verbs; wrap] [3 kind] [2 namespaced] [1 name]
}
