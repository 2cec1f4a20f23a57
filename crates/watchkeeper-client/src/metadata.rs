//! Metadata of objects whose kind is known at run time only.

use std::sync::Arc;

use watchkeeper_api::json::{Read, ReadError, Reader};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::pb::{self, Field as _, Rule};
use watchkeeper_api::{
    HasBinding, HasEviction, HasLogs, HasStreams, HasToken, Kind, Object, ObjectKey, Owner, Scope,
    Time,
};

/// An object of which only the metadata is kept (upstream: `PartialObjectMetadata`). It cannot be written
/// as a whole: what it leaves out would be erased.
///
/// ```
/// # use watchkeeper_api::{Kind, Result, Scope};
/// # use watchkeeper_client::{Client, ListOptions, Patch, PatchOptions};
/// # async fn f(client: Client) -> Result<()> {
/// let foos = Kind::dynamic("example.com/v1", "Foo", "foos", Scope::Namespaced);
/// let foos = client.metadata(foos).namespace("shop");
/// for foo in foos.list(&ListOptions::default()).await?.items {
///     println!("{} is at {}", foo.metadata.name, foo.metadata.resource_version);
/// }
/// let change = Patch::merge(&serde_json::json!({ "metadata": { "labels": { "seen": "yes" } } }));
/// foos.patch("a", &change, &PatchOptions::default()).await?;
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail,E0277
/// use watchkeeper_api::Writable;
/// use watchkeeper_client::PartialObject;
/// fn update<K: Writable>() {}
/// update::<PartialObject>();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PartialObject {
    /// The metadata.
    pub metadata: ObjectMeta,
    kind: Arc<Kind>,
}

impl PartialObject {
    /// Who asked knows what for.
    fn of(metadata: ObjectMeta) -> Self {
        let kind = Kind::new("meta.k8s.io", "v1", "PartialObjectMetadata", "", Scope::Cluster);
        Self { metadata, kind: Arc::new(kind) }
    }

    pub(crate) fn set_kind(&mut self, kind: &Arc<Kind>) {
        self.kind = Arc::clone(kind);
    }
}

impl Read for PartialObject {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut metadata = ObjectMeta::default();
        reader.members(&mut |reader, name| {
            match name {
                "metadata" => metadata = ObjectMeta::read(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(Self::of(metadata))
    }
}

impl Object for PartialObject {
    const METADATA_ONLY: bool = true;
    /// Every kind, also one of custom resources: the metadata is its first member.
    const PROTOBUF: bool = true;

    fn read_protobuf(r: &mut pb::Reader<'_>) -> Result<Self, ReadError> {
        let mut metadata = ObjectMeta::default();
        while !r.is_done() {
            let tag = r.tag()?;
            match tag.number {
                1 => {
                    let read = metadata.merge(r, tag, Rule::Plain);
                    read.map_err(|error| error.in_member("metadata"))?;
                }
                _ => r.skip(tag)?,
            }
        }
        Ok(Self::of(metadata))
    }

    fn kind(&self) -> &Kind {
        &self.kind
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

// Of what kind it is, is known at run time.
impl HasLogs for PartialObject {}
impl HasStreams for PartialObject {}
impl HasEviction for PartialObject {}
impl HasBinding for PartialObject {}
impl HasToken for PartialObject {}
