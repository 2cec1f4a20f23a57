//! `authentication/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Time};

/// `io.k8s.api.authentication.v1.SelfSubjectReview`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectReview {
    pub metadata: ObjectMeta,
    pub status: SelfSubjectReviewStatus,
}

codec! { SelfSubjectReview: "authentication.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "status" [2] opt status
    => [2 status] [1 metadata]
}

kind! { SelfSubjectReview "authentication.k8s.io" "v1" "selfsubjectreviews" Cluster }

/// `io.k8s.api.authentication.v1.SelfSubjectReviewStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct SelfSubjectReviewStatus {
    pub user_info: UserInfo,
}

codec! { SelfSubjectReviewStatus
    0 "userInfo" [1] opt user_info
    => [1 user_info]
}

/// `io.k8s.api.authentication.v1.UserInfo`.
#[derive(Clone, Default, PartialEq)]
pub struct UserInfo {
    pub username: IStr,
    pub uid: IStr,
    pub groups: List<IStr>,
    pub extra: Map<List<IStr>>,
}

codec! { UserInfo
    0 "username" [1] opt username
    1 "uid" [2] opt uid
    2 "groups" [3] opt groups .list_atomic()
    3 "extra" [4; wrap] opt extra
    => [4 extra; wrap] [3 groups] [2 uid] [1 username]
}

/// `io.k8s.api.authentication.v1.TokenRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenRequest {
    pub metadata: ObjectMeta,
    pub spec: TokenRequestSpec,
    pub status: TokenRequestStatus,
}

codec! { TokenRequest: "authentication.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { TokenRequest "authentication.k8s.io" "v1" "" Namespaced }

/// `io.k8s.api.authentication.v1.BoundObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct BoundObjectReference {
    pub kind: IStr,
    pub api_version: IStr,
    pub name: IStr,
    pub uid: IStr,
}

codec! { BoundObjectReference
    0 "kind" [1] opt kind
    1 "apiVersion" [2] opt api_version
    2 "name" [3] opt name
    3 "uid" [4] opt uid
    => [4 uid] [3 name] [2 api_version] [1 kind]
}

/// `io.k8s.api.authentication.v1.TokenRequestSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenRequestSpec {
    pub audiences: List<IStr>,
    pub expiration_seconds: Option<i64>,
    pub bound_object_ref: Option<Box<BoundObjectReference>>,
}

codec! { TokenRequestSpec
    0 "audiences" [1] opt audiences .list_atomic()
    1 "expirationSeconds" [4] opt expiration_seconds
    2 "boundObjectRef" [3] opt bound_object_ref
    => [4 expiration_seconds] [3 bound_object_ref] [1 audiences]
}

/// `io.k8s.api.authentication.v1.TokenRequestStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenRequestStatus {
    pub token: IStr,
    pub expiration_timestamp: Option<Time>,
}

codec! { TokenRequestStatus
    0 "token" [1] req token
    1 "expirationTimestamp" [2; time] opt expiration_timestamp
    => [2 expiration_timestamp; time] [1 token]
}

/// `io.k8s.api.authentication.v1.TokenReview`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenReview {
    pub metadata: ObjectMeta,
    pub spec: TokenReviewSpec,
    pub status: TokenReviewStatus,
}

codec! { TokenReview: "authentication.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { TokenReview "authentication.k8s.io" "v1" "tokenreviews" Cluster }

/// `io.k8s.api.authentication.v1.TokenReviewSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenReviewSpec {
    pub token: IStr,
    pub audiences: List<IStr>,
}

codec! { TokenReviewSpec
    0 "token" [1] opt token .required()
    1 "audiences" [2] opt audiences .list_atomic()
    => [2 audiences] [1 token]
}

/// `io.k8s.api.authentication.v1.TokenReviewStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenReviewStatus {
    pub authenticated: bool,
    pub user: UserInfo,
    pub audiences: List<IStr>,
    pub error: IStr,
}

codec! { TokenReviewStatus
    0 "authenticated" [1] opt authenticated
    1 "user" [2] opt user
    2 "audiences" [4] opt audiences .list_atomic()
    3 "error" [3] opt error
    => [4 audiences] [3 error] [2 user] [1 authenticated]
}
