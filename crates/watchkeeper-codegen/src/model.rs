//! From facts to what is written: modules, families of structs, fields with their Rust types.
//!
//! Embedded structs are flattened into the outer one, as JSON has them; `TypeMeta` is left out,
//! because a kind knows its own. Kinds that are lists are left out: a list is the client's
//! `ListPage<K>`.

mod family;
mod protobuf;
mod rust_type;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use watchkeeper_schema::facts::{Facts, Field, KindFacts, Presence, Scalar, Scope, Type};

pub(crate) use family::Family;
pub(crate) use rust_type::RustType;
use rust_type::Sharing;

use crate::groups::{Group, Groups};
use crate::name;

pub(crate) const META_PACKAGE: &str = "io.k8s.apimachinery.pkg.apis.meta.";
const TYPE_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta";
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const MANAGED_FIELDS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry";
const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/// One version of a group.
pub(crate) struct Module {
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) families: Vec<Family>,
}

/// A struct to write.
#[derive(Clone)]
pub(crate) struct StructDef {
    pub(crate) model: String,
    pub(crate) name: String,
    pub(crate) fields: Vec<FieldDef>,
    pub(crate) kind: Option<KindDef>,
    /// It is the value of a shared field, so that it needs an empty value to borrow.
    pub(crate) shared: bool,
    /// It holds itself, so that its schema has no end.
    pub(crate) recursive: bool,
    /// It has no protobuf.
    pub(crate) json_only: bool,
}

/// A field to write.
#[derive(Clone)]
pub(crate) struct FieldDef {
    pub(crate) json: String,
    pub(crate) name: String,
    pub(crate) ty: RustType,
    pub(crate) rule: Rule,
    pub(crate) pb: protobuf::Position,
    /// What the facts add to the schema of the type.
    pub(crate) schema: Vec<String>,
}

/// How a member is read and written; the rules are `codec!`'s.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Always written.
    Req,
    /// Left out when default.
    Opt,
    /// Left out when default, not interned.
    Unique,
    /// Always written, not interned.
    Own,
    /// Left out when default, read on demand.
    Managed,
    /// Left out when default, cloned from another object's.
    Same,
    /// Left out when default; a list whose elements are shared one by one.
    Each,
}

impl Rule {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Req => "req",
            Self::Opt => "opt",
            Self::Unique => "unique",
            Self::Own => "own",
            Self::Managed => "managed",
            Self::Same => "same",
            Self::Each => "each",
        }
    }
}

/// A field of a struct or of one that is embedded in it.
pub(crate) struct Flat<'a> {
    /// The model that declares it.
    declared_in: &'a str,
    field: &'a Field,
    /// Its numbers in protobuf, if it has any.
    numbers: Option<Vec<u32>>,
}

/// What a top-level kind has besides its fields.
#[derive(Clone)]
pub(crate) struct KindDef {
    /// The API group; empty for core.
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    pub(crate) scope: Option<Scope>,
    /// It has an `ObjectMeta`, so it is an object.
    pub(crate) is_object: bool,
    /// The type of its status, where the status is a subresource.
    pub(crate) status: Option<RustType>,
}

impl KindDef {
    /// `apps/v1`, or `v1` for the core group.
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

/// Facts that the generator cannot make types of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError(String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModelError {}

/// A model name taken apart: the group it belongs to, the version and the struct's own name.
pub(crate) struct Place<'a> {
    pub(crate) group: &'a Group,
    pub(crate) version: &'static str,
    pub(crate) name: String,
}

/// Where a model is generated, if it is.
pub(crate) fn place<'a>(groups: &'a Groups, model: &str) -> Option<Place<'a>> {
    let (package, name) = model.rsplit_once('.')?;
    let (package, version) = package.rsplit_once('.')?;
    let group = groups.groups.iter().find(|group| group.package == package)?;
    let version = group.versions.iter().find(|known| **known == version)?;
    Some(Place { group, version, name: name.to_owned() })
}

/// The modules to write, sorted by group and version.
pub(crate) fn modules(facts: &Facts, groups: &Groups) -> Result<Vec<Module>, ModelError> {
    let structs = Builder::new(facts, groups).build()?;
    let mut modules = Vec::new();
    for group in &groups.groups {
        for version in group.versions {
            let prefix = format!("{}.{version}.", group.package);
            let own = structs.iter().filter(|s| s.model.starts_with(&prefix)).cloned().collect();
            let families = family::split(group, own);
            modules.push(Module { group: group.name, version, families });
        }
    }
    Ok(modules)
}

