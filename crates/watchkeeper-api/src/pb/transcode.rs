//! Bodies of any built-in kind, from protobuf to JSON text and back, by the names that they carry.

use std::sync::LazyLock;

use super::{Decoder, Envelope, ListHead, Message, Named, ReadError};
use crate::json::{self, Fields, Read, Reader, Write, Writer, names};
use crate::meta::v1::ListMeta;
use crate::registry::{self, Visitor};
use crate::{HasMeta, StaticKind};

#[cfg(test)]
mod tests;

/// The body in JSON of a body in protobuf: a built-in kind of an enabled group, or a list of one.
///
/// ```
/// use watchkeeper_api::{core::v1::ConfigMap, json, object, pb};
/// let config = object!(ConfigMap { metadata: { name: "a" }, data: { "key": "value" } });
/// let text = pb::body_to_json(&pb::to_body(&config))?;
/// assert_eq!(json::from_str::<ConfigMap>(&text)?, config);
/// assert_eq!(pb::body_from_json(&text)?, pb::to_body(&config));
/// # Ok::<(), pb::ReadError>(())
/// ```
///
/// # Errors
/// When the kind is not known or the body is none of it.
pub fn body_to_json(body: &[u8]) -> Result<String, ReadError> {
    let envelope = Envelope::open(body)?;
    match entry(envelope.api_version, envelope.kind)? {
        Found::One(entry) => (entry.to_json)(body),
        Found::List(entry) => (entry.to_json)(body),
    }
}

/// The body in protobuf of a body in JSON, which names its kind: a built-in one of an enabled group,
/// or a list of one.
///
/// # Errors
/// When the kind is not known or has no protobuf, or the text is none of it.
pub fn body_from_json(text: &str) -> Result<Vec<u8>, ReadError> {
    let names: json::TypeMeta = json::from_str(text)?;
    match entry(&names.api_version, &names.kind)? {
        Found::One(entry) => (entry.from_json)(text),
        Found::List(entry) => (entry.from_json)(text),
    }
}

/// Whether bodies of this kind, or of lists of it (`PodList`), can be had in protobuf.
#[must_use]
pub fn is_known(api_version: &str, kind: &str) -> bool {
    entry(api_version, kind).is_ok()
}

struct Entry {
    api_version: String,
    kind: &'static str,
    any_version: bool,
    to_json: fn(&[u8]) -> Result<String, ReadError>,
    from_json: fn(&str) -> Result<Vec<u8>, ReadError>,
    /// Of lists, where there are some.
    list: Option<ListEntry>,
}

struct ListEntry {
    to_json: fn(&[u8]) -> Result<String, ReadError>,
    from_json: fn(&str) -> Result<Vec<u8>, ReadError>,
}

enum Found {
    One(&'static Entry),
    List(&'static ListEntry),
}

/// The kind of that name, or the kind whose list has that name.
fn entry(api_version: &str, kind: &str) -> Result<Found, ReadError> {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let mut entries = Entries(Vec::new());
        registry::visit(&mut entries);
        entries.visit_plain::<any::List>("v1", "List");
        entries.0
    });
    let find = |kind: &str| {
        let is = |entry: &&Entry| {
            entry.kind == kind && (entry.any_version || entry.api_version == api_version)
        };
        ENTRIES.iter().find(is)
    };
    let list = || find(kind.strip_suffix("List")?)?.list.as_ref().map(Found::List);
    let found = find(kind).map(Found::One).or_else(list);
    found.ok_or_else(|| {
        let [kind, version] =
            [kind, api_version].map(|text| text.chars().take(60).collect::<String>());
        ReadError::new(format!("{kind:?} of {version:?} is no kind with protobuf"), 0)
    })
}

struct Entries(Vec<Entry>);

impl Visitor for Entries {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        self.0.push(Entry {
            api_version: kind.api_version().into_owned(),
            kind: K::default().members().named().map_or("", |named| named.kind),
            any_version: false,
            to_json: to_json::<K>,
            from_json: from_json::<K>,
            list: Some(list::<K>()),
        });
    }

    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        let named = T::default().members().named();
        self.0.push(Entry {
            api_version: api_version.to_owned(),
            kind,
            any_version: named.is_some_and(|named| named.any_version),
            to_json: to_json::<T>,
            from_json: from_json::<T>,
            // The server answers with lists of it where only metadata was asked for.
            list: (kind == "PartialObjectMetadata").then(list::<T>),
        });
    }
}

