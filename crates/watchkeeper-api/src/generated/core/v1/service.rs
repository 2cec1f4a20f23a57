//! `core/v1`: `Service` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, IntOrString, List, Map};

/// `io.k8s.api.core.v1.Service`.
#[derive(Clone, Default, PartialEq)]
pub struct Service {
    pub metadata: ObjectMeta,
    pub spec: ServiceSpec,
    pub status: ServiceStatus,
}

codec! { Service: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Service "" "v1" "services" Namespaced, ServiceStatus }

/// `io.k8s.api.core.v1.ClientIPConfig`.
#[derive(Clone, Default, PartialEq)]
pub struct ClientIPConfig {
    pub timeout_seconds: Option<i32>,
}

codec! { ClientIPConfig
    0 "timeoutSeconds" [1] opt timeout_seconds
    => [1 timeout_seconds]
}

/// `io.k8s.api.core.v1.LoadBalancerIngress`.
#[derive(Clone, Default, PartialEq)]
pub struct LoadBalancerIngress {
    pub ip: IStr,
    pub hostname: IStr,
    pub ip_mode: Option<IStr>,
    pub ports: List<PortStatus>,
}

codec! { LoadBalancerIngress
    0 "ip" [1] opt ip
    1 "hostname" [2] opt hostname
    2 "ipMode" [3] opt ip_mode
    3 "ports" [4] opt ports .list_atomic()
    => [4 ports] [3 ip_mode] [2 hostname] [1 ip]
}

/// `io.k8s.api.core.v1.LoadBalancerStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct LoadBalancerStatus {
    pub ingress: List<LoadBalancerIngress>,
}

codec! { LoadBalancerStatus
    0 "ingress" [1] opt ingress .list_atomic()
    => [1 ingress]
}

/// `io.k8s.api.core.v1.PortStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PortStatus {
    pub port: i32,
    pub protocol: IStr,
    pub error: Option<IStr>,
}

codec! { PortStatus
    0 "port" [1] req port .required()
    1 "protocol" [2] req protocol .required()
    2 "error" [3] opt error
    => [3 error] [2 protocol] [1 port]
}

/// `io.k8s.api.core.v1.ServicePort`.
#[derive(Clone, Default, PartialEq)]
pub struct ServicePort {
    pub name: IStr,
    pub protocol: IStr,
    pub app_protocol: Option<IStr>,
    pub port: i32,
    pub target_port: IntOrString,
    pub node_port: i32,
}

codec! { ServicePort
    0 "name" [1] opt name
    1 "protocol" [2] opt protocol .default_json("\"TCP\"")
    2 "appProtocol" [6] opt app_protocol
    3 "port" [3] req port .required()
    4 "targetPort" [4] opt target_port
    5 "nodePort" [5] opt node_port
    => [6 app_protocol] [5 node_port] [4 target_port] [3 port] [2 protocol] [1 name]
}

/// `io.k8s.api.core.v1.ServiceSpec`.
#[derive(Clone, Default, PartialEq)]
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
    0 "ports" [1] opt ports .list_map(&["port", "protocol"])
    1 "selector" [2] opt selector .map_atomic()
    2 "clusterIP" [3] opt cluster_ip
    3 "clusterIPs" [18] opt cluster_ips .list_atomic()
    4 "type" [4] opt type_
    5 "externalIPs" [5] opt external_ips .list_atomic()
    6 "sessionAffinity" [7] opt session_affinity
    7 "loadBalancerIP" [8] opt load_balancer_ip
    8 "loadBalancerSourceRanges" [9] opt load_balancer_source_ranges .list_atomic()
    9 "externalName" [10] opt external_name
    10 "externalTrafficPolicy" [11] opt external_traffic_policy
    11 "healthCheckNodePort" [12] opt health_check_node_port
    12 "publishNotReadyAddresses" [13] opt publish_not_ready_addresses
    13 "sessionAffinityConfig" [14] opt session_affinity_config
    14 "ipFamilies" [19] opt ip_families .list_atomic()
    15 "ipFamilyPolicy" [17] opt ip_family_policy
    16 "allocateLoadBalancerNodePorts" [20] opt allocate_load_balancer_node_ports
    17 "loadBalancerClass" [21] opt load_balancer_class
    18 "internalTrafficPolicy" [22] opt internal_traffic_policy
    19 "trafficDistribution" [23] opt traffic_distribution
    => [23 traffic_distribution] [22 internal_traffic_policy] [21 load_balancer_class]
       [20 allocate_load_balancer_node_ports] [19 ip_families] [18 cluster_ips]
       [17 ip_family_policy] [14 session_affinity_config] [13 publish_not_ready_addresses]
       [12 health_check_node_port] [11 external_traffic_policy] [10 external_name]
       [9 load_balancer_source_ranges] [8 load_balancer_ip] [7 session_affinity] [5 external_ips]
       [4 type_] [3 cluster_ip] [2 selector] [1 ports]
}

/// `io.k8s.api.core.v1.ServiceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceStatus {
    pub load_balancer: LoadBalancerStatus,
    pub conditions: List<Condition>,
}

codec! { ServiceStatus
    0 "loadBalancer" [1] opt load_balancer
    1 "conditions" [2] opt conditions .list_map(&["type"])
    => [2 conditions] [1 load_balancer]
}

/// `io.k8s.api.core.v1.SessionAffinityConfig`.
#[derive(Clone, Default, PartialEq)]
pub struct SessionAffinityConfig {
    pub client_ip: Option<Box<ClientIPConfig>>,
}

codec! { SessionAffinityConfig
    0 "clientIP" [1] opt client_ip
    => [1 client_ip]
}
