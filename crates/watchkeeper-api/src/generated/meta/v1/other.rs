//! `meta/v1`: what no kind holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ServerAddressByClientCIDR;
use crate::codec::codec;
use crate::{IStr, List, Raw};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct APIVersions {
    pub versions: List<IStr>,
    pub server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
}

codec! { APIVersions: any "v1"
    2 "versions" opt versions .required() .list_atomic()
    3 "serverAddressByClientCIDRs" opt server_address_by_client_cidrs .required() .list_atomic()
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreateOptions {
    pub dry_run: List<IStr>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { CreateOptions: any "meta.k8s.io/v1"
    2 "dryRun" opt dry_run
    3 "fieldManager" opt field_manager
    4 "fieldValidation" opt field_validation
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSelectorRequirement {
    pub key: IStr,
    pub operator: IStr,
    pub values: List<IStr>,
}

codec! { FieldSelectorRequirement
    0 "key" req key .required()
    1 "operator" req operator .required()
    2 "values" opt values .list_atomic()
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GetOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetOptions {
    pub resource_version: IStr,
}

codec! { GetOptions: any "meta.k8s.io/v1"
    2 "resourceVersion" opt resource_version
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupResource {
    pub group: IStr,
    pub resource: IStr,
}

codec! { GroupResource
    0 "group" req group
    1 "resource" req resource
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupVersionKind {
    pub group: IStr,
    pub version: IStr,
    pub kind: IStr,
}

codec! { GroupVersionKind
    0 "group" req group
    1 "version" req version
    2 "kind" req kind
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupVersionResource {
    pub group: IStr,
    pub version: IStr,
    pub resource: IStr,
}

codec! { GroupVersionResource
    0 "group" req group
    1 "version" req version
    2 "resource" req resource
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOptions {
    pub label_selector: IStr,
    pub field_selector: IStr,
    pub watch: bool,
    pub allow_watch_bookmarks: bool,
    pub resource_version: IStr,
    pub resource_version_match: IStr,
    pub timeout_seconds: Option<i64>,
    pub limit: i64,
    pub continue_: IStr,
    pub send_initial_events: Option<bool>,
    pub shard_selector: IStr,
}

codec! { ListOptions: any "meta.k8s.io/v1"
    2 "labelSelector" opt label_selector
    3 "fieldSelector" opt field_selector
    4 "watch" opt watch
    5 "allowWatchBookmarks" opt allow_watch_bookmarks
    6 "resourceVersion" opt resource_version
    7 "resourceVersionMatch" opt resource_version_match
    8 "timeoutSeconds" opt timeout_seconds
    9 "limit" opt limit
    10 "continue" opt continue_
    11 "sendInitialEvents" opt send_initial_events
    12 "shardSelector" opt shard_selector
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.PatchOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchOptions {
    pub dry_run: List<IStr>,
    pub force: Option<bool>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { PatchOptions: any "meta.k8s.io/v1"
    2 "dryRun" opt dry_run
    3 "force" opt force
    4 "fieldManager" opt field_manager
    5 "fieldValidation" opt field_validation
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.TableOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    pub include_object: IStr,
}

codec! { TableOptions: any "meta.k8s.io/v1"
    2 "includeObject" opt include_object
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateOptions {
    pub dry_run: List<IStr>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { UpdateOptions: any "meta.k8s.io/v1"
    2 "dryRun" opt dry_run
    3 "fieldManager" opt field_manager
    4 "fieldValidation" opt field_validation
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatchEvent {
    pub type_: IStr,
    pub object: Raw,
}

codec! { WatchEvent
    0 "type" req type_ .required()
    1 "object" req object .required()
}