/// Managed fields are kept: what a server answers is for the client to thin out.
fn decoder() -> Decoder {
    Decoder::default().keep_managed_fields(true)
}

fn to_json<T: Write + Message + Default>(body: &[u8]) -> Result<String, ReadError> {
    let mut value = T::default();
    decoder().fill_body(body, &mut value)?;
    Ok(json::to_string(&value))
}

fn from_json<T: Read + Message + Default>(text: &str) -> Result<Vec<u8>, ReadError> {
    let mut value = T::default();
    read_text(text, &mut |r| value.read_into(r))?;
    Ok(super::to_body(&value))
}

const fn list<T: Read + Write + Message + Default>() -> ListEntry {
    ListEntry { to_json: list_to_json::<T>, from_json: list_from_json::<T> }
}

fn list_to_json<T: Write + Message + Default>(body: &[u8]) -> Result<String, ReadError> {
    let mut items: Vec<T> = Vec::new();
    let head = decoder().list_into(body, &mut |r| {
        items.push(T::default());
        items.last_mut().map_or(Ok(()), |item| r.message(item))
    })?;
    Ok(json::to_string(&ListOf { head, items: &items }))
}

fn list_from_json<T: Read + Message + Default>(text: &str) -> Result<Vec<u8>, ReadError> {
    let mut items: Vec<T> = Vec::new();
    let metadata = read_list(text, &mut |r| T::read_onto(&mut items, r))?;
    let mut items = items.iter().map(|item| item as &dyn Message);
    Ok(list_body(T::default().members().named(), &metadata, &mut items))
}

/// Reads the one value of a text by `read`: the same code for all types, as are the three below.
fn read_text(text: &str, read: &mut ReadBy<'_>) -> Result<(), ReadError> {
    json::Decoder::default().keep_managed_fields(true).read_alone(text, read)
}

fn read_list(text: &str, item: &mut ReadBy<'_>) -> Result<ListMeta, ReadError> {
    let mut list = ListIn { metadata: ListMeta::default(), item };
    read_text(text, &mut |r| {
        r.object(names!["metadata", "items", "kind", "apiVersion"], &mut list)
    })?;
    Ok(list.metadata)
}

fn list_body(
    named: Option<Named>,
    metadata: &ListMeta,
    items: &mut dyn DoubleEndedIterator<Item = &dyn Message>,
) -> Vec<u8> {
    let (api_version, kind) = named.map_or(("", ""), |named| (named.api_version, named.kind));
    super::list::body(api_version, kind, metadata, items)
}

/// A list as JSON is written.
struct ListOf<'a> {
    head: ListHead,
    items: &'a dyn Write,
}

impl Write for ListOf<'_> {
    fn write(&self, w: &mut Writer) {
        w.open();
        w.text_field("\"kind\":", &self.head.kind);
        w.text_field("\"apiVersion\":", &self.head.api_version);
        w.field("\"metadata\":", &self.head.metadata);
        w.field("\"items\":", self.items);
        w.close();
    }

    fn is_default(&self) -> bool {
        false
    }
}

/// Reads what is next.
type ReadBy<'a> = dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError> + 'a;

/// A list as JSON is read.
struct ListIn<'a, 'b> {
    metadata: ListMeta,
    item: &'a mut ReadBy<'b>,
}

impl Fields for ListIn<'_, '_> {
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match index {
            0 => self.metadata.read_into(r),
            1 => r.list(self.item),
            _ => r.skip(),
        }
    }
}

/// A list of anything: upstream's `v1.List`, which servers take and never send.
mod any {
    use crate::codec::codec;
    use crate::meta::v1::ListMeta;
    use crate::{List as Elements, Raw};

    #[derive(Clone, Default, PartialEq)]
    pub(super) struct List {
        metadata: ListMeta,
        items: Elements<Raw>,
    }

    codec! { List: "v1"
        2 "metadata" [1] opt metadata
        3 "items" [2] opt items
        => [2 items] [1 metadata]
    }
}
