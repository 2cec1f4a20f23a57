//! `meta/v1`: what no kind holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ServerAddressByClientCIDR;
use crate::codec::codec;
use crate::{IStr, List, Raw};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions`.
#[derive(Clone, Default, PartialEq)]
pub struct APIVersions {
    pub versions: List<IStr>,
    pub server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
}

codec! { APIVersions: any "v1"
    2 "versions" [1] opt versions .required() .list_atomic()
    3 "serverAddressByClientCIDRs" [2] opt server_address_by_client_cidrs .required() .list_atomic()
    => [2 server_address_by_client_cidrs] [1 versions]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct CreateOptions {
    pub dry_run: List<IStr>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { CreateOptions: any "meta.k8s.io/v1"
    2 "dryRun" [1] opt dry_run
    3 "fieldManager" [3] opt field_manager
    4 "fieldValidation" [4] opt field_validation
    => [4 field_validation] [3 field_manager] [1 dry_run]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct FieldSelectorRequirement {
    pub key: IStr,
    pub operator: IStr,
    pub values: List<IStr>,
}

codec! { FieldSelectorRequirement
    0 "key" [1] req key .required()
    1 "operator" [2] req operator .required()
    2 "values" [3] opt values .list_atomic()
    => [3 values] [2 operator] [1 key]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GetOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct GetOptions {
    pub resource_version: IStr,
}

codec! { GetOptions: any "meta.k8s.io/v1"
    2 "resourceVersion" [1] opt resource_version
    => [1 resource_version]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource`.
#[derive(Clone, Default, PartialEq)]
pub struct GroupResource {
    pub group: IStr,
    pub resource: IStr,
}

codec! { GroupResource
    0 "group" [1] req group .required()
    1 "resource" [2] req resource .required()
    => [2 resource] [1 group]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind`.
#[derive(Clone, Default, PartialEq)]
pub struct GroupVersionKind {
    pub group: IStr,
    pub version: IStr,
    pub kind: IStr,
}

codec! { GroupVersionKind
    0 "group" [1] req group
    1 "version" [2] req version
    2 "kind" [3] req kind
    => [3 kind] [2 version] [1 group]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionResource`.
#[derive(Clone, Default, PartialEq)]
pub struct GroupVersionResource {
    pub group: IStr,
    pub version: IStr,
    pub resource: IStr,
}

codec! { GroupVersionResource
    0 "group" [1] req group
    1 "version" [2] req version
    2 "resource" [3] req resource
    => [3 resource] [2 version] [1 group]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions`.
#[derive(Clone, Default, PartialEq)]
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
    2 "labelSelector" [1] opt label_selector
    3 "fieldSelector" [2] opt field_selector
    4 "watch" [3] opt watch
    5 "allowWatchBookmarks" [9] opt allow_watch_bookmarks
    6 "resourceVersion" [4] opt resource_version
    7 "resourceVersionMatch" [10] opt resource_version_match
    8 "timeoutSeconds" [5] opt timeout_seconds
    9 "limit" [7] opt limit
    10 "continue" [8] opt continue_
    11 "sendInitialEvents" [11] opt send_initial_events
    12 "shardSelector" [15] opt shard_selector
    => [15 shard_selector] [11 send_initial_events] [10 resource_version_match]
       [9 allow_watch_bookmarks] [8 continue_] [7 limit] [5 timeout_seconds] [4 resource_version]
       [3 watch] [2 field_selector] [1 label_selector]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.PatchOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PatchOptions {
    pub dry_run: List<IStr>,
    pub force: Option<bool>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { PatchOptions: any "meta.k8s.io/v1"
    2 "dryRun" [1] opt dry_run
    3 "force" [2] opt force
    4 "fieldManager" [3] opt field_manager
    5 "fieldValidation" [4] opt field_validation
    => [4 field_validation] [3 field_manager] [2 force] [1 dry_run]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.TableOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct TableOptions {
    pub include_object: IStr,
}

codec! { TableOptions: any "meta.k8s.io/v1"
    2 "includeObject" [1] opt include_object
    => [1 include_object]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct UpdateOptions {
    pub dry_run: List<IStr>,
    pub field_manager: IStr,
    pub field_validation: IStr,
}

codec! { UpdateOptions: any "meta.k8s.io/v1"
    2 "dryRun" [1] opt dry_run
    3 "fieldManager" [2] opt field_manager
    4 "fieldValidation" [3] opt field_validation
    => [3 field_validation] [2 field_manager] [1 dry_run]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent`.
#[derive(Clone, Default, PartialEq)]
pub struct WatchEvent {
    pub type_: IStr,
    pub object: Raw,
}

codec! { WatchEvent
    0 "type" [1] req type_ .required()
    1 "object" [2] req object .required()
    => [2 object] [1 type_]
}
