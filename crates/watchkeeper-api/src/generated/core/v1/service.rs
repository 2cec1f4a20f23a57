//! `core/v1`: `Service` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, IntOrString, List, Map};

/// `io.k8s.api.core.v1.Service`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Service {
    pub metadata: ObjectMeta,
    pub spec: ServiceSpec,
    pub status: ServiceStatus,
}

codec! { Service: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { Service "" "v1" "services" Namespaced, ServiceStatus }

/// `io.k8s.api.core.v1.ClientIPConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientIPConfig {
    pub timeout_seconds: Option<i32>,
}

codec! { ClientIPConfig
    0 "timeoutSeconds" opt timeout_seconds
}

/// `io.k8s.api.core.v1.LoadBalancerIngress`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadBalancerIngress {
    pub ip: IStr,
    pub hostname: IStr,
    pub ip_mode: Option<IStr>,
    pub ports: List<PortStatus>,
}

codec! { LoadBalancerIngress
    0 "ip" opt ip
    1 "hostname" opt hostname
    2 "ipMode" opt ip_mode
    3 "ports" opt ports .list_atomic()
}

/// `io.k8s.api.core.v1.LoadBalancerStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadBalancerStatus {
    pub ingress: List<LoadBalancerIngress>,
}

codec! { LoadBalancerStatus
    0 "ingress" opt ingress .list_atomic()
}

/// `io.k8s.api.core.v1.PortStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortStatus {
    pub port: i32,
    pub protocol: IStr,
    pub error: Option<IStr>,
}

codec! { PortStatus
    0 "port" req port .required()
    1 "protocol" req protocol .required()
    2 "error" opt error
}

/// `io.k8s.api.core.v1.ServicePort`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServicePort {
    pub name: IStr,
    pub protocol: IStr,
    pub app_protocol: Option<IStr>,
    pub port: i32,
    pub target_port: IntOrString,
    pub node_port: i32,
}

codec! { ServicePort
    0 "name" opt name
    1 "protocol" opt protocol .default_json("\"TCP\"")
    2 "appProtocol" opt app_protocol
    3 "port" req port .required()
    4 "targetPort" opt target_port
    5 "nodePort" opt node_port
}

/// `io.k8s.api.core.v1.ServiceSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceSpec {
    pub ports: List<ServicePort>,
    pub selector: Map,
    pub cluster_ip: IStr,
    pub cluster_ips: List<IStr>,
    pub type_: IStr,
    pub external_ips: List<IStr>,
    pub session_affinity: IStr,
    pub load_balancer_ip: IStr,
    pub load_balancer_source_ranges: List<IStr>,
    pub external_name: IStr,
    pub external_traffic_policy: IStr,
    pub health_check_node_port: i32,
    pub publish_not_ready_addresses: bool,
    pub session_affinity_config: Option<Box<SessionAffinityConfig>>,
    pub ip_families: List<IStr>,
    pub ip_family_policy: Option<IStr>,
    pub allocate_load_balancer_node_ports: Option<bool>,
    pub load_balancer_class: Option<IStr>,
    pub internal_traffic_policy: Option<IStr>,
    pub traffic_distribution: Option<IStr>,
}

codec! { ServiceSpec
    0 "ports" opt ports .list_map(&["port", "protocol"])
    1 "selector" opt selector .map_atomic()
    2 "clusterIP" opt cluster_ip
    3 "clusterIPs" opt cluster_ips .list_atomic()
    4 "type" opt type_
    5 "externalIPs" opt external_ips .list_atomic()
    6 "sessionAffinity" opt session_affinity
    7 "loadBalancerIP" opt load_balancer_ip
    8 "loadBalancerSourceRanges" opt load_balancer_source_ranges .list_atomic()
    9 "externalName" opt external_name
    10 "externalTrafficPolicy" opt external_traffic_policy
    11 "healthCheckNodePort" opt health_check_node_port
    12 "publishNotReadyAddresses" opt publish_not_ready_addresses
    13 "sessionAffinityConfig" opt session_affinity_config
    14 "ipFamilies" opt ip_families .list_atomic()
    15 "ipFamilyPolicy" opt ip_family_policy
    16 "allocateLoadBalancerNodePorts" opt allocate_load_balancer_node_ports
    17 "loadBalancerClass" opt load_balancer_class
    18 "internalTrafficPolicy" opt internal_traffic_policy
    19 "trafficDistribution" opt traffic_distribution
}

/// `io.k8s.api.core.v1.ServiceStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceStatus {
    pub load_balancer: LoadBalancerStatus,
    pub conditions: List<Condition>,
}

codec! { ServiceStatus
    0 "loadBalancer" opt load_balancer
    1 "conditions" opt conditions .list_map(&["type"])
}

/// `io.k8s.api.core.v1.SessionAffinityConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionAffinityConfig {
    pub client_ip: Option<Box<ClientIPConfig>>,
}

codec! { SessionAffinityConfig
    0 "clientIP" opt client_ip
}
