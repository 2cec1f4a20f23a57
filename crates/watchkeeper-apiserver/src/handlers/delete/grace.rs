//! The time that pods have to end.

use std::time::Duration;

use serde_json::Value;

use super::{Plan, bump, end_now};
use crate::clock::Now;
use crate::meta;
use crate::registry::strategy;
use crate::turn::Turn;

const END: &str = "deletionTimestamp";
const SECONDS: &str = "deletionGracePeriodSeconds";

/// V6.4: a pod gets time to end; the time may be shortened, never extended.
pub(super) fn plan_pod(turn: &Turn<'_>, value: &mut Value, asked: Option<i64>, held: bool) -> Plan {
    if meta::is_deleting(value) {
        return plan_ending(turn, value, asked, held);
    }
    let grace = strategy::pod_grace(value, asked);
    bump(value);
    set(value, turn.now.plus(seconds(grace)), grace);
    after_grace(grace, held)
}

/// What becomes of a pod that is to end already. One that has no time left is deleted like any other object.
fn plan_ending(turn: &Turn<'_>, value: &mut Value, asked: Option<i64>, held: bool) -> Plan {
    let given = value["metadata"][SECONDS].as_i64().unwrap_or_default();
    if given == 0 {
        if !held {
            return Plan::Remove;
        }
        end_now(turn, value);
        return Plan::Mark;
    }
    let Some(asked) = asked.filter(|asked| *asked < given) else { return Plan::Nothing };
    shorten(turn, value, given, asked);
    after_grace(asked, held)
}

/// The time is counted from when the pod began to end. Where it would be over, who asks for any has the least that there
/// is, so that somebody still ends the pod.
fn shorten(turn: &Turn<'_>, value: &mut Value, given: i64, asked: i64) {
    let end = Now::parse(meta::text(value, END)).unwrap_or(turn.now);
    let end = Now(end.0.saturating_sub(seconds(given))).plus(seconds(asked));
    if end < turn.now {
        set(value, turn.now, asked.min(1));
    } else {
        set(value, end, asked);
    }
}

fn after_grace(grace: i64, held: bool) -> Plan {
    if grace > 0 || held { Plan::Mark } else { Plan::MarkAndRemove }
}

fn set(value: &mut Value, end: Now, seconds: i64) {
    meta::set(value, END, end.rfc3339());
    meta::set(value, SECONDS, seconds);
}

fn seconds(count: i64) -> Duration {
    Duration::from_secs(u64::try_from(count).unwrap_or(0))
}
