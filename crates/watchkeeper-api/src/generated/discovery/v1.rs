//! `discovery/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::ObjectReference;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map};

/// `io.k8s.api.discovery.v1.EndpointSlice`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointSlice {
    pub metadata: ObjectMeta,
    pub address_type: IStr,
    pub endpoints: List<Endpoint>,
    pub ports: List<EndpointPort>,
}

codec! { EndpointSlice: "discovery.k8s.io/v1"
    2 "metadata" opt metadata
    3 "addressType" req address_type .required()
    4 "endpoints" opt endpoints .list_atomic()
    5 "ports" opt ports .list_atomic()
}

kind! { EndpointSlice "discovery.k8s.io" "v1" "endpointslices" Namespaced }

/// `io.k8s.api.discovery.v1.Endpoint`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "addresses" opt addresses .required() .list_set()
    1 "conditions" opt conditions
    2 "hostname" opt hostname
    3 "targetRef" opt target_ref .map_atomic()
    4 "deprecatedTopology" opt deprecated_topology
    5 "nodeName" opt node_name
    6 "zone" opt zone
    7 "hints" opt hints
}

/// `io.k8s.api.discovery.v1.EndpointConditions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointConditions {
    pub ready: Option<bool>,
    pub serving: Option<bool>,
    pub terminating: Option<bool>,
}

codec! { EndpointConditions
    0 "ready" opt ready
    1 "serving" opt serving
    2 "terminating" opt terminating
}

/// `io.k8s.api.discovery.v1.EndpointHints`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointHints {
    pub for_zones: List<ForZone>,
    pub for_nodes: List<ForNode>,
}

codec! { EndpointHints
    0 "forZones" opt for_zones .list_atomic()
    1 "forNodes" opt for_nodes .list_atomic()
}

/// `io.k8s.api.discovery.v1.EndpointPort`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndpointPort {
    pub name: Option<IStr>,
    pub protocol: Option<IStr>,
    pub port: Option<i32>,
    pub app_protocol: Option<IStr>,
}

codec! { EndpointPort
    0 "name" opt name
    1 "protocol" opt protocol
    2 "port" opt port
    3 "appProtocol" opt app_protocol
}

/// `io.k8s.api.discovery.v1.ForNode`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForNode {
    pub name: IStr,
}

codec! { ForNode
    0 "name" req name .required()
}

/// `io.k8s.api.discovery.v1.ForZone`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForZone {
    pub name: IStr,
}

codec! { ForZone
    0 "name" req name .required()
}
