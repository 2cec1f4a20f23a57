//! From schemas to the structs of one version of a group.
//!
//! Structs of one shape are one struct, where their names end in the same word: the compiler and the
//! reader are spared the others. What cannot be typed is raw JSON, with a note why.

mod at;
mod field;
mod known;
mod model;
mod schema;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

pub(crate) use field::{REST, identifier};
pub(crate) use model::{Count, Field, KindInfo, Note, Rule, Struct, Ty, Use};

use super::input::Resource;
use super::words;
use at::At;
use field::Place;
use schema::{
    KEEPS, description, is_any, is_filled, is_plain, is_set, keeping_as, keeps_others, reference,
    says_nothing, type_name,
};

/// Why a member has no type, or no member of its object has.
const ESCAPES: &str = "a member's name needs escapes";

/// The types of a version of a group.
pub(crate) struct Module {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) structs: Vec<Struct>,
    pub(crate) notes: Vec<Note>,
    pub(crate) count: Count,
}

/// Shapes the resources of one group and version, in the order of their kinds.
pub(crate) fn module(resources: &[&Resource], enums: bool) -> Module {
    let mut builder = Builder { enums, ..Builder::default() };
    for resource in resources {
        builder.resource(resource);
    }
    let components = std::mem::take(&mut builder.components);
    for field in builder.structs.iter_mut().flat_map(|of| &mut of.fields) {
        field.ty = std::mem::replace(&mut field.ty, Ty::Raw).resolved(&components);
    }
    let first = resources.first();
    Module {
        group: first.map(|r| r.group.clone()).unwrap_or_default(),
        version: first.map(|r| r.version.clone()).unwrap_or_default(),
        count: builder.counted(),
        structs: builder.structs,
        notes: builder.notes,
    }
}

#[derive(Default)]
struct Builder {
    structs: Vec<Struct>,
    /// Structs by shape and last word.
    shapes: BTreeMap<String, usize>,
    /// Structs by the component they are made of; `None` while they are made.
    components: BTreeMap<String, Option<Ty>>,
    /// Why those are raw that are: the text of the note, and whether the schema leaves them open.
    component_notes: BTreeMap<String, (String, bool)>,
    notes: Vec<Note>,
    count: Count,
    /// Texts of which the schema names all are enumerations.
    enums: bool,
    /// What is shaped now.
    document: Option<Arc<Map<String, Value>>>,
    kind: String,
    api_version: String,
}

impl Builder {
    fn counted(&self) -> Count {
        Count { structs: self.structs.len(), ..self.count }
    }

    fn resource(&mut self, resource: &Resource) {
        let before = self.counted();
        self.document.clone_from(&resource.components);
        self.kind.clone_from(&resource.kind);
        self.api_version = resource.api_version();
        let schema = &resource.schema;
        let nothing = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
        let doc = description(properties.get("metadata"));
        let mut fields = vec![Field { doc, ..field::metadata() }];
        // What has no field has no type either: `rest` keeps it.
        let named: Map<String, Value> = properties
            .iter()
            .filter(|(name, _)| is_plain(name))
            .map(|(name, schema)| (name.clone(), schema.clone()))
            .collect();
        fields.extend(self.fields(schema, &named, &At::default()));
        for name in properties.keys().filter(|name| !is_plain(name)) {
            self.count.fields += 1;
            self.count.untyped += 1;
            // As text: it may be anything.
            self.raw(&At::default().member(&name.escape_debug().to_string()), ESCAPES);
        }
        let rest = keeps_others(schema) || properties.is_empty() || named.len() < properties.len();
        let status = fields.iter().any(|field| field.json == "status") && resource.status;
        let info = KindInfo {
            api_version: resource.api_version(),
            group: resource.group.clone(),
            version: resource.version.clone(),
            kind: resource.kind.clone(),
            plural: resource.plural.clone(),
            namespaced: resource.namespaced,
            status,
            schema: schema.clone(),
            definition: resource.definition.clone(),
            count: Count::default(),
        };
        self.structs.push(Struct {
            fields,
            rest,
            doc: description(Some(schema)),
            kind: Some(info),
            component: None,
            uses: Vec::new(),
            pointer: String::new(),
            choices: Vec::new(),
        });
        let count = self.counted().since(before);
        if let Some(info) = self.structs.last_mut().and_then(|of| of.kind.as_mut()) {
            info.count = count;
        }
    }

