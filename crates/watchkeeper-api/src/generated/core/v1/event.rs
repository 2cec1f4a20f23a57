//! `core/v1`: `Event` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ObjectReference;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, Time};

/// `io.k8s.api.core.v1.Event`.
#[derive(Clone, Default, PartialEq)]
pub struct Event {
    pub metadata: ObjectMeta,
    pub involved_object: ObjectReference,
    pub reason: IStr,
    pub message: IStr,
    pub source: EventSource,
    pub first_timestamp: Option<Time>,
    pub last_timestamp: Option<Time>,
    pub count: i32,
    pub type_: IStr,
    pub event_time: Option<MicroTime>,
    pub series: Option<Box<EventSeries>>,
    pub action: IStr,
    pub related: Option<Box<ObjectReference>>,
    pub reporting_component: IStr,
    pub reporting_instance: IStr,
}

codec! { Event: "v1"
    2 "metadata" [1] opt metadata .required()
    3 "involvedObject" [2] opt involved_object .required() .map_atomic()
    4 "reason" [3] opt reason
    5 "message" [4] opt message
    6 "source" [5] opt source
    7 "firstTimestamp" [6; time] opt first_timestamp
    8 "lastTimestamp" [7; time] opt last_timestamp
    9 "count" [8] opt count
    10 "type" [9] opt type_
    11 "eventTime" [10; time] opt event_time
    12 "series" [11] opt series
    13 "action" [12] opt action
    14 "related" [13] opt related .map_atomic()
    15 "reportingComponent" [14] req reporting_component
    16 "reportingInstance" [15] req reporting_instance
    => [15 reporting_instance] [14 reporting_component] [13 related] [12 action] [11 series]
       [10 event_time; time] [9 type_] [8 count] [7 last_timestamp; time] [6 first_timestamp; time]
       [5 source] [4 message] [3 reason] [2 involved_object] [1 metadata]
}

kind! { Event "" "v1" "events" Namespaced }

/// `io.k8s.api.core.v1.EventSeries`.
#[derive(Clone, Default, PartialEq)]
pub struct EventSeries {
    pub count: i32,
    pub last_observed_time: Option<MicroTime>,
}

codec! { EventSeries
    0 "count" [1] opt count
    1 "lastObservedTime" [2; time] opt last_observed_time
    => [2 last_observed_time; time] [1 count]
}

/// `io.k8s.api.core.v1.EventSource`.
#[derive(Clone, Default, PartialEq)]
pub struct EventSource {
    pub component: IStr,
    pub host: IStr,
}

codec! { EventSource
    0 "component" [1] opt component
    1 "host" [2] opt host
    => [2 host] [1 component]
}
