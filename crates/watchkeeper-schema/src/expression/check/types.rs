//! The types that expressions have (cel-go, `common/types/types.go`).

use std::sync::Arc;

/// How large a type is at most, in types that are in it: what is larger counts as one that is only known when the
/// expression runs. Types hold each other's, so a short text may have one that nobody could write out.
const LARGEST: usize = 256;
/// So many bytes of a name are as large as a type.
const NAME: usize = 16;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Any value that has a type of its own, `google.protobuf.Any`.
    Any,
    Bool,
    Bytes,
    Double,
    Duration,
    /// Known when it runs.
    Dyn,
    /// What is wrong has been told.
    Error,
    Int,
    Null,
    String,
    Timestamp,
    Uint,
    /// Of a field that is there and has none.
    Unspecified,
    /// With fields.
    Object(Arc<str>),
    /// Without.
    Opaque(Arc<str>),
    Of(Arc<Composite>),
    /// What a signature leaves open.
    Parameter(char),
    /// What is still to be found out.
    Free(usize),
}

/// A type that is made of types.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Composite {
    pub(super) form: Form,
    pub(super) parts: Vec<Type>,
    size: usize,
    /// Whether something in it is open or to be found out.
    is_open: bool,
}

/// What a type makes of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    List,
    Map,
    Optional,
    /// Types are values, too.
    Type,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Map => "map",
            Self::Optional => "optional_type",
            Self::Type => "type",
        }
    }
}

impl Type {
    pub(super) fn of(form: Form, parts: Vec<Self>) -> Self {
        let size = parts.iter().map(Self::size).fold(1, usize::saturating_add);
        if size > LARGEST {
            return Self::Dyn;
        }
        let is_open = parts.iter().any(Self::is_open);
        Self::Of(Arc::new(Composite { form, parts, size, is_open }))
    }

    pub(super) fn list(items: Self) -> Self {
        Self::of(Form::List, vec![items])
    }

    pub(super) fn map(keys: Self, values: Self) -> Self {
        Self::of(Form::Map, vec![keys, values])
    }

    pub(super) fn optional(inner: Self) -> Self {
        Self::of(Form::Optional, vec![inner])
    }

    /// The type of a type.
    pub(super) fn itself(self) -> Self {
        Self::of(Form::Type, vec![self])
    }

    pub(super) fn object(name: &str) -> Self {
        Self::Object(Arc::from(name))
    }

    fn size(&self) -> usize {
        match self {
            Self::Of(of) => of.size,
            Self::Object(name) => 1 + name.len() / NAME,
            _ => 1,
        }
    }

    /// Whether something in it is open or to be found out.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Of(of) => of.is_open,
            Self::Parameter(_) | Self::Free(_) => true,
            _ => false,
        }
    }

    /// What it is made of in that form.
    pub(super) fn parts(&self, form: Form) -> Option<&[Self]> {
        match self {
            Self::Of(of) if of.form == form => Some(&of.parts),
            _ => None,
        }
    }

    /// What an optional may hold.
    pub(super) fn unwrapped(&self) -> Option<&Self> {
        self.parts(Form::Optional)?.first()
    }

    pub(super) fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    /// Whether `null` is one of its values.
    pub(super) fn is_nullable(&self) -> bool {
        match self {
            Self::Null | Self::Object(_) | Self::Opaque(_) | Self::Duration | Self::Timestamp => {
                true
            }
            Self::Of(of) => of.form == Form::Optional,
            _ => false,
        }
    }

    /// Whether it is the same, or says less (cel-go, `isEqualOrLessSpecific`).
    pub(super) fn is_looser(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Any | Self::Free(_) | Self::Parameter(_), _) => true,
            (_, Self::Dyn | Self::Any | Self::Free(_) | Self::Parameter(_)) => false,
            (Self::Of(one), Self::Of(other)) if one.form == Form::Type => one.form == other.form,
            (Self::Of(one), Self::Of(other)) => {
                one.form == other.form
                    && one.parts.len() == other.parts.len()
                    && one.parts.iter().zip(&other.parts).all(|(one, other)| one.is_looser(other))
            }
            (one, other) => one == other,
        }
    }

    /// The same with others in place of some that are in it.
    pub(super) fn replaced(&self, by: &mut impl FnMut(&Self) -> Option<Self>) -> Self {
        if let Some(other) = by(self) {
            return other;
        }
        match self {
            Self::Of(of) if of.is_open => {
                let parts = of.parts.iter().map(|part| part.replaced(by)).collect();
                Self::of(of.form, parts)
            }
            other => other.clone(),
        }
    }

    /// As mistakes name it (`FormatCELType`).
    pub(super) fn name(&self) -> String {
        match self {
            Self::Any => "any".to_owned(),
            Self::Duration => "duration".to_owned(),
            Self::Error => "!error!".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Timestamp => "timestamp".to_owned(),
            Self::Free(at) => format!("_var{at}"),
            Self::Of(of) => of.name(Self::name),
            other => other.plain().to_owned(),
        }
    }

    /// As results are named (`Type.String`).
    pub(super) fn full_name(&self) -> String {
        match self {
            Self::Of(of) => of.name(Self::full_name),
            other => other.plain().to_owned(),
        }
    }

    /// Without what it is made of (`TypeName`).
    pub(super) fn plain(&self) -> &str {
        match self {
            Self::Any => "google.protobuf.Any",
            Self::Bool => "bool",
            Self::Bytes => "bytes",
            Self::Double => "double",
            Self::Duration => "google.protobuf.Duration",
            Self::Dyn => "dyn",
            Self::Error => "error",
            Self::Int => "int",
            Self::Null => "null_type",
            Self::String => "string",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Uint => "uint",
            Self::Unspecified => "",
            Self::Object(name) | Self::Opaque(name) => name,
            Self::Of(of) => of.form.name(),
            Self::Parameter(_) | Self::Free(_) => "_var",
        }
    }
}

impl Composite {
    fn name(&self, part: fn(&Type) -> String) -> String {
        let form = self.form.name();
        if self.parts.is_empty() {
            return form.to_owned();
        }
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        format!("{form}({})", parts.join(", "))
    }
}
