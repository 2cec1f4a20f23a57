//! `discovery/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::ObjectReference;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map};

/// `io.k8s.api.discovery.v1.EndpointSlice`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointSlice {
    pub metadata: ObjectMeta,
    pub address_type: IStr,
    pub endpoints: List<Endpoint>,
    pub ports: List<EndpointPort>,
}

codec! { EndpointSlice: "discovery.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "addressType" [4] req address_type .required()
    4 "endpoints" [2] opt endpoints .list_atomic()
    5 "ports" [3] opt ports .list_atomic()
    => [4 address_type] [3 ports] [2 endpoints] [1 metadata]
}

kind! { EndpointSlice "discovery.k8s.io" "v1" "endpointslices" Namespaced }

/// `io.k8s.api.discovery.v1.Endpoint`.
#[derive(Clone, Default, PartialEq)]
pub struct Endpoint {
    pub addresses: List<IStr>,
    pub conditions: EndpointConditions,
    pub hostname: Option<IStr>,
    pub target_ref: Option<Box<ObjectReference>>,
    pub deprecated_topology: Map,
    pub node_name: Option<IStr>,
    pub zone: Option<IStr>,
    pub hints: Option<Box<EndpointHints>>,
}

codec! { Endpoint
    0 "addresses" [1] opt addresses .required() .list_set()
    1 "conditions" [2] opt conditions
    2 "hostname" [3] opt hostname
    3 "targetRef" [4] opt target_ref .map_atomic()
    4 "deprecatedTopology" [5] opt deprecated_topology
    5 "nodeName" [6] opt node_name
    6 "zone" [7] opt zone
    7 "hints" [8] opt hints
    => [8 hints] [7 zone] [6 node_name] [5 deprecated_topology] [4 target_ref] [3 hostname]
       [2 conditions] [1 addresses]
}

/// `io.k8s.api.discovery.v1.EndpointConditions`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointConditions {
    pub ready: Option<bool>,
    pub serving: Option<bool>,
    pub terminating: Option<bool>,
}

codec! { EndpointConditions
    0 "ready" [1] opt ready
    1 "serving" [2] opt serving
    2 "terminating" [3] opt terminating
    => [3 terminating] [2 serving] [1 ready]
}

/// `io.k8s.api.discovery.v1.EndpointHints`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointHints {
    pub for_zones: List<ForZone>,
    pub for_nodes: List<ForNode>,
}

codec! { EndpointHints
    0 "forZones" [1] opt for_zones .list_atomic()
    1 "forNodes" [2] opt for_nodes .list_atomic()
    => [2 for_nodes] [1 for_zones]
}

/// `io.k8s.api.discovery.v1.EndpointPort`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointPort {
    pub name: Option<IStr>,
    pub protocol: Option<IStr>,
    pub port: Option<i32>,
    pub app_protocol: Option<IStr>,
}

codec! { EndpointPort
    0 "name" [1] opt name
    1 "protocol" [2] opt protocol
    2 "port" [3] opt port
    3 "appProtocol" [4] opt app_protocol
    => [4 app_protocol] [3 port] [2 protocol] [1 name]
}

/// `io.k8s.api.discovery.v1.ForNode`.
#[derive(Clone, Default, PartialEq)]
pub struct ForNode {
    pub name: IStr,
}

codec! { ForNode
    0 "name" [1] req name .required()
    => [1 name]
}

/// `io.k8s.api.discovery.v1.ForZone`.
#[derive(Clone, Default, PartialEq)]
pub struct ForZone {
    pub name: IStr,
}

codec! { ForZone
    0 "name" [1] req name .required()
    => [1 name]
}
