//! Watches: changes as they happen.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, Object, Result, json};

use crate::api::Api;
use crate::body::Body;
use crate::decode::{Decode, Event, Head, event_of, head_of};
use crate::fail::Why;
use crate::frames::Lines;
use crate::list::Malformed;
use crate::request::Verb;

/// What a watch says.
#[derive(Debug)]
pub enum WatchEvent<K> {
    /// An object is there, or came into the selection.
    Added(K),
    /// An object changed.
    Modified(K),
    /// An object is gone, or left the selection: its last state, with the version of its going.
    Deleted(K),
    /// Nothing changed up to this version.
    Bookmark {
        /// The version.
        resource_version: String,
        /// The present state has been told; changes follow.
        initial_events_end: bool,
    },
    /// The server ends the watch, and why: most often 410, the version is forgotten.
    Error(Box<Status>),
    /// An object that could not be read, also one that is [gone](Malformed::gone). The watch goes on.
    Malformed(Malformed),
}

/// A watch under way. Dropping it ends the request.
#[derive(Debug)]
pub struct WatchStream<K> {
    api: Api<K>,
    decode: Decode<K>,
    body: Body,
    lines: Lines,
    /// `None`: further away than time counts.
    until: Option<Instant>,
    timeout: Duration,
    ended: bool,
}

impl<K: Object> WatchStream<K> {
    /// `timeout` from now on the watch is given up.
    pub(crate) fn new(api: Api<K>, body: Body, timeout: Duration) -> Self {
        let decode = api.decode();
        let until = Instant::now().checked_add(timeout);
        Self { api, decode, body, lines: Lines::default(), until, timeout, ended: false }
    }

    /// The next event; `None` when the server ended the watch, as it does after a while. Errors end it, too:
    /// a connection that broke, a line cut in the middle, what is no event, a server that neither speaks nor
    /// ends the watch in time.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Result<WatchEvent<K>>> {
        loop {
            if self.ended {
                return None;
            }
            if let Some(line) = self.lines.next() {
                let event = read_line(&self.api, &mut self.decode, line);
                self.ended = matches!(event, Err(_) | Ok(WatchEvent::Error(_)));
                return Some(event);
            }
            if let Err(error) = self.advance().await {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }

    async fn advance(&mut self) -> Result<()> {
        let (until, timeout) = (self.until, self.timeout);
        let part = async { self.body.data().await.map_err(Why::Broken) };
        let data = match until {
            Some(until) => timeout_at(until, part).await.unwrap_or(Err(Why::Deadline(timeout))),
            None => part.await,
        };
        let data = data.map_err(|why| self.fail(why))?;
        match data {
            Some(bytes) => {
                self.lines.push(&bytes).map_err(|what| self.fail(Why::Nonsense(what.to_owned())))
            }
            None if self.lines.is_cut() => {
                Err(self
                    .fail(Why::Nonsense("the watch ended in the middle of an event".to_owned())))
            }
            None => {
                self.ended = true;
                Ok(())
            }
        }
    }

    fn fail(&self, why: Why) -> Error {
        why.into_error(&self.api.subject(Verb::Watch, ""))
    }
}

fn read_line<K: Object>(
    api: &Api<K>,
    decode: &mut Decode<K>,
    line: &[u8],
) -> Result<WatchEvent<K>> {
    let subject = || api.subject(Verb::Watch, "");
    let Event { type_, object } =
        event_of(line).map_err(|error| Why::Unreadable(error).into_error(&subject()))?;
    let made: fn(K) -> WatchEvent<K> = match type_ {
        "ADDED" => WatchEvent::Added,
        "MODIFIED" => WatchEvent::Modified,
        "DELETED" => WatchEvent::Deleted,
        "BOOKMARK" => return bookmark(object).map_err(|e| e.into_error(&subject())),
        "ERROR" => return error(object).map_err(|e| e.into_error(&subject())),
        _ => {
            return Err(
                Why::Nonsense(format!("unknown event type {type_:?}")).into_error(&subject())
            );
        }
    };
    Ok(match decode.object(object) {
        Ok(object) => made(object),
        Err(error) => {
            let gone = type_ == "DELETED";
            WatchEvent::Malformed(Malformed { gone, ..Malformed::new(&subject(), object, error) })
        }
    })
}

fn bookmark<K>(object: &[u8]) -> Result<WatchEvent<K>, Why> {
    let Head { resource_version, initial_events_end, .. } =
        head_of(object).map_err(Why::Nonsense)?;
    Ok(WatchEvent::Bookmark { resource_version, initial_events_end })
}

fn error<K>(object: &[u8]) -> Result<WatchEvent<K>, Why> {
    let status = json::from_slice::<Status>(object).map_err(Why::Unreadable)?;
    Ok(WatchEvent::Error(Box::new(status)))
}
