//! Protobuf to values and back, the way Kubernetes speaks it, without intermediate trees.
//!
//! Servers send built-in kinds as protobuf when asked for [`CONTENT_TYPE`]: about two thirds of the
//! bytes of JSON, and quicker to read. Custom resources have JSON alone.
//!
//! ```
//! use watchkeeper_api::{core::v1::ConfigMap, object, pb};
//! let config = object!(ConfigMap { metadata: { name: "a" }, data: { "key": "value" } });
//!
//! let body = pb::to_body(&config);                        // k8s\0, the kind's names, the message
//! assert_eq!(pb::from_body::<ConfigMap>(&body)?, config);
//!
//! let message = pb::to_vec(&config);                      // the message alone
//! assert_eq!(pb::from_slice::<ConfigMap>(&message)?, config);
//!
//! let error = pb::from_body::<ConfigMap>(&body[..body.len() - 9]).unwrap_err();
//! assert_eq!(error.offset(), 22);
//! # Ok::<(), pb::ReadError>(())
//! ```
//!
//! # Signatures
//!
//! | what | one value | a stream of them |
//! |---|---|---|
//! | a message | [`from_slice`], [`to_vec`] | [`Decoder::message`] |
//! | a body: a message in an [`Envelope`] | [`from_body`], [`to_body`] | [`Decoder::body`] |
//! | a list | [`Decoder::list`], [`list_to_body`] | [`ListFrames`], then [`Decoder::object`] an item |
//! | an event of a watch | [`Event::open`], [`event_to_frame`] | [`WatchFrames`], then [`Decoder::object_in`] |
//! | any built-in kind, by the names in it | [`body_to_json`], [`body_from_json`] | |
//!
//! Code that is generic over kinds asks [`Object::PROTOBUF`](crate::Object::PROTOBUF) whether a kind
//! has protobuf, decodes with [`Decoder::object`] (also [`Metadata`](crate::Metadata) of any kind),
//! and encodes what [`Writable::as_message`](crate::Writable::as_message) gives.
//!
//! # How a struct takes part
//!
//! A [`Message`] is a table of [`Members`], and reads and writes one of them by its index; one driver
//! reads and one writes them all. Embedded structs, whose members JSON has in the outer object and protobuf in a
//! message of their own, are paths in the table. Generated code has nothing else.
//!
//! # Rules
//!
//! - What is written is byte for byte what Go writes for the same object: members in the order of
//!   their numbers, entries in the order of their keys; texts, numbers and structs that Go holds by
//!   value also when empty; pointers, lists and maps only when they hold something.
//! - An empty time is none. A quantity goes as it is spelled, an absent one as `0`. Empty bytes are
//!   absent, except within maps; so are empty verbs of an `APIResource`, which Go tells from none.
//! - A message that comes twice is merged, a scalar or text replaced, a list continued.
//! - Integers are cut to the width of their field, as every protobuf reader does. Text must be UTF-8.
//! - Unknown members are skipped, or refused in strict mode ([`Decoder::strict`]).
//! - Nesting deeper than [`MAX_DEPTH`] is refused, or what a [`Decoder`] was given as a lower limit,
//!   which may limit the length, too. Nothing is allocated for what is not there: for
//!   each byte of input at most [`MAX_GROWTH`] bytes.
//! - Errors carry the path (`spec.containers[0].name`) and the byte.

mod containers;
mod decoder;
mod envelope;
mod list;
mod members;
mod raw;
mod reader;
mod share;
mod transcode;
mod values;
mod watch;
mod wire;
mod writer;

#[cfg(test)]
mod tests;

pub use crate::json::ReadError;
pub use decoder::Decoder;
pub use envelope::Envelope;
pub use list::{ListFrames, ListHead, list_to_body};
pub use members::{Member, Members, Named, Rule};
pub use reader::Reader;
pub use transcode::{body_from_json, body_to_json, is_known};
pub use watch::{Event, WatchFrames, event_to_frame};
pub use wire::{Tag, Wire};
pub use writer::Writer;

/// The content type of bodies.
pub const CONTENT_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// The content type of watches: frames with their length in front.
pub const WATCH_CONTENT_TYPE: &str = "application/vnd.kubernetes.protobuf;stream=watch";

/// What to accept where a server may have JSON alone, as for custom resources.
pub const ACCEPT: &str = "application/vnd.kubernetes.protobuf,application/json";

/// What to accept where only metadata is wanted (upstream's `PartialObjectMetadata`).
pub const ACCEPT_METADATA: &str =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/// As [`ACCEPT_METADATA`], of a list.
pub const ACCEPT_METADATA_LIST: &str =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// What every body begins with.
pub const MAGIC: [u8; 4] = *b"k8s\0";

