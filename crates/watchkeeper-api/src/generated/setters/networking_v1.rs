//! `networking/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::TypedLocalObjectReference;
use crate::meta::v1::{Condition, LabelSelector, ObjectMeta};
use crate::networking::v1::{
    HTTPIngressPath, HTTPIngressRuleValue, IPAddress, IPAddressSpec, IPBlock, Ingress,
    IngressBackend, IngressClass, IngressClassParametersReference, IngressClassSpec,
    IngressLoadBalancerIngress, IngressLoadBalancerStatus, IngressPortStatus, IngressRule,
    IngressServiceBackend, IngressSpec, IngressStatus, IngressTLS, NetworkPolicy,
    NetworkPolicyEgressRule, NetworkPolicyIngressRule, NetworkPolicyPeer, NetworkPolicyPort,
    NetworkPolicySpec, ParentReference, ServiceBackendPort, ServiceCIDR, ServiceCIDRSpec,
    ServiceCIDRStatus,
};
use crate::{IStr, IntOrString, List, setters};

setters! {
    Ingress {
        with_metadata metadata: ObjectMeta,
        with_spec spec: IngressSpec,
        with_status status: IngressStatus,
    }
    HTTPIngressPath {
        with_path path: IStr,
        with_path_type path_type: Option<IStr>,
        with_backend backend: IngressBackend,
    }
    HTTPIngressRuleValue {
        with_paths paths: List<HTTPIngressPath>,
    }
    IngressBackend {
        with_service service: Option<Box<IngressServiceBackend>>,
        with_resource resource: Option<Box<TypedLocalObjectReference>>,
    }
    IngressLoadBalancerIngress {
        with_ip ip: IStr,
        with_hostname hostname: IStr,
        with_ports ports: List<IngressPortStatus>,
    }
    IngressLoadBalancerStatus {
        with_ingress ingress: List<IngressLoadBalancerIngress>,
    }
    IngressPortStatus {
        with_port port: i32,
        with_protocol protocol: IStr,
        with_error error: Option<IStr>,
    }
    IngressRule {
        with_host host: IStr,
        with_http http: Option<Box<HTTPIngressRuleValue>>,
    }
    IngressServiceBackend {
        with_name name: IStr,
        with_port port: ServiceBackendPort,
    }
    IngressSpec {
        with_ingress_class_name ingress_class_name: Option<IStr>,
        with_default_backend default_backend: Option<Box<IngressBackend>>,
        with_tls tls: List<IngressTLS>,
        with_rules rules: List<IngressRule>,
    }
    IngressStatus {
        with_load_balancer load_balancer: IngressLoadBalancerStatus,
    }
    IngressTLS {
        with_hosts hosts: List<IStr>,
        with_secret_name secret_name: IStr,
    }
    ServiceBackendPort {
        with_name name: IStr,
        with_number number: i32,
    }
    IngressClass {
        with_metadata metadata: ObjectMeta,
        with_spec spec: IngressClassSpec,
    }
    IngressClassParametersReference {
        with_api_group api_group: Option<IStr>,
        with_kind kind: IStr,
        with_name name: IStr,
        with_scope scope: Option<IStr>,
        with_namespace namespace: Option<IStr>,
    }
    IngressClassSpec {
        with_controller controller: IStr,
        with_parameters parameters: Option<Box<IngressClassParametersReference>>,
    }
    IPAddress {
        with_metadata metadata: ObjectMeta,
        with_spec spec: IPAddressSpec,
    }
    IPAddressSpec {
        with_parent_ref parent_ref: Option<Box<ParentReference>>,
    }
    ParentReference {
        with_group group: IStr,
        with_resource resource: IStr,
        with_namespace namespace: IStr,
        with_name name: IStr,
    }
    NetworkPolicy {
        with_metadata metadata: ObjectMeta,
        with_spec spec: NetworkPolicySpec,
    }
    IPBlock {
        with_cidr cidr: IStr,
        with_except except: List<IStr>,
    }
    NetworkPolicyEgressRule {
        with_ports ports: List<NetworkPolicyPort>,
        with_to to: List<NetworkPolicyPeer>,
    }
    NetworkPolicyIngressRule {
        with_ports ports: List<NetworkPolicyPort>,
        with_from from: List<NetworkPolicyPeer>,
    }
    NetworkPolicyPeer {
        with_pod_selector pod_selector: Option<Box<LabelSelector>>,
        with_namespace_selector namespace_selector: Option<Box<LabelSelector>>,
        with_ip_block ip_block: Option<Box<IPBlock>>,
    }
    NetworkPolicyPort {
        with_protocol protocol: Option<IStr>,
        with_port port: Option<IntOrString>,
        with_end_port end_port: Option<i32>,
    }
    NetworkPolicySpec {
        with_pod_selector pod_selector: LabelSelector,
        with_ingress ingress: List<NetworkPolicyIngressRule>,
        with_egress egress: List<NetworkPolicyEgressRule>,
        with_policy_types policy_types: List<IStr>,
    }
    ServiceCIDR {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ServiceCIDRSpec,
        with_status status: ServiceCIDRStatus,
    }
    ServiceCIDRSpec {
        with_cidrs cidrs: List<IStr>,
    }
    ServiceCIDRStatus {
        with_conditions conditions: List<Condition>,
    }
}
