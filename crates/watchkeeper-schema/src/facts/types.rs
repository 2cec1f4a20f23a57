//! `types.facts`: structs and their fields.

use super::Structs;
use super::parse::{FactsError, Line, comma_list, lines};

/// A Go struct of the API, in declaration order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Struct {
    /// The OpenAPI model name.
    pub model: String,
    /// Server-side apply treats the struct as one value (`+structType=atomic`).
    pub atomic: bool,
    /// Fields as declared; embedded structs are fields with [`Presence::Inline`].
    pub fields: Vec<Field>,
}

/// A field of a [`Struct`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The member name in JSON; empty for an embedded struct.
    pub json: String,
    /// When the field is written.
    pub presence: Presence,
    /// What it holds.
    pub ty: Type,
    /// Number and wire type in protobuf.
    pub pb: Option<Pb>,
    /// How a strategic merge patch treats it.
    pub patch: PatchStrategy,
    /// The key of a strategic merge of lists.
    pub merge_key: Option<String>,
    /// How server-side apply treats a list.
    pub list: Option<ListType>,
    /// The keys of a list of type map.
    pub list_keys: Vec<String>,
    /// How server-side apply treats a map.
    pub map: Option<MapType>,
    /// The default as compact JSON text.
    pub default: Option<String>,
    /// OpenAPI lists the field as required.
    pub required: bool,
    /// The values allowed.
    pub enum_values: Vec<String>,
    /// The OpenAPI format, where it says more than the type.
    pub format: Option<String>,
    /// Protobuf wraps the list in a message with one repeated field.
    pub pb_wrapped: bool,
}

/// When Go writes a field, from its type and its `json` tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// By value: always written.
    Always,
    /// By value with `omitempty`: written unless empty. Structs are never empty.
    OmitEmpty,
    /// By value with `omitzero`: written unless zero.
    OmitZero,
    /// A pointer with `omitempty`: written unless nil.
    Pointer,
    /// A pointer without `omitempty`: nil is written as `null`.
    PointerOrNull,
    /// An embedded struct: its fields are members of the outer object.
    Inline,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A value without structure of its own.
    Scalar(Scalar),
    /// A named scalar type of Go, e.g. `PodPhase`.
    Named(Scalar, String),
    /// The struct of that model name.
    Struct(String),
    /// A list.
    List(Box<Self>),
    /// A map from string.
    Map(Box<Self>),
}

impl Type {
    /// The model name of the struct inside, through lists and maps.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::Scalar(_) | Self::Named(..) => None,
            Self::Struct(model) => Some(model),
            Self::List(of) | Self::Map(of) => of.model(),
        }
    }

    /// The scalar, named or not.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Named(scalar, _) => Some(*scalar),
            Self::Struct(_) | Self::List(_) | Self::Map(_) => None,
        }
    }
}

/// The types without structure of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Text.
    String,
    /// `true` or `false`.
    Bool,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// A floating point number.
    Float64,
    /// Bytes, base64 in JSON.
    Bytes,
    /// `metav1.Time`: seconds.
    Time,
    /// `metav1.MicroTime`: microseconds.
    MicroTime,
    /// `metav1.Duration`: text such as `1h30m`.
    Duration,
    /// `resource.Quantity`.
    Quantity,
    /// `intstr.IntOrString`.
    IntOrString,
    /// `runtime.RawExtension`: any object.
    Raw,
    /// `metav1.FieldsV1`: a set of field paths as an object.
    FieldsV1,
    /// `apiextensions.JSON`: any JSON value.
    Json,
    /// `apiextensions.JSONSchemaPropsOrBool`.
    SchemaOrBool,
    /// `apiextensions.JSONSchemaPropsOrArray`.
    SchemaOrArray,
    /// `apiextensions.JSONSchemaPropsOrStringArray`.
    SchemaOrStringArray,
}

/// A field's place in protobuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pb {
    /// The field number.
    pub number: u32,
    /// The wire type.
    pub wire: Wire,
}

/// The wire types that the API uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// A variable-length integer.
    Varint,
    /// Bytes with their length in front.
    Length,
    /// Eight bytes.
    Fixed64,
}

