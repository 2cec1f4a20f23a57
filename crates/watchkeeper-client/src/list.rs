//! Lists, taken item by item as they arrive.

use std::collections::VecDeque;

use http::{HeaderMap, Response};
use watchkeeper_api::error::Subject;
use watchkeeper_api::{Error, Object, ObjectKey, Result, pb};

use crate::api::Api;
use crate::body::Body;
use crate::codec::is_message;
use crate::decode::Decode;
use crate::fail::Why;
use crate::frames::ListFrames;
use crate::head::{Head, head_of, head_of_message};
use crate::request::Verb;
use crate::send::in_time;

mod answer;

use answer::Asked;

/// One answer to a list request.
#[derive(Debug)]
pub struct ListPage<K> {
    /// The objects, in the server's order.
    pub items: Vec<K>,
    /// The objects that could not be read. The others are not held up by them.
    pub malformed: Vec<Malformed>,
    /// The version of the store that the list shows: where a watch goes on.
    pub resource_version: String,
    /// Where the next page starts; empty on the last one.
    pub continue_: String,
    /// How many objects are on further pages, if the server tells.
    pub remaining: Option<i64>,
}

/// What a list says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListMeta {
    /// The version of the store that the list shows.
    pub resource_version: String,
    /// Where the next page starts; empty on the last one.
    pub continue_: String,
    /// How many objects are on further pages, if the server tells.
    pub remaining: Option<i64>,
}

/// An object that could not be read: quarantined, so that the rest goes on.
#[derive(Debug)]
pub struct Malformed {
    /// Whose object it is, if at least that can be read.
    pub key: Option<ObjectKey>,
    /// Its version, if that can be read; else empty.
    pub resource_version: String,
    /// The watch said that it is gone, and this is its last state.
    pub gone: bool,
    /// What is wrong with it. Never its content.
    pub error: Error,
}

/// One item of a list.
#[derive(Debug)]
pub enum ListItem<K> {
    /// An object.
    Object(K),
    /// An object that could not be read.
    Malformed(Malformed),
}

/// A list under way. Dropping it ends the request.
///
/// ```
/// # use watchkeeper_api::{Object, Result, core::v1::Pod};
/// # use watchkeeper_client::{Client, ListItem, ListOptions};
/// # async fn f(client: Client) -> Result<()> {
/// // One object in memory at a time, however many there are.
/// let mut pods = client.api::<Pod>().list_stream(&ListOptions::default()).await?;
/// while let Some(item) = pods.next().await? {
///     match item {
///         ListItem::Object(pod) => println!("{}", pod.key()),
///         ListItem::Malformed(bad) => println!("{}", bad.error),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ListStream<K> {
    api: Api<K>,
    decode: Decode<K>,
    body: Body,
    frames: Frames,
    /// With the bytes that each took.
    ready: VecDeque<(usize, ListItem<K>)>,
    /// The bytes of the item told last.
    item_len: usize,
    /// What is told after the items that came before it.
    failed: Option<Error>,
    meta: Option<ListMeta>,
    /// Whether an item has come.
    has_items: bool,
    /// Whether a `Status` is an answer, too: nothing is left to be told.
    may_be_status: bool,
}

impl<K: Object> ListStream<K> {
    pub(crate) fn new(api: Api<K>, answer: Response<Body>) -> Self {
        let frames = Frames::of(answer.headers());
        let (decode, body) = (api.decode(), answer.into_body());
        let (ready, failed, meta) = (VecDeque::new(), None, None);
        let (has_items, may_be_status, item_len) = (false, false, 0);
        Self { api, decode, body, frames, ready, item_len, failed, meta, has_items, may_be_status }
    }

    /// The answer to the deletion of a collection: a list, or no more than that it was done.
    pub(crate) fn of_deleted(api: Api<K>, answer: Response<Body>) -> Self {
        Self { may_be_status: true, ..Self::new(api, answer) }
    }

    /// The next item; `None` after the last one, and then [`meta`](Self::meta) is there.
    ///
    /// # Errors
    /// When the list breaks off, makes no progress within the client's deadline, or is none. Objects that
    /// cannot be read are items, not errors.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Result<Option<ListItem<K>>> {
        loop {
            if let Some((len, item)) = self.ready.pop_front() {
                self.item_len = len;
                return Ok(Some(item));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.meta.is_some() {
                return Ok(None);
            }
            self.advance().await?;
        }
    }

    /// How many bytes of the answer were the item told last, as the server sent it.
    #[must_use]
    pub const fn item_len(&self) -> usize {
        self.item_len
    }

    /// What the list says about itself, once all items are taken.
    #[must_use]
    pub const fn meta(&self) -> Option<&ListMeta> {
        self.meta.as_ref()
    }

