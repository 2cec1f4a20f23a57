//! `node/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::Toleration;
use crate::meta::v1::ObjectMeta;
use crate::node::v1::{Overhead, RuntimeClass, Scheduling};
use crate::{IStr, List, Map, Quantity, setters};

setters! {
    RuntimeClass {
        with_metadata metadata: ObjectMeta,
        with_handler handler: IStr,
        with_overhead overhead: Option<Box<Overhead>>,
        with_scheduling scheduling: Option<Box<Scheduling>>,
    }
    Overhead {
        with_pod_fixed pod_fixed: Map<Quantity>,
    }
    Scheduling {
        with_node_selector node_selector: Map,
        with_tolerations tolerations: List<Toleration>,
    }
}
