//! `discovery/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::ObjectReference;
use crate::discovery::v1::{
    Endpoint, EndpointConditions, EndpointHints, EndpointPort, EndpointSlice, ForNode, ForZone,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, setters};

setters! {
    EndpointSlice {
        with_metadata metadata: ObjectMeta,
        with_address_type address_type: IStr,
        with_endpoints endpoints: List<Endpoint>,
        with_ports ports: List<EndpointPort>,
    }
    Endpoint {
        with_addresses addresses: List<IStr>,
        with_conditions conditions: EndpointConditions,
        with_hostname hostname: Option<IStr>,
        with_target_ref target_ref: Option<Box<ObjectReference>>,
        with_deprecated_topology deprecated_topology: Map,
        with_node_name node_name: Option<IStr>,
        with_zone zone: Option<IStr>,
        with_hints hints: Option<Box<EndpointHints>>,
    }
    EndpointConditions {
        with_ready ready: Option<bool>,
        with_serving serving: Option<bool>,
        with_terminating terminating: Option<bool>,
    }
    EndpointHints {
        with_for_zones for_zones: List<ForZone>,
        with_for_nodes for_nodes: List<ForNode>,
    }
    EndpointPort {
        with_name name: Option<IStr>,
        with_protocol protocol: Option<IStr>,
        with_port port: Option<i32>,
        with_app_protocol app_protocol: Option<IStr>,
    }
    ForNode {
        with_name name: IStr,
    }
    ForZone {
        with_name name: IStr,
    }
}
