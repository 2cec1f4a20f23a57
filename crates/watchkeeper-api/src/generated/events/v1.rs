//! `events/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{EventSource, ObjectReference};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, Time};

/// `io.k8s.api.events.v1.Event`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    pub metadata: ObjectMeta,
    pub event_time: Option<MicroTime>,
    pub series: Option<Box<EventSeries>>,
    pub reporting_controller: IStr,
    pub reporting_instance: IStr,
    pub action: IStr,
    pub reason: IStr,
    pub regarding: ObjectReference,
    pub related: Option<Box<ObjectReference>>,
    pub note: IStr,
    pub type_: IStr,
    pub deprecated_source: EventSource,
    pub deprecated_first_timestamp: Option<Time>,
    pub deprecated_last_timestamp: Option<Time>,
    pub deprecated_count: i32,
}

codec! { Event: "events.k8s.io/v1"
    2 "metadata" opt metadata
    3 "eventTime" opt event_time .required()
    4 "series" opt series
    5 "reportingController" opt reporting_controller
    6 "reportingInstance" opt reporting_instance
    7 "action" opt action
    8 "reason" opt reason
    9 "regarding" opt regarding .map_atomic()
    10 "related" opt related .map_atomic()
    11 "note" opt note
    12 "type" opt type_
    13 "deprecatedSource" opt deprecated_source
    14 "deprecatedFirstTimestamp" opt deprecated_first_timestamp
    15 "deprecatedLastTimestamp" opt deprecated_last_timestamp
    16 "deprecatedCount" opt deprecated_count
}

kind! { Event "events.k8s.io" "v1" "events" Namespaced }

/// `io.k8s.api.events.v1.EventSeries`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventSeries {
    pub count: i32,
    pub last_observed_time: Option<MicroTime>,
}

codec! { EventSeries
    0 "count" req count .required()
    1 "lastObservedTime" opt last_observed_time .required()
}