/// `patchStrategy` of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatchStrategy {
    /// Lists merge instead of being replaced.
    pub merge: bool,
    /// Objects are replaced instead of being merged.
    pub replace: bool,
    /// Only the keys named in the patch are kept.
    pub retain_keys: bool,
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListType {
    /// Items are found by their keys.
    Map,
    /// Items are scalars, each at most once.
    Set,
    /// The list is one value.
    Atomic,
}

/// `x-kubernetes-map-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapType {
    /// The map is one value.
    Atomic,
    /// Each entry is a value of its own.
    Granular,
}

type Types = (String, Structs);

/// Reads the whole file: version line, then structs.
pub(super) fn parse(text: &str) -> Result<Types, FactsError> {
    let mut lines = lines("types.facts", text);
    let version = match lines.next() {
        Some(line) => version(line)?,
        None => String::new(),
    };
    let mut structs = Structs::default();
    let mut current: Option<Struct> = None;
    for mut line in lines {
        if line.indented {
            let Some(of) = current.as_mut() else {
                return Err(line.error("a field before the first struct"));
            };
            of.fields.push(field(&mut line)?);
        } else {
            let next = header(&mut line)?;
            if let Some(done) = current.replace(next.clone()) {
                structs.insert(done);
            }
            if structs.contains_key(&next.model) {
                return Err(line.error("this struct is there twice"));
            }
        }
    }
    if let Some(done) = current {
        structs.insert(done);
    }
    Ok((version, structs))
}

/// Reads the first line of the file.
pub(super) fn version_of(text: &str) -> Result<String, FactsError> {
    lines("types.facts", text).next().map_or_else(|| Ok(String::new()), version)
}

/// Reads one struct, whose first line begins with its model name; line numbers are counted from there.
pub(super) fn one(text: &str) -> Result<Struct, FactsError> {
    let mut lines = lines("types.facts", text);
    let mut of = Struct::default();
    if let Some(mut line) = lines.next() {
        of = named(&mut line)?;
    }
    for mut line in lines {
        of.fields.push(field(&mut line)?);
    }
    Ok(of)
}

/// `facts 1 kubernetes v1.36.3`
fn version(mut line: Line<'_>) -> Result<String, FactsError> {
    let head = [line.expect("`facts`")?, line.expect("format 1")?, line.expect("`kubernetes`")?];
    if head != ["facts", "1", "kubernetes"] {
        return Err(line.error("expected `facts 1 kubernetes <version>`"));
    }
    Ok(line.expect("a version")?.to_owned())
}

/// `struct <model> [struct=atomic]`
fn header(line: &mut Line<'_>) -> Result<Struct, FactsError> {
    if line.expect("`struct`")? != "struct" {
        return Err(line.error("expected `struct`"));
    }
    named(line)
}

/// `<model> [struct=atomic]`
fn named(line: &mut Line<'_>) -> Result<Struct, FactsError> {
    let mut of = Struct { model: line.expect("a model name")?.to_owned(), ..Struct::default() };
    while let Some(attribute) = line.next() {
        match attribute {
            "struct=atomic" => of.atomic = true,
            _ => return Err(line.error(format_args!("unknown attribute `{attribute}`"))),
        }
    }
    Ok(of)
}

/// `<json> <presence> <type> <pb> [attr…]`
fn field(line: &mut Line<'_>) -> Result<Field, FactsError> {
    let json = line.expect("a member name")?;
    let token = line.expect("a presence rule")?;
    let presence = presence(token).ok_or_else(|| unknown(line, "presence rule", token))?;
    let token = line.expect("a type")?;
    let ty = type_of(token).ok_or_else(|| unknown(line, "type", token))?;
    let token = line.expect("a protobuf tag or `-`")?;
    let pb = protobuf(token).ok_or_else(|| unknown(line, "protobuf tag", token))?;
    let mut field = Field {
        json: if json == "-" { String::new() } else { json.to_owned() },
        presence,
        ty,
        pb,
        patch: PatchStrategy::default(),
        merge_key: None,
        list: None,
        list_keys: Vec::new(),
        map: None,
        default: None,
        required: false,
        enum_values: Vec::new(),
        format: None,
        pb_wrapped: false,
    };
    while let Some(token) = line.next() {
        attribute(&mut field, token).ok_or_else(|| unknown(line, "attribute", token))?;
    }
    Ok(field)
}

