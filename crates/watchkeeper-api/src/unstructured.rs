//! Objects whose type is not known when the program is written.

mod path;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::json::{self, Read, ReadError, Reader, Write, Writer};
use crate::meta::v1::ObjectMeta;
use crate::{HasMeta, IStr, Kind, Object, ObjectKey, Owner, Scope, Time, Writable, registry, show};

/// A whole object of any kind: its metadata, read, and the rest as compact JSON text.
///
/// What an object of that size costs is its text, not a tree of values; fields are found by
/// walking the text.
///
/// ```
/// use watchkeeper_api::{HasMeta, Object, Unstructured, json};
/// let mut foo: Unstructured = json::from_str(r#"{
///     "apiVersion": "example.com/v1", "kind": "Foo",
///     "metadata": {"name": "a", "namespace": "b"},
///     "spec": {"size": 3, "hosts": ["x", "y"]}
/// }"#)?;
/// assert_eq!(foo.key().to_string(), "b/a");
/// assert_eq!(foo.get("/spec/hosts/1"), Some("\"y\""));
/// assert_eq!(foo.read::<i32>("/spec/size")?, Some(3));
/// let before = foo.clone(); // shares the text until one of them is edited
/// foo.set("/spec/size", &4)?;
/// foo.metadata_mut().labels.insert("team", "web");
/// assert_eq!(foo.read::<i32>("/spec/size")?, Some(4));
/// assert_eq!(before.read::<i32>("/spec/size")?, Some(3));
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
///
/// It is always whole, so it may be written; of kinds without a type, too, what is read in part has
/// a type of its own that may not (the client's `PartialObject`).
#[derive(Clone, PartialEq)]
pub struct Unstructured {
    kind: Arc<Kind>,
    metadata: ObjectMeta,
    /// A compact JSON object of all members but apiVersion, kind and metadata; empty for none.
    /// Clones share it until they are edited.
    rest: Arc<str>,
}

impl Unstructured {
    /// An object with a name and nothing else; the namespace is empty for kinds of the cluster.
    #[must_use]
    pub fn new(kind: &Kind, namespace: &str, name: &str) -> Self {
        let metadata = ObjectMeta {
            name: IStr::from(name),
            namespace: IStr::from(namespace),
            ..ObjectMeta::default()
        };
        Self { kind: Arc::new(kind.clone()), metadata, rest: Arc::default() }
    }

    /// Says which kind the object is of. Its JSON names no plural and no scope: until told, they are
    /// taken from the built-in kinds, or guessed.
    pub fn set_kind(&mut self, kind: &Arc<Kind>) {
        self.kind = Arc::clone(kind);
    }

    /// The value at a JSON pointer (RFC 6901), as compact JSON text: `/spec/ports/0/name`. Not for
    /// `/metadata`, which is read already.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<&str> {
        path::find(self.rest(), pointer)
    }

    /// The value at a JSON pointer, as a `T`. Absent and `null` are `None`.
    ///
    /// # Errors
    /// When there is a value that is no `T`.
    pub fn read<T: Read>(&self, pointer: &str) -> Result<Option<T>, ReadError> {
        match self.get(pointer) {
            None | Some("null") => Ok(None),
            Some(text) => json::from_str(text).map(Some).map_err(|error| {
                let steps = path::steps(pointer).into_iter().flatten().rev();
                steps.fold(error, |error, step| match path::index_of(&step) {
                    Some(index) => error.in_element(index),
                    None => error.in_member(&step),
                })
            }),
        }
    }

    /// Sets the value at a JSON pointer; objects on the way are made where they are absent. Only
    /// the text around the place is copied, no tree is made, and clones keep what they had.
    ///
    /// # Errors
    /// When something on the way is neither object nor list, or a list has no such index, or the
    /// pointer is one to the apiVersion, kind or metadata, or the object would nest too deep.
    /// Nothing has changed then.
    pub fn set(&mut self, pointer: &str, value: &impl Write) -> Result<(), ReadError> {
        let value = json::to_string(value);
        self.rest = path::set(self.rest(), pointer, &value)?.into();
        Ok(())
    }

    /// Removes the value at a JSON pointer; says whether it did.
    pub fn remove(&mut self, pointer: &str) -> bool {
        match path::remove(self.rest(), pointer) {
            Some(rest) if rest == "{}" => self.rest = Arc::default(),
            Some(rest) => self.rest = rest.into(),
            None => return false,
        }
        true
    }

    /// Says which kind the object is of where its text did not: an item of a list.
    pub(crate) fn name_kind(&mut self, api_version: &str, kind: &str) {
        if self.kind.kind.is_empty() {
            self.kind = kind_named(api_version, kind, self.metadata.namespace().is_some());
        }
    }

    /// The whole object as a tree of values.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        json::to_value(self)
    }

    /// From a tree of values.
    ///
    /// # Errors
    /// When it is no object with valid metadata.
    pub fn from_value(value: &serde_json::Value) -> Result<Self, ReadError> {
        json::from_value(value)
    }

    /// The same object as a `T`: a built-in type, one of your own, or only the part of it that
    /// you need.
    ///
    /// ```
    /// use watchkeeper_api::{Object, Unstructured, apps::v1::Deployment, json, object};
    /// let deployment = object!(Deployment { metadata: { name: "web" }, spec: { replicas: 2 } });
    /// let mut any = Unstructured::encode(&deployment);
    /// let other = any.clone(); // shares the text
    /// any.set("/spec/replicas", &3)?;
    /// any.set("/spec/unheardOf", &true)?; // newer than our types
    /// assert_eq!(any.decode::<Deployment>()?.spec.replicas, Some(3));
    /// assert_eq!(other.decode::<Deployment>()?, deployment);
    /// let error = any.read::<bool>("/spec/replicas").unwrap_err();
    /// assert_eq!(error.path(), "spec.replicas");
    /// # Ok::<(), json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// When it is none.
    pub fn decode<T: Read>(&self) -> Result<T, ReadError> {
        json::from_str(&json::to_string(self))
    }

    /// The same object, forgetting its type.
    #[must_use]
    pub fn encode<K: Object + Write>(object: &K) -> Self {
        let mut encoded: Self = json::from_str(&json::to_string(object)).unwrap_or_default();
        encoded.kind = Arc::new(object.kind().clone());
        encoded
    }

    fn rest(&self) -> &str {
        if self.rest.is_empty() { "{}" } else { &self.rest }
    }
}

