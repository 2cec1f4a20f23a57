//! `meta/v1`: `Status` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.Status`.
#[derive(Clone, Default, PartialEq)]
pub struct Status {
    pub metadata: ListMeta,
    pub status: IStr,
    pub message: IStr,
    pub reason: IStr,
    pub details: Option<Box<StatusDetails>>,
    pub code: i32,
}

codec! { Status: any "v1"
    2 "metadata" [1] opt metadata
    3 "status" [2] opt status
    4 "message" [3] opt message
    5 "reason" [4] opt reason
    6 "details" [5] opt details
    7 "code" [6] opt code
    => [6 code] [5 details] [4 reason] [3 message] [2 status] [1 metadata]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta`.
#[derive(Clone, Default, PartialEq)]
pub struct ListMeta {
    pub self_link: IStr,
    pub resource_version: IStr,
    pub continue_: IStr,
    pub remaining_item_count: Option<i64>,
    pub shard_info: Option<Box<ShardInfo>>,
}

codec! { ListMeta
    0 "selfLink" [1] opt self_link
    1 "resourceVersion" [2] opt resource_version
    2 "continue" [3] opt continue_
    3 "remainingItemCount" [4] opt remaining_item_count
    4 "shardInfo" [5] opt shard_info
    => [5 shard_info] [4 remaining_item_count] [3 continue_] [2 resource_version] [1 self_link]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ShardInfo`.
#[derive(Clone, Default, PartialEq)]
pub struct ShardInfo {
    pub selector: IStr,
}

codec! { ShardInfo
    0 "selector" [1] req selector .required()
    => [1 selector]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause`.
#[derive(Clone, Default, PartialEq)]
pub struct StatusCause {
    pub reason: IStr,
    pub message: IStr,
    pub field: IStr,
}

codec! { StatusCause
    0 "reason" [1] opt reason
    1 "message" [2] opt message
    2 "field" [3] opt field
    => [3 field] [2 message] [1 reason]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails`.
#[derive(Clone, Default, PartialEq)]
pub struct StatusDetails {
    pub name: IStr,
    pub group: IStr,
    pub kind: IStr,
    pub uid: IStr,
    pub causes: List<StatusCause>,
    pub retry_after_seconds: i32,
}

codec! { StatusDetails
    0 "name" [1] opt name
    1 "group" [2] opt group
    2 "kind" [3] opt kind
    3 "uid" [6] opt uid
    4 "causes" [4] opt causes .list_atomic()
    5 "retryAfterSeconds" [5] opt retry_after_seconds
    => [6 uid] [5 retry_after_seconds] [4 causes] [3 kind] [2 group] [1 name]
}
