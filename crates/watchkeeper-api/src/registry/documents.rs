//! Texts of one or more objects, as manifests are, to typed objects.

#[cfg(all(test, feature = "yaml"))]
mod tests;
mod typed;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::Visitor;
use crate::json::{self, Decoder, ReadError, Reader, TypeMeta, Write};
use crate::pb::Message;
use crate::{
    HasMeta, IStr, Kind, Object, ObjectKey, Scope, StaticKind, Unstructured, Writable, kind,
};
pub use typed::Typed;

/// From the kind that an object names to its type: upstream's Scheme, with the types of a program
/// beside the built-in ones.
///
/// ```
/// use watchkeeper_api::{apps::v1::Deployment, registry::{Document, Registry}};
/// let registry = Registry::built_in();
/// let documents = registry.read(r#"
///     {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 2}}
///     {"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}}
/// "#)?;
/// assert_eq!(documents[0].get::<Deployment>().unwrap().spec.replicas, Some(2));
/// assert!(matches!(&documents[1], Document::Unstructured(foo) if foo.kind().kind == "Foo"));
/// # use watchkeeper_api::Object;
/// # Ok::<(), watchkeeper_api::registry::DocumentError>(())
/// ```
#[cfg_attr(
    feature = "yaml",
    doc = r#"
With the feature `yaml`, manifests as people write them:

```
use watchkeeper_api::{apps::v1::Deployment, core::v1::Secret, registry::Registry};
let documents = Registry::built_in().read("
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2}
---
apiVersion: v1
kind: Secret
metadata: {name: key}
stringData: {password: hunter2}
")?;
assert_eq!(documents[0].get::<Deployment>().unwrap().spec.replicas, Some(2));
assert_eq!(documents[1].get::<Secret>().unwrap().string_data.len(), 1);
assert_eq!(documents[1].reference().kind, "Secret");
# Ok::<(), watchkeeper_api::registry::DocumentError>(())
```
"#
)]
#[derive(Clone, Debug, Default)]
pub struct Registry {
    kinds: BTreeMap<(IStr, IStr), Known>,
    strict: bool,
}

/// A kind, and how its objects are read.
#[derive(Clone, Copy)]
struct Known {
    kind: &'static Kind,
    read: fn(&mut Decoder, &str) -> Result<Typed, ReadError>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.kind, f)
    }
}

impl Registry {
    /// Knows no type: every object is [`Unstructured`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Knows the built-in kinds of the enabled groups.
    #[must_use]
    pub fn built_in() -> Self {
        let mut registry = Self::new();
        super::visit(&mut registry);
        registry
    }

    /// Knows the kind of a type, too.
    #[must_use]
    pub fn with<K: StaticKind + Writable>(mut self) -> Self {
        self.add::<K>();
        self
    }

    fn add<K: StaticKind + Writable>(&mut self) {
        let kind = K::static_kind();
        let names = (IStr::from(&*kind.api_version()), IStr::from(&*kind.kind));
        let read =
            |decoder: &mut Decoder, text: &str| decoder.decode_str::<K>(text).map(Typed::new);
        self.kinds.insert(names, Known { kind, read });
    }

