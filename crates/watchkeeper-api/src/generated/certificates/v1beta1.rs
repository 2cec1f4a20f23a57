//! `certificates/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{ByteString, IStr, List, Map, Time};

/// `io.k8s.api.certificates.v1beta1.ClusterTrustBundle`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterTrustBundle {
    pub metadata: ObjectMeta,
    pub spec: ClusterTrustBundleSpec,
}

codec! { ClusterTrustBundle: "certificates.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { ClusterTrustBundle "certificates.k8s.io" "v1beta1" "clustertrustbundles" Cluster }

/// `io.k8s.api.certificates.v1beta1.ClusterTrustBundleSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterTrustBundleSpec {
    pub signer_name: IStr,
    pub trust_bundle: IStr,
}

codec! { ClusterTrustBundleSpec
    0 "signerName" [1] opt signer_name
    1 "trustBundle" [2] req trust_bundle .required()
    => [2 trust_bundle] [1 signer_name]
}

/// `io.k8s.api.certificates.v1beta1.PodCertificateRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct PodCertificateRequest {
    pub metadata: ObjectMeta,
    pub spec: PodCertificateRequestSpec,
    pub status: PodCertificateRequestStatus,
}

codec! { PodCertificateRequest: "certificates.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    PodCertificateRequest "certificates.k8s.io" "v1beta1" "podcertificaterequests" Namespaced, PodCertificateRequestStatus
}

/// `io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PodCertificateRequestSpec {
    pub signer_name: IStr,
    pub pod_name: IStr,
    pub pod_uid: IStr,
    pub service_account_name: IStr,
    pub service_account_uid: IStr,
    pub node_name: IStr,
    pub node_uid: IStr,
    pub max_expiration_seconds: Option<i32>,
    pub pkix_public_key: ByteString,
    pub proof_of_possession: ByteString,
    pub stub_pkcs10_request: ByteString,
    pub unverified_user_annotations: Map,
}

codec! { PodCertificateRequestSpec
    0 "signerName" [1] req signer_name .required()
    1 "podName" [2] req pod_name .required()
    2 "podUID" [3] req pod_uid .required()
    3 "serviceAccountName" [4] req service_account_name .required()
    4 "serviceAccountUID" [5] req service_account_uid .required()
    5 "nodeName" [6] req node_name .required()
    6 "nodeUID" [7] req node_uid .required()
    7 "maxExpirationSeconds" [8] opt max_expiration_seconds .default_json("86400")
    8 "pkixPublicKey" [9] req pkix_public_key
    9 "proofOfPossession" [10] req proof_of_possession
    10 "stubPKCS10Request" [12] req stub_pkcs10_request .required()
    11 "unverifiedUserAnnotations" [11] opt unverified_user_annotations
    => [12 stub_pkcs10_request] [11 unverified_user_annotations] [10 proof_of_possession]
       [9 pkix_public_key] [8 max_expiration_seconds] [7 node_uid] [6 node_name]
       [5 service_account_uid] [4 service_account_name] [3 pod_uid] [2 pod_name] [1 signer_name]
}

/// `io.k8s.api.certificates.v1beta1.PodCertificateRequestStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodCertificateRequestStatus {
    pub conditions: List<Condition>,
    pub certificate_chain: IStr,
    pub not_before: Option<Time>,
    pub begin_refresh_at: Option<Time>,
    pub not_after: Option<Time>,
}

codec! { PodCertificateRequestStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    1 "certificateChain" [2] opt certificate_chain
    2 "notBefore" [4] opt not_before
    3 "beginRefreshAt" [5] opt begin_refresh_at
    4 "notAfter" [6] opt not_after
    => [6 not_after] [5 begin_refresh_at] [4 not_before] [2 certificate_chain] [1 conditions]
}