    /// The type of a value.
    fn ty(&mut self, schema: &Value, at: &At) -> Ty {
        if let Some(reference) = reference(schema) {
            return self.reference(reference, at);
        }
        if let Some(texts) = known::choices(schema).filter(|_| self.enums) {
            return self.choice(texts, schema, at);
        }
        if let Some(ty) = known::scalar(schema) {
            return ty;
        }
        if is_set(schema, "x-kubernetes-embedded-resource") {
            return self.open(at, "an object of any kind");
        }
        if at.is_too_deep() {
            return self.raw(at, "it nests too deep");
        }
        match type_name(schema) {
            Some("object") => self.object(schema, at),
            Some("array") => {
                let inner = at.inner(true);
                let item = match schema.get("items") {
                    Some(items @ Value::Object(_)) => {
                        self.nullable(&keeping_as(schema, items), &inner)
                    }
                    _ => self.open(&inner, "items of any type"),
                };
                Ty::List(Box::new(item))
            }
            Some(other) => self.raw(at, &format!("no type is called {other:?}")),
            None if schema.get("properties").is_some_and(Value::is_object)
                || schema.get("additionalProperties").is_some_and(Value::is_object) =>
            {
                self.object(schema, at)
            }
            None if is_set(schema, KEEPS) => self.open(at, "any value"),
            None if says_nothing(schema) => self.open(at, "any value"),
            None => self.raw(at, "the schema names no type"),
        }
    }

    fn object(&mut self, schema: &Value, at: &At) -> Ty {
        if let Some(ty) = known::object(schema) {
            return ty;
        }
        let nothing = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
        if !properties.is_empty() {
            if !properties.keys().all(|name| is_plain(name)) {
                return self.raw(at, ESCAPES);
            }
            let fields = self.fields(schema, properties, &at.part());
            return Ty::Struct(self.intern(fields, keeps_others(schema), schema, at));
        }
        match schema.get("additionalProperties") {
            Some(values) if is_any(values) => self.any_object(at),
            Some(values @ Value::Object(_)) => {
                Ty::Map(Box::new(self.nullable(values, &at.inner(false))))
            }
            // A server prunes what a definition does not name; other APIs do not say.
            None if self.document.is_some() || keeps_others(schema) => self.any_object(at),
            _ => Ty::Struct(self.intern(Vec::new(), false, schema, at)),
        }
    }

    /// An item or value, which may be `null`.
    fn nullable(&mut self, schema: &Value, at: &At) -> Ty {
        let ty = self.ty(schema, at);
        let wraps = is_set(schema, "nullable") && !matches!(ty, Ty::Raw);
        if wraps { Ty::Option(Box::new(ty)) } else { ty }
    }

