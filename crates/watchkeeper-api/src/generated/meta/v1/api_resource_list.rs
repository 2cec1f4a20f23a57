//! `meta/v1`: `APIResourceList` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct APIResourceList {
    pub group_version: IStr,
    pub resources: List<APIResource>,
}

codec! { APIResourceList: any "v1"
    2 "groupVersion" req group_version .required()
    3 "resources" opt resources .required() .list_atomic()
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIResource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "name" req name .required()
    1 "singularName" req singular_name .required()
    2 "namespaced" req namespaced .required()
    3 "group" opt group
    4 "version" opt version
    5 "kind" req kind .required()
    6 "verbs" opt verbs .required()
    7 "shortNames" opt short_names .list_atomic()
    8 "categories" opt categories .list_atomic()
    9 "storageVersionHash" opt storage_version_hash
}
