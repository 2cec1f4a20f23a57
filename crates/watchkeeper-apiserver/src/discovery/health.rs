//! `/healthz`, `/livez`, `/readyz`: a server that can answer is well.

use bytes::Bytes;
use http::Response;

use crate::error::{ApiError, Result};
use crate::reply;
use crate::request::query::Query;

const CHECKS: [&str; 3] = ["ping", "log", "etcd"];

/// Answers a check, all of them or a single one.
///
/// # Errors
///
/// 404 for a check that there is not.
pub(super) fn answer(check: &str, one: &str, query: &Query) -> Result<Response<Bytes>> {
    if !one.is_empty() {
        return if CHECKS.contains(&one) {
            Ok(reply::text(200, "ok"))
        } else {
            Err(ApiError::no_path())
        };
    }
    if query.get("verbose").is_none() {
        return Ok(reply::text(200, "ok"));
    }
    let lines: String = CHECKS.iter().map(|name| format!("[+]{name} ok\n")).collect();
    Ok(reply::text(200, format!("{lines}{check} check passed\n")))
}