/// The kind that an object names: a built-in one, or one whose plural is guessed as upstream's
/// `UnsafeGuessKindToResource` does.
fn kind_named(api_version: &str, kind: &str, namespaced: bool) -> Arc<Kind> {
    if let Some(known) = registry::find(api_version, kind) {
        return Arc::new(known.clone());
    }
    let lower = kind.to_ascii_lowercase();
    let plural = match lower.as_bytes().last() {
        Some(b's') => format!("{lower}es"),
        Some(b'y') => format!("{}ies", &lower[..lower.len() - 1]),
        Some(_) => format!("{lower}s"),
        None => lower,
    };
    let scope = if namespaced { Scope::Namespaced } else { Scope::Cluster };
    Arc::new(Kind::dynamic(api_version, kind, &plural, scope))
}

impl Default for Unstructured {
    fn default() -> Self {
        static NONE: LazyLock<Arc<Kind>> =
            LazyLock::new(|| Arc::new(Kind::new("", "", "", "", Scope::Namespaced)));
        Self { kind: Arc::clone(&NONE), metadata: ObjectMeta::default(), rest: Arc::default() }
    }
}

impl Read for Unstructured {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let (mut api_version, mut kind) = (IStr::EMPTY, IStr::EMPTY);
        let mut metadata = ObjectMeta::default();
        let mut rest = Writer::new();
        rest.open();
        r.members(&mut |r, name| match name {
            "apiVersion" => api_version.read_into(r),
            "kind" => kind.read_into(r),
            "metadata" => metadata.read_into(r),
            _ => {
                rest.raw_field(name, &json::compact(r.raw()?));
                Ok(())
            }
        })?;
        rest.close();
        let rest = Some(rest.finish()).filter(|rest| rest != "{}").unwrap_or_default();
        let kind = kind_named(&api_version, &kind, metadata.namespace().is_some());
        Ok(Self { kind, metadata, rest: rest.into() })
    }
}

impl Write for Unstructured {
    fn write(&self, w: &mut Writer) {
        w.open();
        w.text_field("\"apiVersion\":", &self.kind.api_version());
        w.text_field("\"kind\":", &self.kind.kind);
        w.field("\"metadata\":", &self.metadata);
        w.raw_fields(self.rest.get(1..self.rest.len().saturating_sub(1)).unwrap_or_default());
        w.close();
    }

    fn is_default(&self) -> bool {
        self.metadata.is_default() && self.rest.is_empty()
    }
}

impl Object for Unstructured {
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

impl Writable for Unstructured {}

impl HasMeta for Unstructured {
    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// The kind, and namespace and name.
impl fmt::Display for Unstructured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.kind, self.key())
    }
}

/// As of built-in types: [`show`](mod@crate::show).
impl fmt::Debug for Unstructured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = format!("{} {}", self.kind.api_version(), self.kind.kind);
        show::text(&title, &self.kind.kind, &json::to_string(self), f)
    }
}
