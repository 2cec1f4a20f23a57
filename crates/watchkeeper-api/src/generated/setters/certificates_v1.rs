//! `certificates/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::certificates::v1::{
    CertificateSigningRequest, CertificateSigningRequestCondition, CertificateSigningRequestSpec,
    CertificateSigningRequestStatus,
};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Map, Time, setters};

setters! {
    CertificateSigningRequest {
        with_metadata metadata: ObjectMeta,
        with_spec spec: CertificateSigningRequestSpec,
        with_status status: CertificateSigningRequestStatus,
    }
    CertificateSigningRequestCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_reason reason: IStr,
        with_message message: IStr,
        with_last_update_time last_update_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
    }
    CertificateSigningRequestSpec {
        with_request request: ByteString,
        with_signer_name signer_name: IStr,
        with_expiration_seconds expiration_seconds: Option<i32>,
        with_usages usages: List<IStr>,
        with_username username: IStr,
        with_uid uid: IStr,
        with_groups groups: List<IStr>,
        with_extra extra: Map<List<IStr>>,
    }
    CertificateSigningRequestStatus {
        with_conditions conditions: List<CertificateSigningRequestCondition>,
        with_certificate certificate: ByteString,
    }
}