fn unknown(line: &Line<'_>, what: &str, token: &str) -> FactsError {
    line.error(format_args!("unknown {what} `{token}`"))
}

fn presence(token: &str) -> Option<Presence> {
    Some(match token {
        "req" => Presence::Always,
        "omit" => Presence::OmitEmpty,
        "zero" => Presence::OmitZero,
        "ptr" => Presence::Pointer,
        "ptrnull" => Presence::PointerOrNull,
        "inline" => Presence::Inline,
        _ => return None,
    })
}

fn type_of(token: &str) -> Option<Type> {
    if let Some(model) = token.strip_prefix('@') {
        return Some(Type::Struct(model.to_owned()));
    }
    if let Some(item) = token.strip_prefix('[') {
        return Some(Type::List(Box::new(type_of(item)?)));
    }
    if let Some(value) = token.strip_prefix('{') {
        return Some(Type::Map(Box::new(type_of(value)?)));
    }
    match token.split_once(':') {
        Some((of, name)) => Some(Type::Named(scalar(of)?, name.to_owned())),
        None => Some(Type::Scalar(scalar(token)?)),
    }
}

fn scalar(token: &str) -> Option<Scalar> {
    Some(match token {
        "string" => Scalar::String,
        "bool" => Scalar::Bool,
        "int32" => Scalar::Int32,
        "int64" => Scalar::Int64,
        "float64" => Scalar::Float64,
        "bytes" => Scalar::Bytes,
        "time" => Scalar::Time,
        "microtime" => Scalar::MicroTime,
        "duration" => Scalar::Duration,
        "quantity" => Scalar::Quantity,
        "intorstring" => Scalar::IntOrString,
        "raw" => Scalar::Raw,
        "fieldsv1" => Scalar::FieldsV1,
        "json" => Scalar::Json,
        "schemaorbool" => Scalar::SchemaOrBool,
        "schemaorarray" => Scalar::SchemaOrArray,
        "schemaorstringarray" => Scalar::SchemaOrStringArray,
        _ => return None,
    })
}

/// `<number><wire>` or `-`.
fn protobuf(token: &str) -> Option<Option<Pb>> {
    if token == "-" {
        return Some(None);
    }
    let (number, wire) = token.split_at_checked(token.len().checked_sub(1)?)?;
    let wire = match wire {
        "v" => Wire::Varint,
        "l" => Wire::Length,
        "f" => Wire::Fixed64,
        _ => return None,
    };
    Some(Some(Pb { number: number.parse().ok()?, wire }))
}

fn attribute(field: &mut Field, token: &str) -> Option<()> {
    match token {
        "required" => field.required = true,
        "pbwrap" => field.pb_wrapped = true,
        _ => {
            let (name, value) = token.split_once('=')?;
            valued_attribute(field, name, value)?;
        }
    }
    Some(())
}

fn valued_attribute(field: &mut Field, name: &str, value: &str) -> Option<()> {
    match name {
        "patch" => {
            for strategy in value.split(',') {
                match strategy {
                    "merge" => field.patch.merge = true,
                    "replace" => field.patch.replace = true,
                    "retainKeys" => field.patch.retain_keys = true,
                    _ => return None,
                }
            }
        }
        "mergeKey" => field.merge_key = Some(value.to_owned()),
        "list" => {
            field.list = Some(match value {
                "map" => ListType::Map,
                "set" => ListType::Set,
                "atomic" => ListType::Atomic,
                _ => return None,
            });
        }
        "keys" => field.list_keys = comma_list(value),
        "map" => {
            field.map = Some(match value {
                "atomic" => MapType::Atomic,
                "granular" => MapType::Granular,
                _ => return None,
            });
        }
        "default" => field.default = Some(value.to_owned()),
        "enum" => field.enum_values = value.split('|').map(str::to_owned).collect(),
        "format" => field.format = Some(value.to_owned()),
        _ => return None,
    }
    Some(())
}