/// How deep messages may nest. Kubernetes' deepest types, the schemas of custom resources, stay far
/// below it, and a thread's stack holds it.
pub const MAX_DEPTH: usize = 200;

/// How many bytes of memory decoding takes for a byte of input, at most: an empty element takes two
/// bytes in a message, and up to some hundred as a value.
pub const MAX_GROWTH: usize = 1_024;

/// A struct as a protobuf message.
///
/// Implemented by generated code, by a table and a `match` each way:
///
/// ```
/// use watchkeeper_api::json::names;
/// use watchkeeper_api::pb::{
///     self, Field, Member, Members, Message, ReadError, Reader, Rule, Tag, Writer,
/// };
/// use watchkeeper_api::{IStr, List};
///
/// #[derive(Clone, Debug, Default, PartialEq)]
/// struct Container {
///     name: IStr,                  // `protobuf:"bytes,1,opt,name=name"`
///     args: List<IStr>,            // `protobuf:"bytes,4,rep,name=args"`
/// }
///
/// impl Message for Container {
///     fn members(&self) -> &'static Members {
///         static MEMBERS: Members = Members::new(
///             names!["name", "args"],
///             &Member::sorted([Member::new(&[1], 0, Rule::Plain), Member::new(&[4], 1, Rule::Plain)]),
///             None,
///         );
///         &MEMBERS
///     }
///     fn merge_member(
///         &mut self,
///         r: &mut Reader<'_>,
///         tag: Tag,
///         rule: Rule,
///         index: usize,
///     ) -> Result<(), ReadError> {
///         match index {
///             0 => self.name.merge(r, tag, rule),
///             1 => self.args.merge(r, tag, rule),
///             _ => r.skip(tag),
///         }
///     }
///     fn put_members(&self, w: &mut Writer) {
///         self.args.put(w, 4, Rule::Plain);
///         self.name.put(w, 1, Rule::Plain);
///     }
/// }
///
/// let container = Container { name: "web".into(), args: ["-v".into()].into() };
/// let bytes = pb::to_vec(&container);
/// assert_eq!(bytes, b"\x0a\x03web\x22\x02-v");
/// assert_eq!(pb::from_slice::<Container>(&bytes)?, container);
/// # Ok::<(), pb::ReadError>(())
/// ```
pub trait Message {
    /// The table of its members.
    fn members(&self) -> &'static Members;

    /// Reads the value that is next into a member, by its index in the table.
    ///
    /// # Errors
    /// When it is no value of the member's type.
    fn merge_member(
        &mut self,
        r: &mut Reader<'_>,
        tag: Tag,
        rule: Rule,
        index: usize,
    ) -> Result<(), ReadError>;

    /// Writes all members in front of what is written, the one with the highest number first. Types that do not
    /// know the order call [`Writer::by_table`].
    fn put_members(&self, w: &mut Writer);
}

/// What a member of a message can be.
pub trait Field {
    /// How the value is laid out.
    const WIRE: Wire = Wire::Length;

    /// Whether it takes all values with the same tag that follow each other.
    const REPEATS: bool = false;

    /// Reads the value that is next; what follows with the same tag belongs to a list or map.
    ///
    /// # Errors
    /// When it is no value of this type.
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError>;

    /// Writes the value, with its tag.
    fn put(&self, w: &mut Writer, number: u32, rule: Rule);
}

/// Reads a message without envelope.
///
/// # Errors
/// When the bytes are no message of this type.
pub fn from_slice<T: Message + Default>(bytes: &[u8]) -> Result<T, ReadError> {
    Decoder::once().message(bytes)
}

/// Reads a body: a message in its envelope.
///
/// # Errors
/// When the bytes are no envelope, what is in it is another kind, or no message of this type.
pub fn from_body<T: Message + Default>(bytes: &[u8]) -> Result<T, ReadError> {
    Decoder::once().body(bytes)
}

/// The message of a value, without envelope.
#[must_use]
pub fn to_vec(value: &dyn Message) -> Vec<u8> {
    Writer::to_vec(&mut |w| value.put_members(w))
}

/// The body of a value: its message in an envelope with the names of its kind. A part of a kind has
/// no names; theirs are empty.
#[must_use]
pub fn to_body(value: &dyn Message) -> Vec<u8> {
    let (api_version, kind) = match value.members().named() {
        Some(named) => (named.api_version, named.kind),
        None => ("", ""),
    };
    envelope::seal(api_version, kind, value)
}

impl Reader<'_> {
    /// Reads a field that holds a message.
    ///
    /// # Errors
    /// When it holds something else.
    pub fn nested(&mut self, tag: Tag, message: &mut dyn Message) -> Result<(), ReadError> {
        let outer = self.open(tag)?;
        self.message(message)?;
        self.close(outer);
        Ok(())
    }
}
