//! `certificates/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Map, Time};

/// `io.k8s.api.certificates.v1.CertificateSigningRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct CertificateSigningRequest {
    pub metadata: ObjectMeta,
    pub spec: CertificateSigningRequestSpec,
    pub status: CertificateSigningRequestStatus,
}

codec! { CertificateSigningRequest: "certificates.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    CertificateSigningRequest "certificates.k8s.io" "v1" "certificatesigningrequests" Cluster, CertificateSigningRequestStatus
}

/// `io.k8s.api.certificates.v1.CertificateSigningRequestCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct CertificateSigningRequestCondition {
    pub type_: IStr,
    pub status: IStr,
    pub reason: IStr,
    pub message: IStr,
    pub last_update_time: Option<Time>,
    pub last_transition_time: Option<Time>,
}

codec! { CertificateSigningRequestCondition
    0 "type" [1] req type_ .required()
    1 "status" [6] req status .required()
    2 "reason" [2] opt reason
    3 "message" [3] opt message
    4 "lastUpdateTime" [4; time] opt last_update_time
    5 "lastTransitionTime" [5; time] opt last_transition_time
    => [6 status] [5 last_transition_time; time] [4 last_update_time; time] [3 message] [2 reason]
       [1 type_]
}

/// `io.k8s.api.certificates.v1.CertificateSigningRequestSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct CertificateSigningRequestSpec {
    pub request: ByteString,
    pub signer_name: IStr,
    pub expiration_seconds: Option<i32>,
    pub usages: List<IStr>,
    pub username: IStr,
    pub uid: IStr,
    pub groups: List<IStr>,
    pub extra: Map<List<IStr>>,
}

codec! { CertificateSigningRequestSpec
    0 "request" [1] req request .required()
    1 "signerName" [7] req signer_name .required()
    2 "expirationSeconds" [8] opt expiration_seconds
    3 "usages" [5] opt usages .list_atomic()
    4 "username" [2] opt username
    5 "uid" [3] opt uid
    6 "groups" [4] opt groups .list_atomic()
    7 "extra" [6; wrap] opt extra
    => [8 expiration_seconds] [7 signer_name] [6 extra; wrap] [5 usages] [4 groups] [3 uid]
       [2 username] [1 request]
}

/// `io.k8s.api.certificates.v1.CertificateSigningRequestStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct CertificateSigningRequestStatus {
    pub conditions: List<CertificateSigningRequestCondition>,
    pub certificate: ByteString,
}

codec! { CertificateSigningRequestStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    1 "certificate" [2] opt certificate
    => [2 certificate] [1 conditions]
}