    /// Whether members that a type does not know are errors, and members that come twice.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The known kinds, by apiVersion and kind.
    pub fn kinds(&self) -> impl Iterator<Item = &'static Kind> {
        self.kinds.values().map(|known| known.kind)
    }

    /// The kind that objects name so.
    #[must_use]
    pub fn kind(&self, api_version: &str, kind: &str) -> Option<&'static Kind> {
        self.known(api_version, kind).map(|known| known.kind)
    }

    /// The kind whose lists name themselves so: `PodList` is one of `Pod`s.
    #[must_use]
    pub fn kind_of_list(&self, api_version: &str, list_kind: &str) -> Option<&'static Kind> {
        let kind = list_kind.strip_suffix("List")?;
        self.kind(api_version, kind).filter(|known| !known.plural.is_empty())
    }

    /// The kind with that resource in its paths.
    #[must_use]
    pub fn kind_of_resource(
        &self,
        group: &str,
        version: &str,
        plural: &str,
    ) -> Option<&'static Kind> {
        let is =
            |kind: &Kind| kind.plural == plural && kind.group == group && kind.version == version;
        self.kinds().filter(|kind| !kind.plural.is_empty()).find(|kind| is(kind))
    }

    /// The versions of a group in which there are known kinds.
    #[must_use]
    pub fn versions(&self, group: &str) -> Vec<&'static str> {
        let of_group = self.kinds().filter(|kind| kind.group == group);
        let mut versions: Vec<&'static str> = of_group.map(|kind| kind.version.as_ref()).collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }

    fn known(&self, api_version: &str, kind: &str) -> Option<&Known> {
        self.kinds.get(&(IStr::from(kind::without_slash(api_version)), IStr::from(kind)))
    }

    /// Reads the objects of a text: one JSON value behind the other, or (with the cargo feature
    /// `yaml`) documents in YAML, as kubectl takes them: `0644` is 420, `yes` and `on` are true. Lists are
    /// opened, also those in lists: their items come one by one.
    ///
    /// # Errors
    /// When the text is neither, a document names no kind, or an object does not fit its type.
    pub fn read(&self, text: &str) -> Result<Vec<Document>, DocumentError> {
        let mut decoder = Decoder::new().strict(self.strict);
        let mut found = Vec::new();
        for (index, document) in texts(text)?.iter().enumerate() {
            let opened = self.open(&mut decoder, &document.json, None, &mut found);
            opened.map_err(|why| DocumentError::new(index, document.told(why)))?;
        }
        Ok(found)
    }

    /// Reads one object, or the items of a list; `item` is what items are that do not say it.
    fn open(
        &self,
        decoder: &mut Decoder,
        text: &str,
        item: Option<&Kind>,
        found: &mut Vec<Document>,
    ) -> Result<(), ReadError> {
        let mut named: TypeMeta = json::from_str(text)?;
        if let (Some(kind), true) = (item, named.kind.is_empty()) {
            named =
                TypeMeta { api_version: (*kind.api_version()).into(), kind: (*kind.kind).into() };
        }
        if named.kind.is_empty() || named.api_version.is_empty() {
            return Err(ReadError::new("it names no apiVersion and kind", 0));
        }
        if let Some(known) = self.known(&named.api_version, &named.kind) {
            found.push(Document::Typed((known.read)(decoder, text)?));
            return Ok(());
        }
        if named.kind.ends_with("List") && has_items(text) {
            // What an item is that does not say it; the items of a plain `List` say it.
            let of = named.kind.strip_suffix("List").unwrap_or_default();
            let item = Kind::dynamic(&named.api_version, of, "", Scope::Cluster);
            let mut reader = Reader::new(text)?;
            return reader.members(&mut |r, name| match name {
                "items" => r.list(&mut |r| {
                    let text = r.raw()?;
                    let opened = self.open(decoder, text, Some(&item), found);
                    opened.map_err(|error| error.later(r.offset() - text.len()))
                }),
                _ => r.skip(),
            });
        }
        let mut object: Unstructured = decoder.decode_str(text)?;
        object.name_kind(&named.api_version, &named.kind);
        found.push(Document::Unstructured(object));
        Ok(())
    }
}

fn has_items(text: &str) -> bool {
    let mut items = false;
    let members = Reader::new(text).and_then(|mut r| {
        r.members(&mut |r, name| {
            items |= name == "items" && r.raw()?.starts_with('[');
            if name == "items" { Ok(()) } else { r.skip() }
        })
    });
    members.is_ok() && items
}

impl Visitor for Registry {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        self.add::<K>();
    }
}

/// A document as JSON.
struct Text<'t> {
    json: Cow<'t, str>,
    /// The byte at which it starts; there is none where it was made of YAML.
    start: Option<usize>,
}

