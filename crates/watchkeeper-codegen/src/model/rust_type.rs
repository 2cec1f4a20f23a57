//! The Rust type of a field.

use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};

use super::place;
use crate::groups::Groups;

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RustType {
    /// A type of the language.
    Plain(&'static str),
    /// A type that `watchkeeper-api` has at its root.
    Ours(&'static str),
    /// A generated struct.
    Struct { model: String, group: &'static str, version: &'static str, name: String },
    /// A type of the language around another.
    PlainOf(&'static str, Box<Self>),
    /// A type that `watchkeeper-api` has at its root around another.
    OursOf(&'static str, Box<Self>),
}

/// What objects share of a field's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Nothing.
    No,
    /// The value.
    Whole,
    /// Each element of a list.
    Each,
}

/// The type of a field: pointers become options, lists and maps their exact forms. A struct held
/// by value is a plain field. `None` for a struct that is not generated.
pub(super) fn of(groups: &Groups, field: &Field, sharing: Sharing) -> Option<RustType> {
    let pointer = matches!(field.presence, Presence::Pointer | Presence::PointerOrNull);
    let shared = sharing == Sharing::Whole;
    let value = match &field.ty {
        Type::List(item) if sharing == Sharing::Each => {
            of_value(groups, item)?.within("Shared").within("List")
        }
        ty => of_value(groups, ty)?,
    };
    Some(match (&field.ty, pointer, shared) {
        (Type::Struct(_), true, false) => value.within("Box").within("Option"),
        (_, true, true) => value.within("Shared").within("Option"),
        (_, false, true) => value.within("Shared"),
        (_, true, false) => value.within("Option"),
        // A zero time is absent.
        (Type::Scalar(Scalar::Time | Scalar::MicroTime), false, false) => value.within("Option"),
        (_, false, false) => value,
    })
}

fn of_value(groups: &Groups, ty: &Type) -> Option<RustType> {
    Some(match ty {
        Type::Scalar(of) | Type::Named(of, _) => scalar(*of),
        Type::Struct(model) => {
            let place = place(groups, model)?;
            RustType::Struct {
                model: model.clone(),
                group: place.group.name,
                version: place.version,
                name: place.name,
            }
        }
        Type::List(item) => of_value(groups, item)?.within("List"),
        Type::Map(value) if value.scalar() == Some(Scalar::String) => RustType::Ours("Map"),
        Type::Map(value) => of_value(groups, value)?.within("Map"),
    })
}

fn scalar(scalar: Scalar) -> RustType {
    match scalar {
        Scalar::Bool => RustType::Plain("bool"),
        Scalar::Int32 => RustType::Plain("i32"),
        Scalar::Int64 => RustType::Plain("i64"),
        Scalar::Float64 => RustType::Plain("f64"),
        Scalar::String | Scalar::Duration => RustType::Ours("IStr"),
        Scalar::Bytes => RustType::Ours("ByteString"),
        Scalar::Time => RustType::Ours("Time"),
        Scalar::MicroTime => RustType::Ours("MicroTime"),
        Scalar::Quantity => RustType::Ours("Quantity"),
        Scalar::IntOrString => RustType::Ours("IntOrString"),
        // Unions with a schema inside are rare, and read by those who know them.
        Scalar::Raw
        | Scalar::FieldsV1
        | Scalar::Json
        | Scalar::SchemaOrBool
        | Scalar::SchemaOrArray
        | Scalar::SchemaOrStringArray => RustType::Ours("Raw"),
    }
}

impl RustType {
    fn within(self, outer: &'static str) -> Self {
        match outer {
            "Option" | "Box" => Self::PlainOf(outer, Box::new(self)),
            _ => Self::OursOf(outer, Box::new(self)),
        }
    }

    /// The type as Rust text within the struct `around`, with every name imported.
    pub(crate) fn text(&self, around: &str) -> String {
        match self {
            Self::Plain(name) | Self::Ours(name) => (*name).to_owned(),
            Self::Struct { model, .. } if model == around => "Self".to_owned(),
            Self::Struct { name, .. } => name.clone(),
            Self::PlainOf(outer, inner) | Self::OursOf(outer, inner) => {
                format!("{outer}<{}>", inner.text(around))
            }
        }
    }

    /// Whether it is that struct, held by value.
    pub(crate) fn is_struct(&self, wanted: &str) -> bool {
        matches!(self, Self::Struct { model, .. } if model == wanted)
    }

    /// The struct that is shared as such.
    pub(crate) fn shared_struct(&self) -> Option<String> {
        match self {
            Self::OursOf("Shared", inner) => match &**inner {
                Self::Struct { model, .. } => Some(model.clone()),
                _ => None,
            },
            Self::PlainOf(_, inner) | Self::OursOf(_, inner) => inner.shared_struct(),
            Self::Plain(_) | Self::Ours(_) | Self::Struct { .. } => None,
        }
    }

    /// The struct inside, through everything around it.
    pub(crate) fn model(&self) -> Option<&str> {
        match self {
            Self::Plain(_) | Self::Ours(_) => None,
            Self::Struct { model, .. } => Some(model),
            Self::PlainOf(_, inner) | Self::OursOf(_, inner) => inner.model(),
        }
    }

    /// Calls `seen` with every name that must be imported.
    pub(crate) fn names(&self, seen: &mut impl FnMut(&Self)) {
        seen(self);
        if let Self::PlainOf(_, inner) | Self::OursOf(_, inner) = self {
            inner.names(seen);
        }
    }
}
