//! `certificates/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::certificates::v1alpha1::{ClusterTrustBundle, ClusterTrustBundleSpec};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, setters};

setters! {
    ClusterTrustBundle {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ClusterTrustBundleSpec,
    }
    ClusterTrustBundleSpec {
        with_signer_name signer_name: IStr,
        with_trust_bundle trust_bundle: IStr,
    }
}
