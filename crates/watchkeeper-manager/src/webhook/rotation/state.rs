//! What a rotation does next. It knows neither clock nor server.
//!
//! An authority is replaced long before it ends, and at first only trusted beside the one before: until its
//! certificate has got around, servers go on with what the old one vouched for. So at no moment does an API server
//! meet a certificate that it has no reason to trust yet.

use std::time::Duration;

use watchkeeper_api::Time;

use super::super::authority::Validity;

#[cfg(test)]
mod tests;

const DAY: Duration = Duration::from_hours(24);
/// How long a new authority is only trusted: meanwhile its certificate gets into the configurations, and from there
/// to every API server.
const SETTLES: Duration = Duration::from_hours(1);
/// Certificates are good from a little before they were made, as clocks differ.
const SKEW: Duration = Duration::from_mins(5);

/// How long certificates are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lives {
    /// That of the server; it is renewed when a third is left.
    pub(super) serving: Duration,
    /// That of the authority; it is replaced when twice the life of a server's certificate is left, so that none
    /// outlives the one who vouches for it.
    pub(super) authority: Duration,
}

impl Default for Lives {
    /// Ninety days, as is the habit elsewhere, and five years.
    fn default() -> Self {
        Self { serving: 90 * DAY, authority: 5 * 365 * DAY }
    }
}

/// What is kept of earlier turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// The newest authority.
    pub(super) authority: Validity,
    pub(super) serving: Option<Serving>,
}

/// The certificate of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Serving {
    pub(super) validity: Validity,
    pub(super) names: Vec<String>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Make an authority, and trust it beside those before.
    Authority(Validity),
    /// Let the newest authority vouch for a new key of the server.
    Serving(Validity),
    /// Nothing before that moment.
    Rest(Time),
}

/// What is to be done now, for a server of these names.
pub(super) fn next(now: Time, lives: Lives, names: &[String], kept: Option<&Kept>) -> Step {
    let since = |life| Validity { from: before(now, SKEW), until: after(now, life) };
    let Some(Kept { authority, serving }) = kept else {
        return Step::Authority(since(lives.authority));
    };
    let replaced = before(authority.until, 2 * lives.serving);
    if now >= replaced {
        return Step::Authority(since(lives.authority));
    }
    let Some(serving) = serving.as_ref().filter(|serving| serving.names == names) else {
        return Step::Serving(since(lives.serving));
    };
    let renewed = before(serving.validity.until, lives.serving / 3);
    let settled = after(authority.from, SKEW + SETTLES);
    // One that is about to end cannot wait: better one that some may not trust yet than one that nobody does.
    let latest = before(serving.validity.until, SKEW);
    let due = renewed.max(settled).min(latest.max(renewed));
    if now >= due { Step::Serving(since(lives.serving)) } else { Step::Rest(due.min(replaced)) }
}

pub(super) fn after(time: Time, by: Duration) -> Time {
    Time::from_unix(time.unix().saturating_add(seconds(by)))
}

fn before(time: Time, by: Duration) -> Time {
    Time::from_unix(time.unix().saturating_sub(seconds(by)))
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}
