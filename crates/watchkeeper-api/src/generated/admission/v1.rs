//! `admission/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::authentication::v1::UserInfo;
use crate::codec::codec;
use crate::meta::v1::{GroupVersionKind, GroupVersionResource, Status};
use crate::{ByteString, IStr, List, Map, Raw};

/// `io.k8s.api.admission.v1.AdmissionRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct AdmissionRequest {
    pub uid: IStr,
    pub kind: GroupVersionKind,
    pub resource: GroupVersionResource,
    pub sub_resource: IStr,
    pub request_kind: Option<Box<GroupVersionKind>>,
    pub request_resource: Option<Box<GroupVersionResource>>,
    pub request_sub_resource: IStr,
    pub name: IStr,
    pub namespace: IStr,
    pub operation: IStr,
    pub user_info: UserInfo,
    pub object: Raw,
    pub old_object: Raw,
    pub dry_run: Option<bool>,
    pub options: Raw,
}

codec! { AdmissionRequest
    0 "uid" [1] req uid
    1 "kind" [2] opt kind
    2 "resource" [3] opt resource
    3 "subResource" [4] opt sub_resource
    4 "requestKind" [13] opt request_kind
    5 "requestResource" [14] opt request_resource
    6 "requestSubResource" [15] opt request_sub_resource
    7 "name" [5] opt name
    8 "namespace" [6] opt namespace
    9 "operation" [7] req operation
    10 "userInfo" [8] opt user_info
    11 "object" [9] opt object
    12 "oldObject" [10] opt old_object
    13 "dryRun" [11] opt dry_run
    14 "options" [12] opt options
    => [15 request_sub_resource] [14 request_resource] [13 request_kind] [12 options] [11 dry_run]
       [10 old_object] [9 object] [8 user_info] [7 operation] [6 namespace] [5 name]
       [4 sub_resource] [3 resource] [2 kind] [1 uid]
}

/// `io.k8s.api.admission.v1.AdmissionResponse`.
#[derive(Clone, Default, PartialEq)]
pub struct AdmissionResponse {
    pub uid: IStr,
    pub allowed: bool,
    pub status: Option<Box<Status>>,
    pub patch: ByteString,
    pub patch_type: Option<IStr>,
    pub audit_annotations: Map,
    pub warnings: List<IStr>,
}

codec! { AdmissionResponse
    0 "uid" [1] req uid
    1 "allowed" [2] req allowed
    2 "status" [3] opt status
    3 "patch" [4] opt patch
    4 "patchType" [5] opt patch_type
    5 "auditAnnotations" [6] opt audit_annotations
    6 "warnings" [7] opt warnings
    => [7 warnings] [6 audit_annotations] [5 patch_type] [4 patch] [3 status] [2 allowed] [1 uid]
}

/// `io.k8s.api.admission.v1.AdmissionReview`.
#[derive(Clone, Default, PartialEq)]
pub struct AdmissionReview {
    pub request: Option<Box<AdmissionRequest>>,
    pub response: Option<Box<AdmissionResponse>>,
}

codec! { AdmissionReview: "admission.k8s.io/v1"
    2 "request" [1] opt request
    3 "response" [2] opt response
    => [2 response] [1 request]
}
