//! `core/v1`: `Endpoints` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ObjectReference;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List};

/// `io.k8s.api.core.v1.Endpoints`.
#[derive(Clone, Default, PartialEq)]
pub struct Endpoints {
    pub metadata: ObjectMeta,
    pub subsets: List<EndpointSubset>,
}

codec! { Endpoints: "v1"
    2 "metadata" [1] opt metadata
    3 "subsets" [2] opt subsets .list_atomic()
    => [2 subsets] [1 metadata]
}

kind! { Endpoints "" "v1" "endpoints" Namespaced }

/// `io.k8s.api.core.v1.EndpointAddress`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointAddress {
    pub ip: IStr,
    pub hostname: IStr,
    pub node_name: Option<IStr>,
    pub target_ref: Option<Box<ObjectReference>>,
}

codec! { EndpointAddress
    0 "ip" [1] req ip .required()
    1 "hostname" [3] opt hostname
    2 "nodeName" [4] opt node_name
    3 "targetRef" [2] opt target_ref .map_atomic()
    => [4 node_name] [3 hostname] [2 target_ref] [1 ip]
}

/// `io.k8s.api.core.v1.EndpointPort`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointPort {
    pub name: IStr,
    pub port: i32,
    pub protocol: IStr,
    pub app_protocol: Option<IStr>,
}

codec! { EndpointPort
    0 "name" [1] opt name
    1 "port" [2] req port .required()
    2 "protocol" [3] opt protocol
    3 "appProtocol" [4] opt app_protocol
    => [4 app_protocol] [3 protocol] [2 port] [1 name]
}

/// `io.k8s.api.core.v1.EndpointSubset`.
#[derive(Clone, Default, PartialEq)]
pub struct EndpointSubset {
    pub addresses: List<EndpointAddress>,
    pub not_ready_addresses: List<EndpointAddress>,
    pub ports: List<EndpointPort>,
}

codec! { EndpointSubset
    0 "addresses" [1] opt addresses .list_atomic()
    1 "notReadyAddresses" [2] opt not_ready_addresses .list_atomic()
    2 "ports" [3] opt ports .list_atomic()
    => [3 ports] [2 not_ready_addresses] [1 addresses]
}
