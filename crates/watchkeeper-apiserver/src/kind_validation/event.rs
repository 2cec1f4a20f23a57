//! Events of both versions (`pkg/apis/core/validation/events.go`). Upstream has them inside with the names of the older
//! one, and tells of those.

use watchkeeper_schema::FieldError;

use super::names::NameForm;
use super::{Check, Place, metadata, names};

/// How long what an event tells may be.
const MOST_LETTERS: usize = 128;
const MOST_LETTERS_OF_NOTE: usize = 1024;

/// What all events keep, and what those of the newer version keep besides.
pub(super) fn event(check: &mut Check<'_>, group: &str) {
    legacy(check, group);
    if group.is_empty() {
        return;
    }
    if check.old.is_none() {
        metadata::of_new(check, NameForm::Subdomain);
        series(check);
        new_event(check);
    } else {
        metadata::update_again(check);
        if !is_same(check, "series") {
            series(check);
        }
        event_stays(check);
    }
}

/// An event lives beside what it is about. One with a time of its own says who reports what was done.
fn legacy(check: &mut Check<'_>, group: &str) {
    let own = check.at("metadata.namespace");
    let of = if group.is_empty() { "involvedObject.namespace" } else { "regarding.namespace" };
    let about = check.at(of).text();
    let is_new = !check.at("eventTime").is_empty();
    let fits = match (about, is_new) {
        ("", false) => matches!(own.text(), "" | "default"),
        ("", true) => matches!(own.text(), "default" | "kube-system"),
        (namespace, false) => own.text() == namespace,
        (_, true) => true,
    };
    if !fits {
        let detail = "does not match event.namespace";
        check.push(FieldError::invalid("involvedObject.namespace", about, detail));
    }
    if is_new {
        reported(check, group);
    }
}

/// Who saw what, and what was done.
fn reported(check: &mut Check<'_>, group: &str) {
    let name = if group.is_empty() { "reportingComponent" } else { "reportingController" };
    let controller = check.at(name);
    if controller.is_empty() {
        check.push(FieldError::required(name, ""));
    }
    check.all(&controller, controller.text(), names::qualified(controller.text()));
    for name in ["reportingInstance", "action", "reason"] {
        let place = check.at(name);
        if place.is_empty() {
            check.push(FieldError::required(&*place.path, ""));
        }
        not_longer(check, &place, MOST_LETTERS);
    }
    let note = check.at(if group.is_empty() { "message" } else { "note" });
    not_longer(check, &Place { path: "message".to_owned(), ..note }, MOST_LETTERS_OF_NOTE);
}

fn not_longer(check: &mut Check<'_>, place: &Place<'_>, most: usize) {
    if place.text().len() > most {
        let detail = format!("can have at most {most} characters");
        check.push(FieldError::invalid(&*place.path, "", detail));
    }
}

/// An event that is seen again and again was seen twice at least.
fn series(check: &mut Check<'_>) {
    let series = check.at("series");
    if series.is_missing() {
        return;
    }
    if series.member("count").number().unwrap_or_default() < 2 {
        check.push(FieldError::invalid("series.count", "", "should be at least 2"));
    }
    if series.member("lastObservedTime").is_empty() {
        check.push(FieldError::required("series.lastObservedTime", ""));
    }
}

/// Nothing of the older version is told anew.
fn new_event(check: &mut Check<'_>) {
    if check.at("eventTime").is_empty() {
        check.push(FieldError::required("eventTime", ""));
    }
    let of = check.at("type").text();
    if !["Normal", "Warning"].contains(&of) {
        check.push(FieldError::invalid("type", "", format!("has invalid value: {of}")));
    }
    let count = check.at("deprecatedCount").number().unwrap_or_default();
    let source = check.at("deprecatedSource");
    let has_source = ["component", "host"].iter().any(|name| !source.member(name).is_empty());
    for (is_set, told) in [
        (!check.at("deprecatedFirstTimestamp").is_empty(), "firstTimestamp"),
        (!check.at("deprecatedLastTimestamp").is_empty(), "lastTimestamp"),
        (count != 0, "count"),
        (has_source, "source"),
    ] {
        if is_set {
            check.push(FieldError::invalid(told, "", "needs to be unset"));
        }
    }
}

fn is_same(check: &Check<'_>, name: &str) -> bool {
    check.before().is_none_or(|before| before.at(name).value == check.at(name).value)
}

fn event_stays(check: &mut Check<'_>) {
    const REFERENCE: &str = "io.k8s.api.core.v1.ObjectReference";
    struct_stays(check, "regarding", "involvedObject", REFERENCE);
    text_stays(check, "reason", "reason");
    text_stays(check, "note", "message");
    struct_stays(check, "deprecatedSource", "source", "io.k8s.api.core.v1.EventSource");
    check.stays("deprecatedFirstTimestamp", "firstTimestamp");
    check.stays("deprecatedLastTimestamp", "lastTimestamp");
    if !is_same(check, "deprecatedCount") {
        let now = check.at("deprecatedCount").number().unwrap_or_default();
        check.push(FieldError::invalid("count", now, "field is immutable"));
    }
    text_stays(check, "reason", "reason");
    text_stays(check, "type", "type");
    check.immutable("eventTime");
    text_stays(check, "action", "action");
    match check.at("related").is_missing() {
        true => check.immutable("related"),
        false => struct_stays(check, "related", "related", REFERENCE),
    }
    text_stays(check, "reportingController", "reportingController");
    text_stays(check, "reportingInstance", "reportingInstance");
}

fn text_stays(check: &mut Check<'_>, name: &str, told: &str) {
    let now = check.at(name).text();
    if check.before().is_some_and(|before| before.at(name).text() != now) {
        check.push(FieldError::invalid(told, now, "field is immutable"));
    }
}

fn struct_stays(check: &mut Check<'_>, name: &str, told: &str, model: &str) {
    if !is_same(check, name) {
        check.push(super::changed(told, model, check.at(name).value));
    }
}
