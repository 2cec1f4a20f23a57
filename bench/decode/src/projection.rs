//! A pod of which a controller wants little: who it is, where it runs, and whether it is ready.

use watchkeeper_api::core::v1::{Pod, PodCondition, PodSpec, PodStatus};
use watchkeeper_api::meta::v1::{ObjectMeta, OwnerReference};
use watchkeeper_api::{IStr, List, Map, Time};
use watchkeeper_derive::Fields;

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = Pod, crate = "watchkeeper_api")]
pub struct PodView {
    pub metadata: MetaView,
    pub spec: SpecView,
    pub status: StatusView,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = ObjectMeta, crate = "watchkeeper_api")]
pub struct MetaView {
    pub name: IStr,
    pub namespace: IStr,
    pub uid: IStr,
    pub resource_version: IStr,
    pub creation_timestamp: Option<Time>,
    pub labels: Map,
    pub owner_references: List<OwnerReference>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodSpec, crate = "watchkeeper_api")]
pub struct SpecView {
    pub node_name: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodStatus, crate = "watchkeeper_api")]
pub struct StatusView {
    pub phase: IStr,
    pub conditions: List<ConditionView>,
    pub pod_ip: IStr,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = PodCondition, crate = "watchkeeper_api")]
pub struct ConditionView {
    pub type_: IStr,
    pub status: IStr,
}