struct Builder<'a> {
    facts: &'a Facts,
    groups: &'a Groups,
    /// The kinds to write, by model. Those of `meta` are registered in every group: the first
    /// one, core, counts.
    kinds: BTreeMap<&'a str, &'a KindFacts>,
    /// The models to write.
    wanted: BTreeSet<&'a str>,
}

impl<'a> Builder<'a> {
    fn new(facts: &'a Facts, groups: &'a Groups) -> Self {
        Self { facts, groups, kinds: BTreeMap::new(), wanted: BTreeSet::new() }
    }

    fn build(mut self) -> Result<Vec<StructDef>, ModelError> {
        for kind in &self.facts.kinds {
            if self.is_own_kind(kind) && !self.is_list(&kind.model) {
                if self.names_itself(&kind.model) {
                    self.kinds.entry(&kind.model).or_insert(kind);
                }
                self.want(&kind.model);
            }
        }
        for model in self.facts.structs.keys() {
            if self.is_wanted_whole(model) {
                self.want(model);
            }
        }
        let mut structs: Vec<StructDef> =
            self.wanted.iter().map(|model| self.struct_def(model)).collect::<Result<_, _>>()?;
        let shared: BTreeSet<String> =
            structs.iter().flat_map(|s| &s.fields).filter_map(|f| f.ty.shared_struct()).collect();
        structs.iter_mut().for_each(|s| s.shared = shared.contains(&s.model));
        Ok(structs)
    }

    /// Kinds of other packages appear in a group that merely registers them, and alpha and beta
    /// versions keep kinds that have left them.
    fn is_own_kind(&self, kind: &KindFacts) -> bool {
        let is_early = kind.version.contains("alpha") || kind.version.contains("beta");
        if is_early && kind.plural.is_empty() {
            return false;
        }
        place(self.groups, &kind.model).is_some_and(|place| {
            place.group.whole || (place.version == kind.version && place.name == kind.kind)
        })
    }

    /// It states its apiVersion and kind. A `WatchEvent` does not, though it is registered as one.
    fn names_itself(&self, model: &str) -> bool {
        let facts = self.facts.get(model);
        facts.is_some_and(|of| of.fields.iter().any(|f| f.ty.model() == Some(TYPE_META)))
    }

    fn is_list(&self, model: &str) -> bool {
        let has = |test: fn(&Field) -> bool| {
            self.facts.get(model).is_some_and(|of| of.fields.iter().any(test))
        };
        has(|f| f.json == "items" && matches!(f.ty, Type::List(_)))
            && has(|f| f.ty.model() == Some(LIST_META))
    }

    fn is_wanted_whole(&self, model: &str) -> bool {
        model != TYPE_META
            && self.facts.get(model).is_some_and(|of| !of.fields.is_empty())
            && !self.is_list(model)
            && place(self.groups, model).is_some_and(|place| place.group.whole)
    }

    /// Marks a struct and all it holds. What is embedded is flattened and needs no struct.
    fn want(&mut self, model: &'a str) {
        if !self.wanted.insert(model) {
            return;
        }
        for flat in self.flatten(model) {
            if let Some(model) = flat.field.ty.model() {
                self.want(model);
            }
        }
    }

