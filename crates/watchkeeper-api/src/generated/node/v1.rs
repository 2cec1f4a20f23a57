//! `node/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::Toleration;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.node.v1.RuntimeClass`.
#[derive(Clone, Default, PartialEq)]
pub struct RuntimeClass {
    pub metadata: ObjectMeta,
    pub handler: IStr,
    pub overhead: Option<Box<Overhead>>,
    pub scheduling: Option<Box<Scheduling>>,
}

codec! { RuntimeClass: "node.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "handler" [2] req handler .required()
    4 "overhead" [3] opt overhead
    5 "scheduling" [4] opt scheduling
    => [4 scheduling] [3 overhead] [2 handler] [1 metadata]
}

kind! { RuntimeClass "node.k8s.io" "v1" "runtimeclasses" Cluster }

/// `io.k8s.api.node.v1.Overhead`.
#[derive(Clone, Default, PartialEq)]
pub struct Overhead {
    pub pod_fixed: Map<Quantity>,
}

codec! { Overhead
    0 "podFixed" [1] opt pod_fixed
    => [1 pod_fixed]
}

/// `io.k8s.api.node.v1.Scheduling`.
#[derive(Clone, Default, PartialEq)]
pub struct Scheduling {
    pub node_selector: Map,
    pub tolerations: List<Toleration>,
}

codec! { Scheduling
    0 "nodeSelector" [1] opt node_selector .map_atomic()
    1 "tolerations" [2] opt tolerations .list_atomic()
    => [2 tolerations] [1 node_selector]
}
