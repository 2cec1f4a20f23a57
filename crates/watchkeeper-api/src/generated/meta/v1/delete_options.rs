//! `meta/v1`: `DeleteOptions` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct DeleteOptions {
    pub grace_period_seconds: Option<i64>,
    pub preconditions: Option<Box<Preconditions>>,
    pub orphan_dependents: Option<bool>,
    pub propagation_policy: Option<IStr>,
    pub dry_run: List<IStr>,
    pub ignore_store_read_error_with_cluster_breaking_potential: Option<bool>,
}

codec! { DeleteOptions: any "meta.k8s.io/v1"
    2 "gracePeriodSeconds" [1] opt grace_period_seconds
    3 "preconditions" [2] opt preconditions
    4 "orphanDependents" [3] opt orphan_dependents
    5 "propagationPolicy" [4] opt propagation_policy
    6 "dryRun" [5] opt dry_run .list_atomic()
    7 "ignoreStoreReadErrorWithClusterBreakingPotential" [6] opt ignore_store_read_error_with_cluster_breaking_potential
    => [6 ignore_store_read_error_with_cluster_breaking_potential] [5 dry_run]
       [4 propagation_policy] [3 orphan_dependents] [2 preconditions] [1 grace_period_seconds]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions`.
#[derive(Clone, Default, PartialEq)]
pub struct Preconditions {
    pub uid: Option<IStr>,
    pub resource_version: Option<IStr>,
}

codec! { Preconditions
    0 "uid" [1] opt uid
    1 "resourceVersion" [2] opt resource_version
    => [2 resource_version] [1 uid]
}