    fn fields(&mut self, schema: &Value, properties: &Map<String, Value>, at: &At) -> Vec<Field> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name)))
        };
        let root = at.path.is_empty();
        let mut fields = Vec::new();
        for (name, schema) in properties {
            if root && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let at = at.member(name);
            let known = self.notes.len();
            let ty = self.ty(schema, &at);
            self.count(&ty, known);
            let place = Place {
                required: is_required(name) && schema.get("default").is_none(),
                nullable: is_set(schema, "nullable"),
                filled: schema.get("default").is_some_and(is_filled),
                part: root && matches!(name.as_str(), "spec" | "status"),
            };
            let note = self.notes.get(known..).and_then(<[Note]>::last).filter(|_| ty.holds_raw());
            let note = note.map(|note| note.text.clone());
            let doc = description(Some(schema));
            fields.push(Field { doc, note, ..field::field(name, ty, place) });
        }
        field::name(&mut fields, root);
        fields
    }

    /// The enumeration of those texts, made when there is none.
    fn choice(&mut self, texts: Vec<String>, schema: &Value, at: &At) -> Ty {
        let words = at.words();
        let word = words.last().map_or("", String::as_str);
        let key = format!("one of {word} {texts:?}");
        Ty::Choice(self.interned(key, Vec::new(), false, texts, schema, at))
    }

    /// The struct of that shape, made when there is none.
    fn intern(&mut self, fields: Vec<Field>, rest: bool, schema: &Value, at: &At) -> usize {
        let words = at.words();
        let shape: Vec<_> =
            fields.iter().map(|field| (&field.json, &field.ty, field.rule)).collect();
        let word = words.last().map_or("", String::as_str);
        let key = format!("{word} {rest} {shape:?}");
        self.interned(key, fields, rest, Vec::new(), schema, at)
    }

    fn interned(
        &mut self,
        key: String,
        fields: Vec<Field>,
        rest: bool,
        choices: Vec<String>,
        schema: &Value,
        at: &At,
    ) -> usize {
        let used = Use { kind: self.kind.clone(), path: at.path.clone(), words: at.words() };
        if let Some(index) = self.shapes.get(&key) {
            self.structs[*index].uses.push(used);
            return *index;
        }
        let doc = description(Some(schema));
        let index = self.structs.len();
        self.structs.push(Struct {
            fields,
            rest,
            doc,
            kind: None,
            component: None,
            uses: vec![used],
            pointer: at.pointer.clone(),
            choices,
        });
        self.shapes.insert(key, index);
        index
    }

    /// The type of a component of the document.
    fn reference(&mut self, reference: &str, at: &At) -> Ty {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        if let Some(ty) = known::component(name) {
            return if ty == Ty::Raw { self.open(at, "any value") } else { ty };
        }
        match self.components.get(name) {
            Some(Some(ty)) => {
                let ty = ty.clone();
                if ty.holds_raw() {
                    let known = self.component_notes.get(name).cloned();
                    let (what, open) = known.unwrap_or_default();
                    self.note(at, &what, open);
                }
                return ty;
            }
            Some(None) => return Ty::Back(name.to_owned()),
            None => {}
        }
        let schema = self.document.as_ref().and_then(|schemas| schemas.get(name)).cloned();
        let Some(schema) = schema else {
            return self.raw(at, &format!("the document has no {name:?}"));
        };
        self.components.insert(name.to_owned(), None);
        let (before, known) = (self.structs.len(), self.notes.len());
        let inner = at.component(words::last(name));
        let mut ty = self.ty(&schema, &inner);
        match &ty {
            // A component has a name of its own, so it is not one with others of its shape.
            Ty::Struct(index) if *index >= before => {
                self.structs[*index].component = Some(name.to_owned());
            }
            Ty::Struct(_) | Ty::Back(_) => {}
            other if other.goes_back(name) => ty = self.raw(at, "it is a list or a map of itself"),
            _ => {}
        }
        self.components.insert(name.to_owned(), Some(ty.clone()));
        let noted = self.notes.get(known..).and_then(<[Note]>::last).filter(|_| ty.holds_raw());
        let noted = noted.map(|note| (note.text.clone(), note.open));
        self.component_notes.extend(noted.map(|noted| (name.to_owned(), noted)));
        ty
    }

    /// Counts a member, whose notes are those from `known` on.
    fn count(&mut self, ty: &Ty, known: usize) {
        self.count.fields += 1;
        if !ty.holds_raw() {
            return;
        }
        if self.notes.iter().skip(known).all(|note| note.open) {
            self.count.open += 1;
            self.count.open_maps += usize::from(ty.is_open_map());
        } else {
            self.count.untyped += 1;
        }
    }

    /// An object of which the schema names no member.
    fn any_object(&mut self, at: &At) -> Ty {
        self.open(at, "an object of any members");
        Ty::AnyObject
    }

    /// What the schema leaves open.
    fn open(&mut self, at: &At, what: &str) -> Ty {
        self.note(at, what, true)
    }

    /// What cannot be typed.
    fn raw(&mut self, at: &At, why: &str) -> Ty {
        self.note(at, why, false)
    }

    fn note(&mut self, at: &At, text: &str, open: bool) -> Ty {
        let kind = format!("{} {}", self.api_version, self.kind);
        self.notes.push(Note { kind, path: at.path.join("."), text: text.to_owned(), open });
        Ty::Raw
    }
}
