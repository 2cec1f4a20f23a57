//! The schemas of the built-in kinds, made from their facts.
//!
//! Names are those of upstream's OpenAPI documents. Embedded structs are flattened into the struct
//! around them, as Go's JSON does. Types that write themselves (`Time`, `Quantity`, …) have the
//! schemas that upstream publishes for them.

use std::sync::OnceLock;

use crate::facts::{self, Facts, Field, Scalar, Struct};
use crate::node::{ListType, MapType, PatchStrategy, Presence, Schema, Type};
use crate::registry::Schemas;

#[cfg(test)]
mod tests;

pub use crate::crd::OBJECT_META;

/// The model name of `metav1.Time`.
pub const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
/// The model name of `metav1.MicroTime`.
pub const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
/// The model name of `metav1.Duration`.
pub const DURATION: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Duration";
/// The model name of `metav1.FieldsV1`.
pub const FIELDS_V1: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1";
/// The model name of `resource.Quantity`.
pub const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
/// The model name of `intstr.IntOrString`.
pub const INT_OR_STRING: &str = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
/// The model name of `runtime.RawExtension`.
pub const RAW: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";

const APIEXTENSIONS: &str = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/// The facts of the pinned release, each struct of which is read once, when it is first wanted.
///
/// # Panics
///
/// If the committed files do not follow their grammar; a test holds them to it.
#[must_use]
pub fn facts() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| Facts::unread().expect("the committed facts follow their grammar"))
}

impl Schemas {
    /// The schemas of the built-in kinds of the pinned release, each made once, when it is first wanted.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Schemas> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let of_model = |model: &str| {
                facts().get(model).map_or_else(Schema::default, |of| structure(of, facts()))
            };
            let mut schemas = Self::made_by(facts().structs.keys().map(str::to_owned), of_model);
            add_special(&mut schemas);
            schemas
        })
    }

    /// The schemas of all structs of `facts`.
    #[must_use]
    pub fn from_facts(facts: &Facts) -> Self {
        let mut schemas = Self::new();
        for (model, of) in facts.structs.iter() {
            schemas.insert(model, structure(of, facts));
        }
        add_special(&mut schemas);
        schemas
    }
}

fn structure(of: &Struct, facts: &Facts) -> Schema {
    let mut schema = Schema::object();
    add_fields(&mut schema, of, facts);
    if of.atomic {
        schema.map_type = Some(MapType::Atomic);
    }
    schema
}

fn add_fields(schema: &mut Schema, of: &Struct, facts: &Facts) {
    for field in &of.fields {
        if field.presence == facts::Presence::Inline {
            if let Some(inner) = field.ty.model().and_then(|model| facts.get(model)) {
                add_fields(schema, inner, facts);
            }
            continue;
        }
        if field.required {
            schema.required.push(field.json.clone());
        }
        schema.properties.insert(field.json.clone(), member(field));
    }
}

fn member(field: &Field) -> Schema {
    let mut schema = of_type(&field.ty);
    schema.presence = presence(field.presence);
    let facts::PatchStrategy { merge, replace, retain_keys } = field.patch;
    schema.patch = PatchStrategy { merge, replace, retain_keys };
    schema.merge_key.clone_from(&field.merge_key);
    schema.list_type = field.list.map(list_type);
    schema.list_keys.clone_from(&field.list_keys);
    schema.map_type = field.map.map(map_type);
    schema.default = field.default.as_deref().and_then(|text| serde_json::from_str(text).ok());
    schema.enum_values = field.enum_values.iter().map(|v| v.as_str().into()).collect();
    if field.format.is_some() {
        schema.format.clone_from(&field.format);
    }
    schema
}

fn of_type(ty: &facts::Type) -> Schema {
    match ty {
        facts::Type::Scalar(of) | facts::Type::Named(of, _) => scalar(*of),
        facts::Type::Struct(model) => Schema::reference(model.as_str()),
        facts::Type::List(item) => Schema::array(of_type(item)),
        facts::Type::Map(value) => Schema::map(of_type(value)),
    }
}

fn scalar(of: Scalar) -> Schema {
    match of {
        Scalar::String => Schema::string(),
        Scalar::Bool => Schema::boolean(),
        Scalar::Int32 => Schema::int32(),
        Scalar::Int64 => Schema::int64(),
        Scalar::Float64 => Schema::number(),
        Scalar::Bytes => Schema::string().format("byte"),
        Scalar::Time => Schema::reference(TIME),
        Scalar::MicroTime => Schema::reference(MICRO_TIME),
        Scalar::Duration => Schema::reference(DURATION),
        Scalar::Quantity => Schema::reference(QUANTITY),
        Scalar::IntOrString => Schema::reference(INT_OR_STRING),
        Scalar::Raw => Schema::reference(RAW),
        Scalar::FieldsV1 => Schema::reference(FIELDS_V1),
        Scalar::Json => Schema::reference(format!("{APIEXTENSIONS}.JSON")),
        Scalar::SchemaOrBool => Schema::reference(format!("{APIEXTENSIONS}.JSONSchemaPropsOrBool")),
        Scalar::SchemaOrArray => {
            Schema::reference(format!("{APIEXTENSIONS}.JSONSchemaPropsOrArray"))
        }
        Scalar::SchemaOrStringArray => {
            Schema::reference(format!("{APIEXTENSIONS}.JSONSchemaPropsOrStringArray"))
        }
    }
}

/// The types that write themselves, and any JSON at all.
fn add_special(schemas: &mut Schemas) {
    let atomic = |schema: Schema| Schema { map_type: Some(MapType::Atomic), ..schema };
    schemas.insert(TIME, Schema::date_time());
    schemas.insert(MICRO_TIME, Schema::date_time());
    schemas.insert(DURATION, Schema::string());
    schemas.insert(FIELDS_V1, atomic(Schema::any_object()));
    schemas.insert(RAW, atomic(Schema::any_object()));
    let one_of = vec![Schema::string(), Schema::of(Type::Number)];
    schemas.insert(QUANTITY, Schema { one_of, ..Schema::default() });
    let one_of = vec![Schema::of(Type::Integer), Schema::string()];
    let int_or_string = Schema { one_of, ..Schema::int_or_string().format("int-or-string") };
    schemas.insert(INT_OR_STRING, int_or_string);
    for name in
        ["JSON", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray"]
    {
        schemas.insert(format!("{APIEXTENSIONS}.{name}"), atomic(Schema::any()));
    }
}

fn presence(presence: facts::Presence) -> Presence {
    match presence {
        facts::Presence::Always => Presence::Always,
        facts::Presence::OmitEmpty | facts::Presence::Inline => Presence::OmitEmpty,
        facts::Presence::OmitZero => Presence::OmitZero,
        facts::Presence::Pointer => Presence::Pointer,
        facts::Presence::PointerOrNull => Presence::PointerOrNull,
    }
}

fn list_type(list: facts::ListType) -> ListType {
    match list {
        facts::ListType::Map => ListType::Map,
        facts::ListType::Set => ListType::Set,
        facts::ListType::Atomic => ListType::Atomic,
    }
}

fn map_type(map: facts::MapType) -> MapType {
    match map {
        facts::MapType::Atomic => MapType::Atomic,
        facts::MapType::Granular => MapType::Granular,
    }
}
