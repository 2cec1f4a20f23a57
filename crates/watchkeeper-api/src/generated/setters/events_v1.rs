//! `events/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::{EventSource, ObjectReference};
use crate::events::v1::{Event, EventSeries};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, MicroTime, Time, setters};

setters! {
    Event {
        with_metadata metadata: ObjectMeta,
        with_event_time event_time: Option<MicroTime>,
        with_series series: Option<Box<EventSeries>>,
        with_reporting_controller reporting_controller: IStr,
        with_reporting_instance reporting_instance: IStr,
        with_action action: IStr,
        with_reason reason: IStr,
        with_regarding regarding: ObjectReference,
        with_related related: Option<Box<ObjectReference>>,
        with_note note: IStr,
        with_type type_: IStr,
        with_deprecated_source deprecated_source: EventSource,
        with_deprecated_first_timestamp deprecated_first_timestamp: Option<Time>,
        with_deprecated_last_timestamp deprecated_last_timestamp: Option<Time>,
        with_deprecated_count deprecated_count: i32,
    }
    EventSeries {
        with_count count: i32,
        with_last_observed_time last_observed_time: Option<MicroTime>,
    }
}