    /// The fields of a struct with those of embedded structs in their place.
    fn flatten(&self, model: &'a str) -> Vec<Flat<'a>> {
        let mut out = Vec::new();
        self.flatten_into(model, Some(Vec::new()), &mut out);
        out
    }

    fn flatten_into(&self, model: &'a str, path: Option<Vec<u32>>, out: &mut Vec<Flat<'a>>) {
        for field in self.facts.get(model).into_iter().flat_map(|of| &of.fields) {
            let numbers = path.iter().zip(field.pb).next().map(|(path, own)| {
                let mut numbers = path.clone();
                numbers.push(own.number);
                numbers
            });
            match (field.presence, field.ty.model()) {
                (Presence::Inline, Some(TYPE_META)) => {}
                (Presence::Inline, Some(inner)) => self.flatten_into(inner, numbers, out),
                _ => out.push(Flat { declared_in: model, field, numbers }),
            }
        }
    }

    fn struct_def(&self, model: &str) -> Result<StructDef, ModelError> {
        let Some(model) = self.facts.structs.name(model) else {
            return Err(ModelError(format!("no struct is called `{model}`")));
        };
        let place = place(self.groups, model).ok_or_else(|| {
            ModelError(format!("`{model}` is needed, and lies in no group that is generated"))
        })?;
        let flat = self.flatten(model);
        let json_only = !flat.is_empty() && flat.iter().all(|flat| flat.numbers.is_none());
        let fields: Vec<FieldDef> =
            flat.iter().map(|flat| self.field_def(flat)).collect::<Result<_, _>>()?;
        distinct(model, &fields)?;
        let kind = self.kinds.get(model).map(|kind| kind_def(kind, &fields));
        let recursive = self.is_recursive(model);
        let (model, name) = (model.to_owned(), place.name);
        Ok(StructDef { model, name, fields, kind, shared: false, recursive, json_only })
    }

    fn field_def(&self, flat: &Flat<'_>) -> Result<FieldDef, ModelError> {
        let (declared_in, field) = (flat.declared_in, flat.field);
        let sharing = if self.groups.is_shared(declared_in, &field.json) {
            Sharing::Whole
        } else if self.groups.is_each(declared_in, &field.json) {
            Sharing::Each
        } else {
            Sharing::No
        };
        let ty = rust_type::of(self.groups, field, sharing)
            .ok_or_else(|| ModelError(format!("no type for `{}` of {declared_in}", field.json)))?;
        let pb = protobuf::position(flat).ok_or_else(|| {
            ModelError(format!("`{}` of {declared_in} lies too deep", field.json))
        })?;
        let rule = self.rule(declared_in, field);
        let schema = schema::additions(self.facts, field);
        let (json, name) = (field.json.clone(), name::field(&field.json));
        Ok(FieldDef { json, name, ty, rule, pb, schema })
    }

    fn is_recursive(&self, model: &'a str) -> bool {
        let mut seen = BTreeSet::new();
        let mut left = vec![model];
        while let Some(next) = left.pop() {
            for inner in self.flatten(next).iter().filter_map(|flat| flat.field.ty.model()) {
                if inner == model {
                    return true;
                }
                if seen.insert(inner) {
                    left.push(inner);
                }
            }
        }
        false
    }

    /// Go always writes a field by value without `omitempty`. That matters for scalars, which a
    /// schema may require even where they are empty; a zero time is `null`, and better absent, and
    /// an applier must not claim structs, lists and maps that it does not mention.
    fn rule(&self, declared_in: &str, field: &Field) -> Rule {
        let is_time = matches!(field.ty.scalar(), Some(Scalar::Time | Scalar::MicroTime));
        let is_always =
            field.presence == Presence::Always && field.ty.scalar().is_some() && !is_time;
        if field.ty.model() == Some(MANAGED_FIELDS) {
            Rule::Managed
        } else if self.groups.is_unique(declared_in, &field.json) {
            if is_always { Rule::Own } else { Rule::Unique }
        } else if self.groups.is_same(declared_in, &field.json) {
            Rule::Same
        } else if self.groups.is_each(declared_in, &field.json) {
            Rule::Each
        } else if is_always {
            Rule::Req
        } else {
            Rule::Opt
        }
    }
}

fn distinct(model: &str, fields: &[FieldDef]) -> Result<(), ModelError> {
    let mut seen = BTreeSet::new();
    match fields.iter().find(|field| !seen.insert(&field.name)) {
        Some(twice) => Err(ModelError(format!("`{model}` has two fields `{}`", twice.name))),
        None => Ok(()),
    }
}

fn kind_def(kind: &KindFacts, fields: &[FieldDef]) -> KindDef {
    let metadata = fields.iter().find(|field| field.json == "metadata");
    let status = fields.iter().find(|field| field.json == "status");
    let has_status = kind.subresources.iter().any(|sub| sub.name == "status");
    KindDef {
        group: kind.group.clone(),
        version: kind.version.clone(),
        plural: kind.plural.clone(),
        scope: kind.scope,
        is_object: metadata.is_some_and(|field| field.ty.is_struct(OBJECT_META)),
        status: status.filter(|_| has_status).map(|field| field.ty.clone()),
    }
}
