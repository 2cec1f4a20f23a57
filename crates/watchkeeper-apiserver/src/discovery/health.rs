//! `/healthz`, `/livez`, `/readyz`: a server that can answer is well.

use bytes::Bytes;
use http::Response;

use crate::reply;
use crate::request::query::Query;

const CHECKS: [&str; 3] = ["ping", "log", "etcd"];

/// Answers a check, all of them or a single one.
pub(super) fn answer(check: &str, one: &str, query: &Query) -> Response<Bytes> {
    if !one.is_empty() {
        return if CHECKS.contains(&one) { reply::text(200, "ok") } else { super::unknown_path() };
    }
    if query.get("verbose").is_none() {
        return reply::text(200, "ok");
    }
    let lines: String = CHECKS.iter().map(|name| format!("[+]{name} ok\n")).collect();
    reply::text(200, format!("{lines}{check} check passed\n"))
}
