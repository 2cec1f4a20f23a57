//! What people read of an event that happened again and again.

use std::time::{Duration, SystemTime};

use serde_json::json;
use watchkeeper_api::Time;

use super::{Kubectl, checks};
use crate::{Outcome, process};

/// How long ago it happened first: half a minute more than is told, so that the checks may take their time.
const FIRST: Duration = Duration::from_secs(16 * 60 + 30);
/// … and at last.
const LAST: Duration = Duration::from_secs(20);

/// An event of seven in sixteen minutes is told as that: "x7 over 16m". It is made here as our recorder leaves it,
/// which `seven_of_one_event_over_sixteen_minutes_are_one_that_is_counted` of watchkeeper-controller holds, so that
/// nobody has to wait.
///
/// # Errors
/// When it is told otherwise.
pub(super) fn counted(kubectl: &Kubectl) -> Outcome<usize> {
    let mut uid = kubectl.command();
    uid.args(["get", "foo", "example-foo", "-o", "jsonpath={.metadata.uid}"]);
    let uid = String::from_utf8_lossy(&process::output(&mut uid)?).into_owned();
    let (made, answer) = kubectl.answer("create -f -", &event(&uid, now()))?;
    if !made {
        return Err(format!("kubectl create -f -: {answer}"));
    }
    let told = [
        checks::check("describe foo example-foo", &["Warning Seen", "(x7 over 16m) teller"]),
        checks::check("events --for foo/example-foo", &["(x7 over 16m) Warning Seen"]),
    ];
    told.iter().try_for_each(|check| kubectl.check(check))?;
    Ok(told.len())
}

/// What is stored of the seventh.
fn event(uid: &str, now: SystemTime) -> String {
    let [first, last] = [FIRST, LAST].map(|ago| Time::from(now - ago).to_string());
    json!({
        "apiVersion": "v1", "kind": "Event",
        "metadata": { "name": "example-foo.seven", "namespace": "default" },
        "involvedObject": {
            "apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
            "namespace": "default", "name": "example-foo", "uid": uid,
        },
        "type": "Warning", "reason": "Seen", "message": "it is there",
        "source": { "component": "teller" }, "reportingComponent": "teller",
        "count": 7, "firstTimestamp": first, "lastTimestamp": last,
    })
    .to_string()
}

#[expect(clippy::disallowed_methods, reason = "kubectl tells how long ago it was by this clock")]
fn now() -> SystemTime {
    SystemTime::now()
}
