//! `networking/v1`: `Ingress` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::TypedLocalObjectReference;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List};

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
    => [3 status] [2 spec] [1 metadata]
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
    => [3 path_type] [2 backend] [1 path]
}

/// `io.k8s.api.networking.v1.HTTPIngressRuleValue`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPIngressRuleValue {
    pub paths: List<HTTPIngressPath>,
}

codec! { HTTPIngressRuleValue
    0 "paths" [1] opt paths .required() .list_atomic()
    => [1 paths]
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
    => [4 service] [3 resource]
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
    => [4 ports] [2 hostname] [1 ip]
}

/// `io.k8s.api.networking.v1.IngressLoadBalancerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressLoadBalancerStatus {
    pub ingress: List<IngressLoadBalancerIngress>,
}

codec! { IngressLoadBalancerStatus
    0 "ingress" [1] opt ingress .list_atomic()
    => [1 ingress]
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
    => [3 error] [2 protocol] [1 port]
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
    => (2 [1 http]) [1 host]
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
    => [2 port] [1 name]
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
    => [4 ingress_class_name] [3 rules] [2 tls] [1 default_backend]
}

/// `io.k8s.api.networking.v1.IngressStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct IngressStatus {
    pub load_balancer: IngressLoadBalancerStatus,
}

codec! { IngressStatus
    0 "loadBalancer" [1] opt load_balancer
    => [1 load_balancer]
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
    => [2 secret_name] [1 hosts]
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
    => [2 number] [1 name]
}
