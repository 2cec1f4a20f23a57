//! `apidiscovery/v2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::apidiscovery::v2::{
    APIGroupDiscovery, APIResourceDiscovery, APISubresourceDiscovery, APIVersionDiscovery,
};
use crate::meta::v1::{GroupVersionKind, ObjectMeta};
use crate::{IStr, List, setters};

setters! {
    APIGroupDiscovery {
        with_metadata metadata: ObjectMeta,
        with_versions versions: List<APIVersionDiscovery>,
    }
    APIResourceDiscovery {
        with_resource resource: IStr,
        with_response_kind response_kind: Option<Box<GroupVersionKind>>,
        with_scope scope: IStr,
        with_singular_resource singular_resource: IStr,
        with_verbs verbs: List<IStr>,
        with_short_names short_names: List<IStr>,
        with_categories categories: List<IStr>,
        with_subresources subresources: List<APISubresourceDiscovery>,
    }
    APISubresourceDiscovery {
        with_subresource subresource: IStr,
        with_response_kind response_kind: Option<Box<GroupVersionKind>>,
        with_accepted_types accepted_types: List<GroupVersionKind>,
        with_verbs verbs: List<IStr>,
    }
    APIVersionDiscovery {
        with_version version: IStr,
        with_resources resources: List<APIResourceDiscovery>,
        with_freshness freshness: IStr,
    }
}
