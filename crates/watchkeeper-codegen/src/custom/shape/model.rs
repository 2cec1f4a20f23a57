//! What shapes are made of.

use std::collections::{BTreeMap, BTreeSet};

use crate::custom::input::Definition;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    /// A type of the library, by its path below `api`: `IStr`, `meta::v1::ObjectMeta`.
    Api(&'static str),
    /// A type of the language.
    Plain(&'static str),
    /// A struct of the module, by its index.
    Struct(usize),
    /// An enumeration of the module, by its index among the structs.
    Choice(usize),
    /// A component that holds this value: named when all are known.
    Back(String),
    Raw,
    List(Box<Self>),
    Map(Box<Self>),
    /// A map of raw JSON that is an object of its own: an empty one is not the same as none.
    AnyObject,
    Option(Box<Self>),
    /// An optional struct.
    Boxed(Box<Self>),
}

impl Ty {
    /// Raw JSON, or a list or map of it.
    pub(crate) fn holds_raw(&self) -> bool {
        match self {
            Self::Raw | Self::AnyObject => true,
            Self::List(inner) | Self::Map(inner) | Self::Option(inner) | Self::Boxed(inner) => {
                inner.holds_raw()
            }
            Self::Api(_) | Self::Plain(_) | Self::Struct(_) | Self::Choice(_) | Self::Back(_) => {
                false
            }
        }
    }

    /// A map of raw JSON, or a list or map of those: what is raw in it has a key.
    pub(crate) fn is_open_map(&self) -> bool {
        match self {
            Self::AnyObject => true,
            Self::Map(inner) => **inner == Self::Raw || inner.is_open_map(),
            Self::List(inner) | Self::Option(inner) | Self::Boxed(inner) => inner.is_open_map(),
            Self::Api(_)
            | Self::Plain(_)
            | Self::Struct(_)
            | Self::Choice(_)
            | Self::Back(_)
            | Self::Raw => false,
        }
    }

    /// It is no struct, and `component` is in it.
    pub(crate) fn goes_back(&self, component: &str) -> bool {
        match self {
            Self::Back(name) => name == component,
            Self::List(inner) | Self::Map(inner) | Self::Option(inner) | Self::Boxed(inner) => {
                inner.goes_back(component)
            }
            Self::Api(_)
            | Self::Plain(_)
            | Self::Struct(_)
            | Self::Choice(_)
            | Self::Raw
            | Self::AnyObject => false,
        }
    }

    /// The type with every component that it goes back to in its place.
    pub(crate) fn resolved(self, components: &BTreeMap<String, Option<Self>>) -> Self {
        let inner = |ty: Box<Self>| Box::new(ty.resolved(components));
        match self {
            Self::Back(name) => match components.get(&name) {
                Some(Some(Self::Struct(index))) => Self::Struct(*index),
                _ => Self::Raw,
            },
            Self::List(ty) => Self::List(inner(ty)),
            Self::Map(ty) => Self::Map(inner(ty)),
            Self::Option(ty) => Self::Option(inner(ty)),
            Self::Boxed(ty) => match *inner(ty) {
                Self::Raw => Self::Raw,
                ty => Self::Boxed(Box::new(ty)),
            },
            known => known,
        }
    }

    /// The struct or enumeration in it.
    pub(crate) fn inner_struct(&self) -> Option<usize> {
        match self {
            Self::Struct(index) | Self::Choice(index) => Some(*index),
            Self::List(inner) | Self::Map(inner) | Self::Option(inner) | Self::Boxed(inner) => {
                inner.inner_struct()
            }
            Self::Api(_) | Self::Plain(_) | Self::Back(_) | Self::Raw | Self::AnyObject => None,
        }
    }

    /// The types of the library in it.
    pub(crate) fn imports(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Self::Api(path) => {
                found.insert(path);
            }
            Self::Raw => {
                found.insert("Raw");
            }
            Self::AnyObject => found.extend(["Map", "Raw"]),
            Self::List(inner) => {
                found.insert("List");
                inner.imports(found);
            }
            Self::Map(inner) => {
                found.insert("Map");
                // `Map` alone is one of texts.
                if **inner != Self::Api("IStr") {
                    inner.imports(found);
                }
            }
            Self::Option(inner) | Self::Boxed(inner) => inner.imports(found),
            Self::Plain(_) | Self::Struct(_) | Self::Choice(_) | Self::Back(_) => {}
        }
    }

    /// The type as it is written, with the names of the structs.
    pub(crate) fn text(&self, structs: &[String]) -> String {
        match self {
            Self::Api(path) => path.rsplit(':').next().unwrap_or(path).to_owned(),
            Self::Plain(name) => (*name).to_owned(),
            Self::Struct(index) | Self::Choice(index) => structs[*index].clone(),
            Self::Back(_) | Self::Raw => "Raw".to_owned(),
            Self::AnyObject => "Map<Raw>".to_owned(),
            Self::List(inner) => format!("List<{}>", inner.text(structs)),
            Self::Map(inner) if **inner == Self::Api("IStr") => "Map".to_owned(),
            Self::Map(inner) => format!("Map<{}>", inner.text(structs)),
            Self::Option(inner) => format!("Option<{}>", inner.text(structs)),
            Self::Boxed(inner) => format!("Option<Box<{}>>", inner.text(structs)),
        }
    }
}

/// When a member is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Req,
    Opt,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) json: String,
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) rule: Rule,
    pub(crate) doc: Option<String>,
    /// Why it is raw.
    pub(crate) note: Option<String>,
}

/// Where a struct is used.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) kind: String,
    /// The members on the way to it.
    pub(crate) path: Vec<String>,
    /// The words of the last one, the last word in the singular where it is an item.
    pub(crate) words: Vec<String>,
}

/// A struct to write.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// It keeps members that it does not name.
    pub(crate) rest: bool,
    pub(crate) doc: Option<String>,
    pub(crate) kind: Option<KindInfo>,
    /// The component of an OpenAPI document that it is made of.
    pub(crate) component: Option<String>,
    pub(crate) uses: Vec<Use>,
    /// Where its schema is: a pointer below that of its kind's first use.
    pub(crate) pointer: String,
    /// The texts of an enumeration, which has no fields.
    pub(crate) choices: Vec<String>,
}

/// What makes a struct a kind.
#[derive(Clone, Debug)]
pub(crate) struct KindInfo {
    pub(crate) api_version: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) namespaced: bool,
    pub(crate) status: bool,
    pub(crate) schema: serde_json::Value,
    pub(crate) definition: Option<Definition>,
    /// What was made for it alone.
    pub(crate) count: Count,
}

/// A part of a kind that is raw JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) text: String,
    /// The schema itself says so; otherwise it says what has no type here.
    pub(crate) open: bool,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) structs: usize,
    pub(crate) fields: usize,
    /// Those that the schema leaves open.
    pub(crate) open: usize,
    /// Those of the open ones that are maps of raw JSON, because their schemas say no more.
    pub(crate) open_maps: usize,
    /// Those that are raw JSON although the schema says more.
    pub(crate) untyped: usize,
}

impl Count {
    /// What was added since.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            structs: self.structs - before.structs,
            fields: self.fields - before.fields,
            open: self.open - before.open,
            open_maps: self.open_maps - before.open_maps,
            untyped: self.untyped - before.untyped,
        }
    }
}
