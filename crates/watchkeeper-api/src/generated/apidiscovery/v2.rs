//! `apidiscovery/v2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{GroupVersionKind, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.apidiscovery.v2.APIGroupDiscovery`.
#[derive(Clone, Default, PartialEq)]
pub struct APIGroupDiscovery {
    pub metadata: ObjectMeta,
    pub versions: List<APIVersionDiscovery>,
}

codec! { APIGroupDiscovery: "apidiscovery.k8s.io/v2"
    2 "metadata" [1] opt metadata
    3 "versions" [2] opt versions
    => [2 versions] [1 metadata]
}

kind! { APIGroupDiscovery "apidiscovery.k8s.io" "v2" "" Namespaced }

/// `io.k8s.api.apidiscovery.v2.APIResourceDiscovery`.
#[derive(Clone, Default, PartialEq)]
pub struct APIResourceDiscovery {
    pub resource: IStr,
    pub response_kind: Option<Box<GroupVersionKind>>,
    pub scope: IStr,
    pub singular_resource: IStr,
    pub verbs: List<IStr>,
    pub short_names: List<IStr>,
    pub categories: List<IStr>,
    pub subresources: List<APISubresourceDiscovery>,
}

codec! { APIResourceDiscovery
    0 "resource" [1] req resource
    1 "responseKind" [2] opt response_kind
    2 "scope" [3] req scope
    3 "singularResource" [4] req singular_resource
    4 "verbs" [5] opt verbs
    5 "shortNames" [6] opt short_names
    6 "categories" [7] opt categories
    7 "subresources" [8] opt subresources
    => [8 subresources] [7 categories] [6 short_names] [5 verbs] [4 singular_resource] [3 scope]
       [2 response_kind] [1 resource]
}

/// `io.k8s.api.apidiscovery.v2.APISubresourceDiscovery`.
#[derive(Clone, Default, PartialEq)]
pub struct APISubresourceDiscovery {
    pub subresource: IStr,
    pub response_kind: Option<Box<GroupVersionKind>>,
    pub accepted_types: List<GroupVersionKind>,
    pub verbs: List<IStr>,
}

codec! { APISubresourceDiscovery
    0 "subresource" [1] req subresource
    1 "responseKind" [2] opt response_kind
    2 "acceptedTypes" [3] opt accepted_types
    3 "verbs" [4] opt verbs
    => [4 verbs] [3 accepted_types] [2 response_kind] [1 subresource]
}

/// `io.k8s.api.apidiscovery.v2.APIVersionDiscovery`.
#[derive(Clone, Default, PartialEq)]
pub struct APIVersionDiscovery {
    pub version: IStr,
    pub resources: List<APIResourceDiscovery>,
    pub freshness: IStr,
}

codec! { APIVersionDiscovery
    0 "version" [1] req version
    1 "resources" [2] opt resources
    2 "freshness" [3] opt freshness
    => [3 freshness] [2 resources] [1 version]
}
