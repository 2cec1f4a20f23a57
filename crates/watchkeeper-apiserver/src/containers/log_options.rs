//! `PodLogOptions`, as the query of a request has them (`ValidatePodLogOptions`).

use std::time::Duration;

use serde_json::Value;
use watchkeeper_api::Time;
use watchkeeper_schema::times::{Fraction, moment};

use crate::clock::Now;
use crate::error::{ApiError, Cause, Result};
use crate::request::query::Query;

/// What is wanted of a log, of whichever container.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LogOptions {
    pub(super) previous: bool,
    pub(super) follow: bool,
    pub(super) timestamps: bool,
    pub(super) since: Option<Now>,
    pub(super) tail: Option<u64>,
    pub(super) limit: Option<u64>,
}

impl LogOptions {
    /// The options of the pod's log.
    ///
    /// # Errors
    ///
    /// 400 for what cannot be read, 422 for what makes no sense.
    pub(super) fn read(query: &Query, pod: &str, now: Now) -> Result<Self> {
        let flag = |name: &str| query.flag(name).unwrap_or(false);
        let (tail, limit) = (query.number("tailLines")?, query.number("limitBytes")?);
        let (seconds, time) = (query.number("sinceSeconds")?, time(query)?);
        let mut causes = Vec::new();
        let mut least = |name: &str, number: Option<i64>, least: i64, why: &str| {
            if let Some(number) = number.filter(|number| *number < least) {
                causes.push(Cause::invalid(name, &Value::from(number), why));
            }
        };
        least("tailLines", tail, 0, "must be greater than or equal to 0");
        least("limitBytes", limit, 1, "must be greater than 0");
        if time.is_none() {
            least("sinceSeconds", seconds, 1, "must be greater than 0");
        } else if seconds.is_some() {
            let why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
            causes.push(Cause::forbidden("", why));
        }
        if !causes.is_empty() {
            return Err(ApiError::invalid("", "PodLogOptions", pod, causes));
        }
        let count = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let ago = |seconds| Now(now.0.saturating_sub(Duration::from_secs(seconds)));
        Ok(Self {
            previous: flag("previous"),
            follow: flag("follow"),
            timestamps: flag("timestamps"),
            since: time.or_else(|| count(seconds).map(ago)),
            tail: count(tail),
            limit: count(limit),
        })
    }
}

fn time(query: &Query) -> Result<Option<Now>> {
    let text = query.text("sinceTime");
    if text.is_empty() {
        return Ok(None);
    }
    moment(text, Fraction::Optional).map_err(ApiError::bad_request)?;
    // What Go reads and this does not is not known.
    let time = text.parse::<Time>().map_err(|error| {
        ApiError::bad_request(format!("sinceTime {}: {error}", crate::error::quoted(text)))
    })?;
    Ok(Some(Now(Duration::from_secs(u64::try_from(time.unix()).unwrap_or_default()))))
}
