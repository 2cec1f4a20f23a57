//! `authentication/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::authentication::v1::{
    BoundObjectReference, SelfSubjectReview, SelfSubjectReviewStatus, TokenRequest,
    TokenRequestSpec, TokenRequestStatus, TokenReview, TokenReviewSpec, TokenReviewStatus,
    UserInfo,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Time, setters};

setters! {
    SelfSubjectReview {
        with_metadata metadata: ObjectMeta,
        with_status status: SelfSubjectReviewStatus,
    }
    SelfSubjectReviewStatus {
        with_user_info user_info: UserInfo,
    }
    UserInfo {
        with_username username: IStr,
        with_uid uid: IStr,
        with_groups groups: List<IStr>,
        with_extra extra: Map<List<IStr>>,
    }
    TokenRequest {
        with_metadata metadata: ObjectMeta,
        with_spec spec: TokenRequestSpec,
        with_status status: TokenRequestStatus,
    }
    BoundObjectReference {
        with_kind kind: IStr,
        with_api_version api_version: IStr,
        with_name name: IStr,
        with_uid uid: IStr,
    }
    TokenRequestSpec {
        with_audiences audiences: List<IStr>,
        with_expiration_seconds expiration_seconds: Option<i64>,
        with_bound_object_ref bound_object_ref: Option<Box<BoundObjectReference>>,
    }
    TokenRequestStatus {
        with_token token: IStr,
        with_expiration_timestamp expiration_timestamp: Option<Time>,
    }
    TokenReview {
        with_metadata metadata: ObjectMeta,
        with_spec spec: TokenReviewSpec,
        with_status status: TokenReviewStatus,
    }
    TokenReviewSpec {
        with_token token: IStr,
        with_audiences audiences: List<IStr>,
    }
    TokenReviewStatus {
        with_authenticated authenticated: bool,
        with_user user: UserInfo,
        with_audiences audiences: List<IStr>,
        with_error error: IStr,
    }
}
