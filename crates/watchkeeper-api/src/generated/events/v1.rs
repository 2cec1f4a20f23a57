//! `events/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{EventSource, ObjectReference};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, Time};

/// `io.k8s.api.events.v1.Event`.
#[derive(Clone, Default, PartialEq)]
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
    2 "metadata" [1] opt metadata
    3 "eventTime" [2; time] opt event_time .required()
    4 "series" [3] opt series
    5 "reportingController" [4] opt reporting_controller
    6 "reportingInstance" [5] opt reporting_instance
    7 "action" [6] opt action
    8 "reason" [7] opt reason
    9 "regarding" [8] opt regarding .map_atomic()
    10 "related" [9] opt related .map_atomic()
    11 "note" [10] opt note
    12 "type" [11] opt type_
    13 "deprecatedSource" [12] opt deprecated_source
    14 "deprecatedFirstTimestamp" [13; time] opt deprecated_first_timestamp
    15 "deprecatedLastTimestamp" [14; time] opt deprecated_last_timestamp
    16 "deprecatedCount" [15] opt deprecated_count
    => [15 deprecated_count] [14 deprecated_last_timestamp; time]
       [13 deprecated_first_timestamp; time] [12 deprecated_source] [11 type_] [10 note] [9 related]
       [8 regarding] [7 reason] [6 action] [5 reporting_instance] [4 reporting_controller]
       [3 series] [2 event_time; time] [1 metadata]
}

kind! { Event "events.k8s.io" "v1" "events" Namespaced }

/// `io.k8s.api.events.v1.EventSeries`.
#[derive(Clone, Default, PartialEq)]
pub struct EventSeries {
    pub count: i32,
    pub last_observed_time: Option<MicroTime>,
}

codec! { EventSeries
    0 "count" [1] req count .required()
    1 "lastObservedTime" [2; time] opt last_observed_time .required()
    => [2 last_observed_time; time] [1 count]
}
