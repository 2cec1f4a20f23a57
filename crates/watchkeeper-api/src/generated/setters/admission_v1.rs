//! `admission/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::admission::v1::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use crate::authentication::v1::UserInfo;
use crate::meta::v1::{GroupVersionKind, GroupVersionResource, Status};
use crate::{ByteString, IStr, List, Map, Raw, setters};

setters! {
    AdmissionRequest {
        with_uid uid: IStr,
        with_kind kind: GroupVersionKind,
        with_resource resource: GroupVersionResource,
        with_sub_resource sub_resource: IStr,
        with_request_kind request_kind: Option<Box<GroupVersionKind>>,
        with_request_resource request_resource: Option<Box<GroupVersionResource>>,
        with_request_sub_resource request_sub_resource: IStr,
        with_name name: IStr,
        with_namespace namespace: IStr,
        with_operation operation: IStr,
        with_user_info user_info: UserInfo,
        with_object object: Raw,
        with_old_object old_object: Raw,
        with_dry_run dry_run: Option<bool>,
        with_options options: Raw,
    }
    AdmissionResponse {
        with_uid uid: IStr,
        with_allowed allowed: bool,
        with_status status: Option<Box<Status>>,
        with_patch patch: ByteString,
        with_patch_type patch_type: Option<IStr>,
        with_audit_annotations audit_annotations: Map,
        with_warnings warnings: List<IStr>,
    }
    AdmissionReview {
        with_request request: Option<Box<AdmissionRequest>>,
        with_response response: Option<Box<AdmissionResponse>>,
    }
}