    async fn advance(&mut self) -> Result<()> {
        let deadline = self.api.client().settings.deadline;
        let part = async { self.body.data().await.map_err(Why::Broken) };
        let data = in_time(deadline, part).await.map_err(|why| self.fail(why))?;
        let Some(bytes) = data else { return self.end() };
        let Self { api, decode, frames, ready, .. } = self;
        let taken = match frames {
            Frames::Text(frames) => frames.push(&bytes, |item| {
                ready.push_back((item.len(), read_item(api, decode, item)));
            }),
            Frames::Messages(frames) => frames.push(&bytes, |item| {
                ready.push_back((item.len(), read_message(api, decode, item)));
                Ok(())
            }),
        };
        self.has_items |= !self.ready.is_empty();
        self.failed = taken.err().map(|error| self.fail(Why::Unreadable(error)));
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        let meta = match std::mem::take(&mut self.frames) {
            Frames::Text(frames) => self.meta_of_text(frames),
            Frames::Messages(frames) => self.meta_of_messages(frames),
        };
        self.meta = Some(meta.map_err(|why| self.fail(why))?);
        Ok(())
    }

    fn meta_of_text(&self, frames: ListFrames) -> Result<ListMeta, Why> {
        let envelope = frames.finish().map_err(Why::Unreadable)?;
        let head = head_of(&envelope).map_err(Why::Unreadable)?;
        self.check(answer::of_head(&head).map_err(Why::Unreadable)?)?;
        Ok(head.into())
    }

    fn meta_of_messages(&self, frames: pb::ListFrames) -> Result<ListMeta, Why> {
        let head = frames.finish().map_err(Why::Unreadable)?;
        self.check(answer::of_message(&head, self.has_items))?;
        Ok(head.into())
    }

    /// What is no list of these objects must not pass for one without any.
    fn check(&self, told: answer::Told<'_>) -> Result<(), Why> {
        if self.may_be_status && told.kind == "Status" {
            return Ok(());
        }
        let asked = Asked::of::<K>(self.api.kind());
        asked.refuse(told, &self.api.collection().path()).map_err(Why::Nonsense)
    }

    fn fail(&self, why: Why) -> Error {
        why.into_error(&self.api.subject(Verb::List, ""))
    }

    /// All the items that are left.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    ///
    /// # Cancel safety
    /// Dropping the future ends the request; what was read of the answer is lost with it.
    pub async fn collect(mut self) -> Result<ListPage<K>> {
        let (mut items, mut malformed) = (Vec::new(), Vec::new());
        while let Some(item) = self.next().await? {
            match item {
                ListItem::Object(object) => items.push(object),
                ListItem::Malformed(bad) => malformed.push(bad),
            }
        }
        let ListMeta { resource_version, continue_, remaining } = self.meta.unwrap_or_default();
        Ok(ListPage { items, malformed, resource_version, continue_, remaining })
    }
}

/// What cuts a list into its items.
#[derive(Debug)]
enum Frames {
    Text(ListFrames),
    Messages(pb::ListFrames),
}

impl Frames {
    fn of(headers: &HeaderMap) -> Self {
        if is_message(headers) {
            Self::Messages(pb::ListFrames::default())
        } else {
            Self::default()
        }
    }
}

impl Default for Frames {
    fn default() -> Self {
        Self::Text(ListFrames::default())
    }
}

fn read_message<K: Object>(api: &Api<K>, decode: &mut Decode<K>, message: &[u8]) -> ListItem<K> {
    match decode.message(message) {
        Ok(object) => ListItem::Object(object),
        Err(error) => {
            let head = head_of_message(message).unwrap_or_default();
            ListItem::Malformed(Malformed::of(&api.subject(Verb::List, ""), head, error))
        }
    }
}

fn read_item<K: Object>(api: &Api<K>, decode: &mut Decode<K>, text: &[u8]) -> ListItem<K> {
    match decode.object(text) {
        Ok(object) => ListItem::Object(object),
        Err(error) => {
            ListItem::Malformed(Malformed::new(&api.subject(Verb::List, ""), text, error))
        }
    }
}

impl Malformed {
    /// Reads of an object what can be read: whose it is.
    pub(crate) fn new(
        subject: &Subject,
        text: &[u8],
        error: watchkeeper_api::json::ReadError,
    ) -> Self {
        Self::of(subject, head_of(text).unwrap_or_default(), error)
    }

    fn of(subject: &Subject, head: Head, error: watchkeeper_api::json::ReadError) -> Self {
        let key = (!head.name.is_empty())
            .then(|| ObjectKey::from((head.namespace.as_str(), head.name.as_str())));
        let subject = subject.clone().of(&head.namespace, &head.name);
        let error = Why::Unreadable(error).into_error(&subject);
        Self { key, resource_version: head.resource_version, gone: false, error }
    }
}