impl Text<'_> {
    /// What is wrong with it, and at which byte of the whole. To who wrote YAML, bytes of the JSON that was
    /// made of it say nothing.
    fn told(&self, why: ReadError) -> String {
        match (self.start, why.path()) {
            (Some(start), _) => why.later(start).to_string(),
            (None, path) if path.is_empty() => why.message().to_owned(),
            (None, path) => format!("{path}: {}", why.message()),
        }
    }
}

/// The JSON texts of the documents.
fn texts(text: &str) -> Result<Vec<Text<'_>>, DocumentError> {
    #[cfg(feature = "yaml")]
    {
        if !text.trim_start().starts_with('{') {
            return yaml_texts(text);
        }
        // What begins as JSON may be YAML, too: `{kind: Pod}`, or documents with marks between them.
        json_texts(text).or_else(|error| yaml_texts(text).map_err(|_| error))
    }
    #[cfg(not(feature = "yaml"))]
    json_texts(text)
}

fn json_texts(text: &str) -> Result<Vec<Text<'_>>, DocumentError> {
    let mut found = Vec::new();
    let wrong = |index, why: ReadError| DocumentError::new(index, why.to_string());
    let mut reader = Reader::new(text).map_err(|why| wrong(0, why))?;
    while reader.end().is_err() {
        let value = reader.raw().map_err(|why| wrong(found.len(), why))?;
        let start = Some(reader.offset() - value.len());
        found.push(Text { json: value.into(), start });
    }
    Ok(found)
}

#[cfg(feature = "yaml")]
fn yaml_texts(text: &str) -> Result<Vec<Text<'static>>, DocumentError> {
    use watchkeeper_schema::yaml::{self, Limits};

    let documents = yaml::documents(text, &Limits::default())
        .map_err(|error| DocumentError { document: None, why: error.to_string() })?;
    // Between two marks there may be nothing but comments.
    let documents = documents.into_iter().filter(|document| !document.is_null());
    Ok(documents.map(|document| Text { json: document.to_string().into(), start: None }).collect())
}

/// An object out of a text.
#[derive(Clone, Debug)]
pub enum Document {
    /// Of a kind whose type is known.
    Typed(Typed),
    /// Of any other kind.
    Unstructured(Unstructured),
}

impl Document {
    /// What kind of object it is.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        match self {
            Self::Typed(object) => object.kind(),
            Self::Unstructured(object) => object.kind(),
        }
    }

    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Typed(object) => object.key(),
            Self::Unstructured(object) => object.key(),
        }
    }

    /// The object, if it is a `K`.
    #[must_use]
    pub fn get<K: Object>(&self) -> Option<&K> {
        match self {
            Self::Typed(object) => object.get(),
            Self::Unstructured(object) => (object as &dyn std::any::Any).downcast_ref(),
        }
    }

    /// The object without its type.
    #[must_use]
    pub fn into_unstructured(self) -> Unstructured {
        match self {
            Self::Typed(object) => object.to_unstructured(),
            Self::Unstructured(object) => object,
        }
    }

    /// A reference to it, as events have.
    #[cfg(feature = "core")]
    #[must_use]
    pub fn reference(&self) -> crate::core::v1::ObjectReference {
        match self {
            Self::Typed(object) => object.reference(),
            Self::Unstructured(object) => super::reference(object),
        }
    }
}

impl Write for Document {
    fn write(&self, w: &mut json::Writer) {
        match self {
            Self::Typed(object) => object.write(w),
            Self::Unstructured(object) => object.write(w),
        }
    }

    fn is_default(&self) -> bool {
        false
    }
}

/// A text that holds no objects, or not those of the types known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    document: Option<usize>,
    why: String,
}

impl DocumentError {
    fn new(document: usize, why: String) -> Self {
        Self { document: Some(document), why }
    }

    /// Which document, counted from zero, if the text could be parted into documents.
    #[must_use]
    pub fn document(&self) -> Option<usize> {
        self.document
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.document {
            Some(index) => write!(f, "document {}: {}", index + 1, self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for DocumentError {}
