//! Frames of a watch, in either codec.

use bytes::Bytes;
use http::{HeaderMap, header};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::{Status, StatusDetails};
use watchkeeper_api::pb::{self, WatchFrames};
use watchkeeper_api::{Object as _, json};

use crate::told::is_unreadable;

/// What a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speech {
    Json,
    Protobuf,
}

impl Speech {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.contains("protobuf")) { Self::Protobuf } else { Self::Json }
    }

    /// An error as an event.
    pub(crate) fn error(self, code: i32, reason: &str) -> Bytes {
        let details = StatusDetails { retry_after_seconds: 1, ..StatusDetails::default() };
        self.event(
            "ERROR",
            &Status {
                status: "Failure".into(),
                reason: reason.into(),
                code,
                details: Some(details.into()),
                ..Status::default()
            },
        )
    }

    /// The version, and nothing else.
    pub(crate) fn bookmark(self, version: u64) -> Bytes {
        let mut map = ConfigMap::default();
        map.metadata.resource_version = version.to_string().into();
        self.event("BOOKMARK", &map)
    }

    fn event<T: pb::Message + json::Write>(self, verb: &str, object: &T) -> Bytes {
        match self {
            Self::Json => {
                let object = json::to_string(object);
                format!("{{\"type\":\"{verb}\",\"object\":{object}}}\n").into()
            }
            Self::Protobuf => pb::event_to_frame(verb, object).into(),
        }
    }

    /// Whether the server ends the watch with an error.
    pub(crate) fn is_error(self, frame: &Bytes) -> bool {
        match self {
            Self::Json => frame.starts_with(br#"{"type":"ERROR""#),
            Self::Protobuf => open(frame, |verb, _| verb == "ERROR").unwrap_or(false),
        }
    }

    /// The same frame, or list, in which no client can read the objects whose mark says so: as JSON the mark
    /// is no text, as protobuf the text is none.
    pub(crate) fn spoiled(self, frame: Bytes) -> Bytes {
        let before: &[u8] = match self {
            Self::Json => b"\"mark\":\"",
            Self::Protobuf => b"\x0a\x04mark\x12",
        };
        let mut spoiled = frame.to_vec();
        let mut from = 0;
        while let Some(found) = spoiled[from..].windows(before.len()).position(|at| at == before) {
            from += found + before.len();
            // Before the digits of a message is how many there are.
            let first = if self == Self::Json { from } else { from + 1 };
            let digits = spoiled[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let mark = std::str::from_utf8(&spoiled[first..first + digits]).ok();
            if !mark.and_then(|mark| mark.parse().ok()).is_some_and(is_unreadable) {
                continue;
            }
            match self {
                Self::Json => {
                    spoiled.remove(first + digits);
                    spoiled.remove(first - 1);
                }
                Self::Protobuf => spoiled[first] = 0xff,
            }
        }
        spoiled.into()
    }

    /// The version of the object in the frame, if there is one.
    pub(crate) fn version_of(self, frame: &Bytes) -> Option<u64> {
        let map: ConfigMap = match self {
            Self::Json => {
                let at = frame.windows(9).position(|window| window == br#""object":"#)? + 9;
                let verb = frame.get(9..14)?;
                let object = frame.get(at..frame.len().checked_sub(2)?)?;
                (verb != b"BOOKM").then(|| json::from_slice(object).ok())??
            }
            Self::Protobuf => open(frame, |verb, object| {
                (verb != "BOOKMARK").then(|| pb::from_body(object).ok())?
            })??,
        };
        map.resource_version().parse().ok()
    }
}

/// The parts of a message.
fn open<T>(frame: &Bytes, look: impl FnOnce(&str, &[u8]) -> T) -> Option<T> {
    let mut frames = WatchFrames::default();
    frames.push(frame).ok()?;
    let event = pb::Event::open(frames.frame().ok()??).ok()?;
    Some(look(event.type_, event.object.bytes()))
}

#[cfg(test)]
mod tests {
    use watchkeeper_api::core::v1::ConfigMap;
    use watchkeeper_api::{Map, json, pb};

    use super::{Speech, open};

    #[test]
    fn what_is_said_is_understood() {
        for speech in [Speech::Json, Speech::Protobuf] {
            assert!(speech.is_error(&speech.error(410, "Expired")));
            assert!(!speech.is_error(&speech.bookmark(7)));
            assert_eq!(speech.version_of(&speech.bookmark(7)), None, "of no object");
            let mut map = ConfigMap::default();
            map.metadata.resource_version = "9".into();
            assert_eq!(speech.version_of(&speech.event("ADDED", &map)), Some(9));
        }
    }

    #[test]
    fn every_eighth_mark_cannot_be_read() {
        let read = |speech: Speech, mark: u64| {
            let data = Map::from([("mark", mark.to_string())]);
            let map = ConfigMap { data, ..ConfigMap::default() };
            let frame = speech.spoiled(speech.event("ADDED", &map));
            match speech {
                Speech::Json => {
                    let text = std::str::from_utf8(&frame).expect("a text");
                    let object = text.split_once("\"object\":").expect("an object").1.trim_end();
                    json::from_str::<ConfigMap>(&object[..object.len() - 1]).is_ok()
                }
                Speech::Protobuf => {
                    open(&frame, |_, object| pb::from_body::<ConfigMap>(object).is_ok())
                        .expect("a frame")
                }
            }
        };
        for speech in [Speech::Json, Speech::Protobuf] {
            assert!(read(speech, 7) && read(speech, 81) && read(speech, 12_345));
            assert!(!read(speech, 8) && !read(speech, 80) && !read(speech, 12_344));
        }
    }
}
