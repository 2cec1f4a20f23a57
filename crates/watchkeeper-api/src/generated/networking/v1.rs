//! `networking/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::TypedLocalObjectReference;
use crate::meta::v1::{Condition, LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List};

/// `io.k8s.api.networking.v1.Ingress`.
#[derive(Clone, Default, PartialEq)]
pub struct Ingress {
    pub metadata: ObjectMeta,
    pub spec: IngressSpec,
    pub status: IngressStatus,
}

codec! { Ingress: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
}

kind! { Ingress "networking.k8s.io" "v1" "ingresses" Namespaced, IngressStatus }

/// `io.k8s.api.networking.v1.HTTPIngressPath`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPIngressPath {
    pub path: IStr,
    pub path_type: Option<IStr>,
    pub backend: IngressBackend,
}

codec! { HTTPIngressPath
    0 "path" [1] opt path
    1 "pathType" [3] opt path_type .required()
    2 "backend" [2] opt backend .required()
}

/// `io.k8s.api.networking.v1.HTTPIngressRuleValue`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPIngressRuleValue {
    pub paths: List<HTTPIngressPath>,
}

codec! { HTTPIngressRuleValue
    0 "paths" [1] opt paths .required() .list_atomic()
}

/// `io.k8s.api.networking.v1.IngressBackend`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressBackend {
    pub service: Option<Box<IngressServiceBackend>>,
    pub resource: Option<Box<TypedLocalObjectReference>>,
}

codec! { IngressBackend
    0 "service" [4] opt service
    1 "resource" [3] opt resource .map_atomic()
}

/// `io.k8s.api.networking.v1.IngressLoadBalancerIngress`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressLoadBalancerIngress {
    pub ip: IStr,
    pub hostname: IStr,
    pub ports: List<IngressPortStatus>,
}

codec! { IngressLoadBalancerIngress
    0 "ip" [1] opt ip
    1 "hostname" [2] opt hostname
    2 "ports" [4] opt ports .list_atomic()
}

/// `io.k8s.api.networking.v1.IngressLoadBalancerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressLoadBalancerStatus {
    pub ingress: List<IngressLoadBalancerIngress>,
}

codec! { IngressLoadBalancerStatus
    0 "ingress" [1] opt ingress .list_atomic()
}

/// `io.k8s.api.networking.v1.IngressPortStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressPortStatus {
    pub port: i32,
    pub protocol: IStr,
    pub error: Option<IStr>,
}

codec! { IngressPortStatus
    0 "port" [1] req port .required()
    1 "protocol" [2] req protocol .required()
    2 "error" [3] opt error
}

/// `io.k8s.api.networking.v1.IngressRule`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressRule {
    pub host: IStr,
    pub http: Option<Box<HTTPIngressRuleValue>>,
}

codec! { IngressRule
    0 "host" [1] opt host
    1 "http" [2 1] opt http
}

/// `io.k8s.api.networking.v1.IngressServiceBackend`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressServiceBackend {
    pub name: IStr,
    pub port: ServiceBackendPort,
}

codec! { IngressServiceBackend
    0 "name" [1] req name .required()
    1 "port" [2] opt port .map_atomic()
}

/// `io.k8s.api.networking.v1.IngressSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressSpec {
    pub ingress_class_name: Option<IStr>,
    pub default_backend: Option<Box<IngressBackend>>,
    pub tls: List<IngressTLS>,
    pub rules: List<IngressRule>,
}

codec! { IngressSpec
    0 "ingressClassName" [4] opt ingress_class_name
    1 "defaultBackend" [1] opt default_backend
    2 "tls" [2] opt tls .list_atomic()
    3 "rules" [3] opt rules .list_atomic()
}

/// `io.k8s.api.networking.v1.IngressStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressStatus {
    pub load_balancer: IngressLoadBalancerStatus,
}

codec! { IngressStatus
    0 "loadBalancer" [1] opt load_balancer
}

/// `io.k8s.api.networking.v1.IngressTLS`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressTLS {
    pub hosts: List<IStr>,
    pub secret_name: IStr,
}

codec! { IngressTLS
    0 "hosts" [1] opt hosts .list_atomic()
    1 "secretName" [2] opt secret_name
}

/// `io.k8s.api.networking.v1.ServiceBackendPort`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceBackendPort {
    pub name: IStr,
    pub number: i32,
}

codec! { ServiceBackendPort
    0 "name" [1] opt name
    1 "number" [2] opt number
}

/// `io.k8s.api.networking.v1.IngressClass`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClass {
    pub metadata: ObjectMeta,
    pub spec: IngressClassSpec,
}

codec! { IngressClass: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
}

kind! { IngressClass "networking.k8s.io" "v1" "ingressclasses" Cluster }

/// `io.k8s.api.networking.v1.IngressClassParametersReference`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClassParametersReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
    pub scope: Option<IStr>,
    pub namespace: Option<IStr>,
}

codec! { IngressClassParametersReference
    0 "apiGroup" [1] opt api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    3 "scope" [4] opt scope
    4 "namespace" [5] opt namespace
}

/// `io.k8s.api.networking.v1.IngressClassSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressClassSpec {
    pub controller: IStr,
    pub parameters: Option<Box<IngressClassParametersReference>>,
}

codec! { IngressClassSpec
    0 "controller" [1] opt controller
    1 "parameters" [2] opt parameters
}

/// `io.k8s.api.networking.v1.IPAddress`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddress {
    pub metadata: ObjectMeta,
    pub spec: IPAddressSpec,
}

codec! { IPAddress: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
}

kind! { IPAddress "networking.k8s.io" "v1" "ipaddresses" Cluster }

/// `io.k8s.api.networking.v1.IPAddressSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct IPAddressSpec {
    pub parent_ref: Option<Box<ParentReference>>,
}

codec! { IPAddressSpec
    0 "parentRef" [1] opt parent_ref .required()
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
}

/// `io.k8s.api.networking.v1.NetworkPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct NetworkPolicy {
    pub metadata: ObjectMeta,
    pub spec: NetworkPolicySpec,
}

codec! { NetworkPolicy: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
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
}

/// `io.k8s.api.networking.v1.ServiceCIDR`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDR {
    pub metadata: ObjectMeta,
    pub spec: ServiceCIDRSpec,
    pub status: ServiceCIDRStatus,
}

codec! { ServiceCIDR: "networking.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
}

kind! { ServiceCIDR "networking.k8s.io" "v1" "servicecidrs" Cluster, ServiceCIDRStatus }

/// `io.k8s.api.networking.v1.ServiceCIDRSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRSpec {
    pub cidrs: List<IStr>,
}

codec! { ServiceCIDRSpec
    0 "cidrs" [1] opt cidrs .list_atomic()
}

/// `io.k8s.api.networking.v1.ServiceCIDRStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceCIDRStatus {
    pub conditions: List<Condition>,
}

codec! { ServiceCIDRStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
}
