//! Objects of which only the metadata is kept.

use std::fmt;
use std::marker::PhantomData;

use crate::json::{Fields, Read, ReadError, Reader, names};
use crate::meta::v1::ObjectMeta;
use crate::pb::{self, Field, Member, Members, Message, Named, Rule, Tag};
use crate::{Kind, Object, ObjectKey, Owner, StaticKind, Time};

/// The metadata of a `K`: upstream's `PartialObjectMetadata`. The server sends nothing else.
///
/// It cannot be written as a whole: what it leaves out would be erased.
///
/// ```
/// use watchkeeper_api::{Metadata, Object, core::v1::Pod, json};
/// let pod: Metadata<Pod> = json::from_str(r#"{
///     "apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata",
///     "metadata": {"name": "web-0", "namespace": "shop"}
/// }"#)?;
/// assert_eq!(pod.kind().kind, "Pod");
/// assert_eq!(pod.key().to_string(), "shop/web-0");
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
///
/// ```compile_fail,E0277
/// use watchkeeper_api::{Metadata, Writable, core::v1::Pod};
/// fn update(_: &impl Writable) {}
/// update(&Metadata::<Pod>::default());
/// ```
pub struct Metadata<K> {
    /// The metadata.
    pub metadata: ObjectMeta,
    kind: PhantomData<fn() -> K>,
}

impl<K> From<ObjectMeta> for Metadata<K> {
    fn from(metadata: ObjectMeta) -> Self {
        Self { metadata, kind: PhantomData }
    }
}

impl<K> Clone for Metadata<K> {
    fn clone(&self) -> Self {
        Self::from(self.metadata.clone())
    }
}

impl<K> Default for Metadata<K> {
    fn default() -> Self {
        Self::from(ObjectMeta::default())
    }
}

impl<K> PartialEq for Metadata<K> {
    fn eq(&self, other: &Self) -> bool {
        self.metadata == other.metadata
    }
}

impl<K> fmt::Debug for Metadata<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Metadata").field(&self.metadata).finish()
    }
}

impl<K> Fields for Metadata<K> {
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match index {
            0 => self.metadata.read_into(r),
            _ => r.skip(),
        }
    }
}

impl<K> Read for Metadata<K> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut object = Self::default();
        r.object(names!["metadata"], &mut object)?;
        Ok(object)
    }
}

impl<K> Message for Metadata<K> {
    fn members(&self) -> &'static Members {
        static MEMBERS: Members = Members::new(
            names!["metadata"],
            &[Member::new(&[1], 0, Rule::Plain)],
            Some(Named {
                api_version: "meta.k8s.io/v1",
                kind: "PartialObjectMetadata",
                any_version: false,
            }),
        );
        &MEMBERS
    }

    fn merge_member(
        &mut self,
        r: &mut pb::Reader<'_>,
        tag: Tag,
        rule: Rule,
        index: usize,
    ) -> Result<(), ReadError> {
        match index {
            0 => self.metadata.merge(r, tag, rule),
            _ => r.skip(tag),
        }
    }

    fn put_members(&self, w: &mut pb::Writer) {
        self.metadata.put(w, 1, Rule::Plain);
    }
}

impl<K: StaticKind> Object for Metadata<K> {
    const METADATA_ONLY: bool = true;

    /// Every kind, also one of custom resources: the metadata is its first member.
    const PROTOBUF: bool = true;

    fn read_protobuf(r: &mut pb::Reader<'_>) -> Result<Self, ReadError> {
        let mut object = Self::default();
        r.message(&mut object)?;
        Ok(object)
    }

    fn kind(&self) -> &Kind {
        K::static_kind()
    }
    fn name(&self) -> &str {
        &self.metadata.name
    }
    fn namespace(&self) -> Option<&str> {
        self.metadata.namespace()
    }
    fn key(&self) -> ObjectKey {
        self.metadata.key()
    }
    fn uid(&self) -> &str {
        &self.metadata.uid
    }
    fn resource_version(&self) -> &str {
        &self.metadata.resource_version
    }
    fn generation(&self) -> i64 {
        self.metadata.generation
    }
    fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.label_pairs()
    }
    fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.annotation_pairs()
    }
    fn label(&self, key: &str) -> Option<&str> {
        self.metadata.label(key)
    }
    fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata.annotation(key)
    }
    fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
        self.metadata.owners()
    }
    fn finalizers(&self) -> impl Iterator<Item = &str> {
        self.metadata.finalizer_names()
    }
    fn deletion_timestamp(&self) -> Option<Time> {
        self.metadata.deletion_timestamp
    }
    fn creation_timestamp(&self) -> Option<Time> {
        self.metadata.creation_timestamp
    }
}

impl<K: StaticKind> StaticKind for Metadata<K> {
    fn static_kind() -> &'static Kind {
        K::static_kind()
    }
}
