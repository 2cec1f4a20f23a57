//! What is said of lists: their type, and what tells their items apart.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, LitStr, Result};

use super::member::{Check, SCALARS, kinds};

/// The options of a list.
#[derive(Default)]
pub(super) struct ListOptions {
    pub(super) kind: Option<LitStr>,
    pub(super) keys: Vec<LitStr>,
}

/// What is said of a value; what is not said is left to its type.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    /// It is one value for servers, or one for each of its items or members.
    pub(super) atomic: Option<bool>,
    pub(super) nullable: bool,
    /// It keeps members that no field has.
    pub(super) open: bool,
}

/// What a list type stands for.
pub(super) struct ListType {
    /// The call of `Member`.
    pub(super) call: TokenStream,
    pub(super) atomic: bool,
    pub(super) checks: Vec<Check>,
    pub(super) span: Span,
}

impl ListOptions {
    /// What they say together, beside what is said of the items.
    pub(super) fn finish(self, items: Said) -> Result<Option<ListType>> {
        let Self { kind, keys } = self;
        let Some(kind) = kind else {
            return match keys.first() {
                Some(key) => Err(needs_map(key)),
                None => Ok(None),
            };
        };
        let (span, mut checks) = (kind.span(), Vec::new());
        if let (Some(key), false) = (keys.first(), kind.value() == "map") {
            return Err(needs_map(key));
        }
        let call = match kind.value().as_str() {
            "map" if keys.is_empty() => {
                return Err(Error::new(span, "a map needs `list_map_keys(\"…\")`"));
            }
            "map" => {
                checks.push(never_null(items, span)?);
                quote!(list_map(&[#(#keys),*]))
            }
            "set" => {
                checks.push(never_null(items, span)?);
                checks.extend(whole(items, span)?);
                quote!(list_set())
            }
            "atomic" => quote!(list_atomic()),
            _ => return Err(Error::new(span, "expected map, set or atomic")),
        };
        checks.extend(keys.iter().flat_map(key));
        Ok(Some(ListType { call, atomic: kind.value() == "atomic", checks, span }))
    }
}

fn needs_map(key: &LitStr) -> Error {
    Error::new(key.span(), "keys need `list_type = \"map\"`")
}

/// Items that are told apart are there.
fn never_null(items: Said, span: Span) -> Result<Check> {
    let message = "servers take no sets and maps of items that may be null";
    if items.nullable {
        return Err(Error::new(span, message));
    }
    let condition = quote!(!shape.inner().nullable);
    Ok(Check { condition, message: message.to_owned(), span })
}

/// Items of a set are compared as a whole.
fn whole(items: Said, span: Span) -> Result<Option<Check>> {
    let message = "servers take sets of scalars and of what is atomic: say \
                   `#[fields(map_type = \"atomic\")]` of the struct, \
                   or `items(map_type = \"atomic\")` here";
    match items.atomic {
        Some(true) => Ok(None),
        Some(false) => Err(Error::new(span, message)),
        None => {
            let condition = quote!(shape.inner().atomic);
            Ok(Some(Check { condition, message: message.to_owned(), span }))
        }
    }
}

/// A member of the items that tells them apart.
fn key(key: &LitStr) -> [Check; 3] {
    let (name, span, scalars) = (key.value(), key.span(), kinds(SCALARS));
    let of_member = |condition: TokenStream| {
        quote!(match shape.inner().member(#key) {
            ::core::option::Option::Some(known) => #condition,
            ::core::option::Option::None => true,
        })
    };
    [
        Check {
            condition: quote!(shape.has_keys(&[#key])),
            message: format!("the items have no member `{name}`"),
            span,
        },
        Check {
            condition: of_member(quote!(known.shape.is_one_of(#scalars))),
            message: format!("`{name}` is no scalar, so it tells no items apart"),
            span,
        },
        Check {
            condition: of_member(quote!(!known.shape.nullable)),
            message: format!("`{name}` may be null, so it tells no items apart"),
            span,
        },
    ]
}
