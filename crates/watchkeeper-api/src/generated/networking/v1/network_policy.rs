//! `networking/v1`: `NetworkPolicy` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List};

/// `io.k8s.api.networking.v1.NetworkPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicy {
    pub metadata: ObjectMeta,
    pub spec: NetworkPolicySpec,
}

codec! { NetworkPolicy: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! { NetworkPolicy "networking.k8s.io" "v1" "networkpolicies" Namespaced }

/// `io.k8s.api.networking.v1.IPBlock`.
#[derive(Clone, Default, PartialEq)]
pub struct IPBlock {
    pub cidr: IStr,
    pub except: List<IStr>,
}

codec! { IPBlock
    0 "cidr" [1] req cidr .required()
    1 "except" [2] opt except .list_atomic()
    => [2 except] [1 cidr]
}

/// `io.k8s.api.networking.v1.NetworkPolicyEgressRule`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicyEgressRule {
    pub ports: List<NetworkPolicyPort>,
    pub to: List<NetworkPolicyPeer>,
}

codec! { NetworkPolicyEgressRule
    0 "ports" [1] opt ports .list_atomic()
    1 "to" [2] opt to .list_atomic()
    => [2 to] [1 ports]
}

/// `io.k8s.api.networking.v1.NetworkPolicyIngressRule`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicyIngressRule {
    pub ports: List<NetworkPolicyPort>,
    pub from: List<NetworkPolicyPeer>,
}

codec! { NetworkPolicyIngressRule
    0 "ports" [1] opt ports .list_atomic()
    1 "from" [2] opt from .list_atomic()
    => [2 from] [1 ports]
}

/// `io.k8s.api.networking.v1.NetworkPolicyPeer`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicyPeer {
    pub pod_selector: Option<Box<LabelSelector>>,
    pub namespace_selector: Option<Box<LabelSelector>>,
    pub ip_block: Option<Box<IPBlock>>,
}

codec! { NetworkPolicyPeer
    0 "podSelector" [1] opt pod_selector .map_atomic()
    1 "namespaceSelector" [2] opt namespace_selector .map_atomic()
    2 "ipBlock" [3] opt ip_block
    => [3 ip_block] [2 namespace_selector] [1 pod_selector]
}

/// `io.k8s.api.networking.v1.NetworkPolicyPort`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicyPort {
    pub protocol: Option<IStr>,
    pub port: Option<IntOrString>,
    pub end_port: Option<i32>,
}

codec! { NetworkPolicyPort
    0 "protocol" [1] opt protocol
    1 "port" [2] opt port
    2 "endPort" [3] opt end_port
    => [3 end_port] [2 port] [1 protocol]
}

/// `io.k8s.api.networking.v1.NetworkPolicySpec`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicySpec {
    pub pod_selector: LabelSelector,
    pub ingress: List<NetworkPolicyIngressRule>,
    pub egress: List<NetworkPolicyEgressRule>,
    pub policy_types: List<IStr>,
}

codec! { NetworkPolicySpec
    0 "podSelector" [1] opt pod_selector .map_atomic()
    1 "ingress" [2] opt ingress .list_atomic()
    2 "egress" [3] opt egress .list_atomic()
    3 "policyTypes" [4] opt policy_types .list_atomic()
    => [4 policy_types] [3 egress] [2 ingress] [1 pod_selector]
}
