//! `networking/v1`: `IPAddress` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::IStr;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.networking.v1.IPAddress`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddress {
    pub metadata: ObjectMeta,
    pub spec: IPAddressSpec,
}

codec! { IPAddress: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { IPAddress "networking.k8s.io" "v1" "ipaddresses" Cluster }

/// `io.k8s.api.networking.v1.IPAddressSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddressSpec {
    pub parent_ref: Option<Box<ParentReference>>,
}

codec! { IPAddressSpec
    0 "parentRef" [1] opt parent_ref .required()
    => [1 parent_ref]
}

/// `io.k8s.api.networking.v1.ParentReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ParentReference {
    pub group: IStr,
    pub resource: IStr,
    pub namespace: IStr,
    pub name: IStr,
}

codec! { ParentReference
    0 "group" [1] opt group
    1 "resource" [2] opt resource .required()
    2 "namespace" [3] opt namespace
    3 "name" [4] opt name .required()
    => [4 name] [3 namespace] [2 resource] [1 group]
}
