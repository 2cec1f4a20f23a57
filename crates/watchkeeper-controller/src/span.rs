//! The span around each reconcile.

use std::time::Duration;

use tracing::Span;
use tracing::field::Empty;

use crate::failure::Failure;
use crate::handle::Shared;
use crate::id::ReconcileId;
use crate::request::Request;

/// The span of one reconcile, to be told what became of it.
pub(crate) fn of_reconcile(shared: &Shared, request: &Request, id: ReconcileId) -> Span {
    let cluster = Some(&*shared.cluster).filter(|cluster| !cluster.is_empty());
    let namespace = Some(request.namespace()).filter(|namespace| !namespace.is_empty());
    tracing::info_span!(
        "reconcile",
        controller = shared.name,
        kind = &*shared.kind.kind,
        k8s.cluster.name = cluster,
        k8s.namespace.name = namespace,
        name = request.name(),
        %id,
        outcome = Empty,
        requeue_after = Empty,
        error.type = Empty,
        otel.name = format_args!("reconcile {}", shared.name),
        otel.status_code = Empty,
    )
}

/// A reconcile that went well, and after how long it asked to be called again.
pub(crate) fn succeeded(span: &Span, again: Option<Duration>) {
    let outcome = if again.is_some() { "requeue_after" } else { "success" };
    span.record("outcome", outcome);
    requeued(span, again);
}

/// A reconcile that failed, and when it is tried again if that is known. What is part of normal work is no
/// error to those who count errors.
pub(crate) fn failed(span: &Span, failure: &Failure, again: Option<Duration>) {
    let (type_, normal) = if failure.is_conflict() {
        ("conflict", true)
    } else if failure.is_behind() {
        ("behind", true)
    } else if failure.is_terminal() {
        ("terminal", false)
    } else {
        ("failure", false)
    };
    span.record("outcome", "error");
    span.record("error.type", type_);
    if !normal {
        span.record("otel.status_code", "ERROR");
    }
    requeued(span, again);
}

/// A reconcile that was ended in the middle, as its object is another process's now.
pub(crate) fn given_up(span: &Span) {
    span.record("outcome", "given_up");
}

/// In seconds, as durations are in OpenTelemetry.
fn requeued(span: &Span, again: Option<Duration>) {
    if let Some(again) = again {
        span.record("requeue_after", again.as_secs_f64());
    }
}
