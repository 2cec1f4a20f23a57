//! `certificates/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::IStr;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.certificates.v1alpha1.ClusterTrustBundle`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterTrustBundle {
    pub metadata: ObjectMeta,
    pub spec: ClusterTrustBundleSpec,
}

codec! { ClusterTrustBundle: "certificates.k8s.io/v1alpha1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { ClusterTrustBundle "certificates.k8s.io" "v1alpha1" "clustertrustbundles" Cluster }

/// `io.k8s.api.certificates.v1alpha1.ClusterTrustBundleSpec`.
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
