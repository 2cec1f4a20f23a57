//! How objects travel: protobuf where both sides have it, else JSON.
//!
//! Built-in kinds and metadata of any kind are asked for, and sent, as protobuf: fewer bytes, and quicker
//! to read. Custom resources have JSON alone. A server that refuses protobuf (406 to what was asked for, 415
//! to what was sent) is asked once more in JSON, and from then on in JSON only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, header};
use watchkeeper_api::{Error, Object, pb};

use crate::client::Client;

/// How objects of kinds that have protobuf travel. Whatever is chosen, answers are read as they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// As JSON.
    Json,
    /// As protobuf, unless the server refuses that.
    #[default]
    Protobuf,
}

/// What was chosen, and what the server turned out to have; clones of a client share that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codecs {
    chosen: Codec,
    refused: Arc<AtomicBool>,
}

impl Client {
    /// How objects of built-in kinds travel: as protobuf, unless said otherwise.
    ///
    /// ```
    /// # use watchkeeper_client::{Client, Codec};
    /// # fn f(client: Client) {
    /// // What travels can be read by people.
    /// let client = client.codec(Codec::Json);
    /// # }
    /// ```
    #[must_use]
    pub fn codec(self, codec: Codec) -> Self {
        self.set(|settings| {
            settings.codecs = Codecs { chosen: codec, refused: Arc::default() };
        })
    }

    /// Whether objects of this type travel as protobuf.
    pub(crate) fn speaks_protobuf<K: Object>(&self) -> bool {
        let Codecs { chosen, refused } = &self.settings.codecs;
        K::PROTOBUF && *chosen == Codec::Protobuf && !refused.load(Ordering::Relaxed)
    }

    /// Whether the error says that the server does not have protobuf, which was asked for and, if `sent`, was
    /// the body, too: of a body in another form, 415 says something else. If so it is asked for no more.
    pub(crate) fn learns_from(&self, error: &Error, sent: bool) -> bool {
        let refused = error.status().is_some_and(|status| match status.code {
            406 => true,
            415 => sent,
            _ => false,
        });
        if refused {
            self.settings.codecs.refused.store(true, Ordering::Relaxed);
        }
        refused
    }
}

/// Whether an answer is protobuf, by its head.
pub(crate) fn is_message(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media_type.is_some_and(|media_type| media_type.starts_with(pb::CONTENT_TYPE))
}

/// Whether a body is protobuf, whatever was asked for.
pub(crate) fn is_protobuf(body: &[u8]) -> bool {
    body.starts_with(&pb::MAGIC)
}
