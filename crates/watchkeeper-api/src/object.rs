//! The traits that everything above the wire is generic over.
//!
//! - [`Object`]: read-only views that every object has, typed or not.
//! - [`StaticKind`]: the kind is known from the type.
//! - [`Writable`]: a whole object, which may replace the one on the server.
//! - [`HasMeta`]: its metadata may be changed.
//! - [`HasStatus`]: it has a status of its own, written apart from the rest.
//! - [`AsObject`]: an object or an `Arc` of one.
//! - [`HasLogs`], [`HasStreams`], [`HasEviction`], [`HasBinding`], [`HasToken`]: what can be done with objects
//!   of some kinds only.

mod acts;
mod implement;
mod metadata;

use std::fmt::Debug;
use std::sync::Arc;

use crate::json::{Read, Write};
use crate::meta::v1::ObjectMeta;
use crate::{Kind, ObjectKey, Time, key, pb};
pub use acts::{HasBinding, HasEviction, HasLogs, HasStreams, HasToken};

/// An object of the API.
///
/// Implemented for the built-in types, for types with `#[derive(Object)]`, for
/// [`Unstructured`](crate::Unstructured) and for [`Metadata`](crate::Metadata).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a Kubernetes object",
    note = "for a custom resource, write `#[derive(Clone, Debug, Default, PartialEq, Object)] #[object(group = \"…\", version = \"…\")]` on the struct"
)]
pub trait Object: Read + Clone + Debug + Send + Sync + 'static {
    /// Whether the metadata is all there is: the server is then asked for no more.
    const METADATA_ONLY: bool = false;

    /// Whether servers have it as protobuf, and [`Object::read_protobuf`] reads that.
    const PROTOBUF: bool = false;

    /// Reads the members of the innermost open message.
    ///
    /// # Errors
    /// When the kind has no protobuf, or the bytes are no message of it.
    fn read_protobuf(r: &mut pb::Reader<'_>) -> Result<Self, pb::ReadError> {
        Err(r.error("this kind has no protobuf"))
    }

    /// What kind of object it is.
    fn kind(&self) -> &Kind;

    /// `metadata.name`.
    fn name(&self) -> &str;

    /// `metadata.namespace`, if there is one.
    fn namespace(&self) -> Option<&str>;

    /// `metadata.uid`; empty before the server has given one.
    fn uid(&self) -> &str;

    /// `metadata.resourceVersion`; empty before the server has given one.
    fn resource_version(&self) -> &str;

    /// `metadata.generation`; zero for kinds without one.
    fn generation(&self) -> i64;

    /// The labels, by key.
    fn labels(&self) -> impl Iterator<Item = (&str, &str)>;

    /// The annotations, by key.
    fn annotations(&self) -> impl Iterator<Item = (&str, &str)>;

    /// The owners.
    fn owners(&self) -> impl Iterator<Item = Owner<'_>>;

    /// What must happen before the object may go.
    fn finalizers(&self) -> impl Iterator<Item = &str>;

    /// When the object was asked to go.
    fn deletion_timestamp(&self) -> Option<Time>;

    /// When the server stored the object first.
    fn creation_timestamp(&self) -> Option<Time>;

    /// The value of one label.
    fn label(&self, key: &str) -> Option<&str> {
        self.labels().find_map(|(found, value)| (found == key).then_some(value))
    }

    /// The value of one annotation.
    fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations().find_map(|(found, value)| (found == key).then_some(value))
    }

    /// Namespace and name.
    fn key(&self) -> ObjectKey {
        key::of(self)
    }

    /// Whether the object was asked to go.
    fn is_deleting(&self) -> bool {
        self.deletion_timestamp().is_some()
    }

    /// The owner that controls it, as upstream's `GetControllerOf`.
    fn controller(&self) -> Option<Owner<'_>> {
        self.owners().find(|owner| owner.controller)
    }

    /// Whether `owner` controls it: compared by uid, so not by one of the same name that came later.
    fn is_controlled_by(&self, owner: &impl Object) -> bool {
        self.controller().is_some_and(|found| !found.uid.is_empty() && found.uid == owner.uid())
    }
}

/// A reference to an owner, borrowed from the object owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner<'a> {
    /// Group and version of the owner's kind, as in `apps/v1`.
    pub api_version: &'a str,
    /// The owner's kind.
    pub kind: &'a str,
    /// The owner's name; it lives in the same namespace, or in none.
    pub name: &'a str,
    /// The owner's uid.
    pub uid: &'a str,
    /// Whether it manages the object.
    pub controller: bool,
    /// Whether the owner's foreground deletion waits for the object.
    pub block_owner_deletion: bool,
}

/// An object whose kind is known from its type.
#[diagnostic::on_unimplemented(
    message = "the kind of `{Self}` is only known from its values",
    note = "name the kind: `Select::kind(kind)` or `client.dynamic(kind)`"
)]
pub trait StaticKind: Object {
    /// The kind of all such objects.
    fn static_kind() -> &'static Kind;
}

/// A whole object: it holds all that the server knows of it, so it may replace the server's copy.
///
/// Projections and metadata are no whole objects: a replacement would erase what they leave out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds only part of an object, so it cannot be written as a whole",
    note = "send a difference instead: `api.patch(…)`"
)]
pub trait Writable: Object + Write {
    /// The object as a protobuf message, where its kind has that.
    fn as_message(&self) -> Option<&dyn pb::Message> {
        None
    }
}

/// A whole object whose metadata is ours to change.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `ObjectMeta` of its own",
    note = "for a custom resource, add a field `metadata: ObjectMeta` to the struct"
)]
pub trait HasMeta: Writable {
    /// The metadata.
    fn metadata(&self) -> &ObjectMeta;

    /// The metadata, to change it.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;
}

/// An object with a status, which is written apart from the rest.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no status of its own",
    note = "for a custom resource, add `status` to `#[object(…)]` and a field `status` to the struct"
)]
pub trait HasStatus: Writable {
    /// What the status is made of.
    type Status: Clone + Debug + PartialEq + Write + Send + Sync + 'static;

    /// The status.
    fn status(&self) -> &Self::Status;

    /// The status, to change it.
    fn status_mut(&mut self) -> &mut Self::Status;
}

/// An object, or an [`Arc`] of one as caches hand them out: what functions take that only look at
/// an object, so that its type is inferred from either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a Kubernetes object nor an `Arc` of one",
    note = "pass `&object`, where `object` is a value or an `Arc` from a watch"
)]
pub trait AsObject {
    /// The object's type.
    type Object: Object;

    /// The object.
    fn as_object(&self) -> &Self::Object;
}

impl<K: Object> AsObject for K {
    type Object = K;

    fn as_object(&self) -> &K {
        self
    }
}

impl<K: Object> AsObject for Arc<K> {
    type Object = K;

    fn as_object(&self) -> &K {
        self
    }
}
