//! `certificates/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::certificates::v1beta1::{
    ClusterTrustBundle, ClusterTrustBundleSpec, PodCertificateRequest, PodCertificateRequestSpec,
    PodCertificateRequestStatus,
};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{ByteString, IStr, List, Map, Time, setters};

setters! {
    ClusterTrustBundle {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ClusterTrustBundleSpec,
    }
    ClusterTrustBundleSpec {
        with_signer_name signer_name: IStr,
        with_trust_bundle trust_bundle: IStr,
    }
    PodCertificateRequest {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PodCertificateRequestSpec,
        with_status status: PodCertificateRequestStatus,
    }
    PodCertificateRequestSpec {
        with_signer_name signer_name: IStr,
        with_pod_name pod_name: IStr,
        with_pod_uid pod_uid: IStr,
        with_service_account_name service_account_name: IStr,
        with_service_account_uid service_account_uid: IStr,
        with_node_name node_name: IStr,
        with_node_uid node_uid: IStr,
        with_max_expiration_seconds max_expiration_seconds: Option<i32>,
        with_pkix_public_key pkix_public_key: ByteString,
        with_proof_of_possession proof_of_possession: ByteString,
        with_stub_pkcs10_request stub_pkcs10_request: ByteString,
        with_unverified_user_annotations unverified_user_annotations: Map,
    }
    PodCertificateRequestStatus {
        with_conditions conditions: List<Condition>,
        with_certificate_chain certificate_chain: IStr,
        with_not_before not_before: Option<Time>,
        with_begin_refresh_at begin_refresh_at: Option<Time>,
        with_not_after not_after: Option<Time>,
    }
}
