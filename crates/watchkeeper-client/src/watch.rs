//! Watches: changes as they happen.

use std::time::Duration;

use bytes::Bytes;
use http::Response;
use tokio::time::{Instant, timeout_at};
use watchkeeper_api::json::{self, ReadError};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::pb::{self, WatchFrames};
use watchkeeper_api::{Error, Object, Result};

use crate::api::Api;
use crate::body::Body;
use crate::codec::{is_message, is_protobuf};
use crate::decode::{Decode, Event, event_of};
use crate::fail::Why;
use crate::frames::Lines;
use crate::head::{Head, head_of};
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
///
/// ```
/// # use watchkeeper_api::{Object, Result, core::v1::Pod};
/// # use watchkeeper_client::{Client, WatchEvent, WatchOptions};
/// # async fn f(client: Client, since: &str) -> Result<()> {
/// let pods = client.api::<Pod>().namespace("shop");
/// let mut events = pods.watch(&WatchOptions::since(since)).await?;
/// while let Some(event) = events.next().await {
///     match event? {
///         WatchEvent::Added(pod) | WatchEvent::Modified(pod) => println!("{}", pod.status.phase),
///         WatchEvent::Deleted(pod) => println!("{} is gone", pod.name()),
///         _ => {} // a bookmark, the server's last word, an object that cannot be read
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WatchStream<K> {
    api: Api<K>,
    decode: Decode<K>,
    body: Body,
    frames: Frames,
    /// `None`: further away than time counts.
    until: Option<Instant>,
    timeout: Duration,
    /// How many bytes have come.
    received: usize,
    /// The bytes of the object told last.
    object_len: usize,
    ended: bool,
}

impl<K: Object> WatchStream<K> {
    /// `timeout` from now on the watch is given up.
    pub(crate) fn new(api: Api<K>, answer: Response<Body>, timeout: Duration) -> Self {
        let frames = if is_message(answer.headers()) {
            Frames::Messages(WatchFrames::default())
        } else {
            Frames::Lines(Lines::default())
        };
        let (decode, body) = (api.decode(), answer.into_body());
        let until = Instant::now().checked_add(timeout);
        let (received, object_len, ended) = (0, 0, false);
        Self { api, decode, body, frames, until, timeout, received, object_len, ended }
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
            if let Some((len, event)) = self.frames.next(&self.api, &mut self.decode) {
                self.object_len = len;
                self.ended = matches!(event, Err(_) | Ok(WatchEvent::Error(_)));
                return Some(event);
            }
            if let Err(error) = self.advance().await {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }

    /// How many bytes of the stream were the object of the event told last, as the server sent it.
    #[must_use]
    pub const fn object_len(&self) -> usize {
        self.object_len
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
                self.received += bytes.len();
                let pushed = self.frames.push(bytes);
                pushed.map_err(|error| self.fail(Why::Unreadable(error)))
            }
            None if self.frames.is_cut() => {
                let what = "the watch ended in the middle of an event";
                Err(self.fail(Why::Unreadable(ReadError::new(what, self.received))))
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

/// What cuts a watch into its events.
#[derive(Debug)]
enum Frames {
    Lines(Lines),
    Messages(WatchFrames),
}

impl Frames {
    fn push(&mut self, bytes: Bytes) -> Result<(), ReadError> {
        match self {
            Self::Lines(lines) => lines.push(bytes),
            Self::Messages(frames) => frames.push(&bytes),
        }
    }

    fn is_cut(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.is_cut(),
            Self::Messages(frames) => frames.is_cut(),
        }
    }

    fn next<K: Object>(
        &mut self,
        api: &Api<K>,
        decode: &mut Decode<K>,
    ) -> Option<(usize, Result<WatchEvent<K>>)> {
        let event = match self {
            Self::Lines(lines) => event_of(lines.next()?),
            Self::Messages(frames) => match frames.frame() {
                Ok(frame) => pb::Event::open(frame?)
                    .map(|event| Event { type_: event.type_, object: event.object.bytes() }),
                Err(error) => Err(error),
            },
        };
        let len = event.as_ref().map_or(0, |event| event.object.len());
        Some((len, read_event(api, decode, event)))
    }
}

fn read_event<K: Object>(
    api: &Api<K>,
    decode: &mut Decode<K>,
    event: Result<Event<'_>, ReadError>,
) -> Result<WatchEvent<K>> {
    let subject = || api.subject(Verb::Watch, "");
    let Event { type_, object } =
        event.map_err(|error| Why::Unreadable(error).into_error(&subject()))?;
    let made: fn(K) -> WatchEvent<K> = match type_ {
        "ADDED" => WatchEvent::Added,
        "MODIFIED" => WatchEvent::Modified,
        "DELETED" => WatchEvent::Deleted,
        "BOOKMARK" => return bookmark(object).map_err(|e| e.into_error(&subject())),
        "ERROR" => return error(object).map_err(|e| e.into_error(&subject())),
        _ => {
            let unknown = ReadError::new(format!("unknown event type {type_:?}"), 0);
            return Err(Why::Unreadable(unknown.in_member("type")).into_error(&subject()));
        }
    };
    Ok(match decode.body(object) {
        Ok(object) => made(object),
        Err(error) => {
            let gone = type_ == "DELETED";
            WatchEvent::Malformed(Malformed { gone, ..Malformed::new(&subject(), object, error) })
        }
    })
}

fn bookmark<K>(object: &[u8]) -> Result<WatchEvent<K>, Why> {
    let Head { resource_version, initial_events_end, .. } =
        head_of(object).map_err(|error| Why::Unreadable(error.in_member("object")))?;
    Ok(WatchEvent::Bookmark { resource_version, initial_events_end })
}

fn error<K>(object: &[u8]) -> Result<WatchEvent<K>, Why> {
    let status = if is_protobuf(object) { pb::from_body(object) } else { json::from_slice(object) };
    let status: Status = status.map_err(Why::Unreadable)?;
    Ok(WatchEvent::Error(Box::new(status)))
}
