//! What is asked of types when they are compiled.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Ident, Result, Type};

use crate::attributes::{Check, JsonPath, MemberOptions, ObjectOptions};
use crate::input::Field;

/// One check of a type, whose shape the expression `shape` is.
fn one(lib: &TokenStream, shape: &TokenStream, check: &Check) -> TokenStream {
    let Check { condition, message, span } = check;
    let demand = quote_spanned!(*span=> __lib::shape::demand(#condition, #message));
    quote! {
        const _: () = {
            use #lib as __lib;
            let shape: &'static __lib::Shape = #shape;
            #demand
        };
    }
}

/// What the options of fields ask of their types.
pub(crate) fn fields(lib: &TokenStream, fields: &[&Field]) -> TokenStream {
    let checks = fields.iter().map(|field| value(lib, &field.ty, &field.options.member));
    quote!(#(#checks)*)
}

/// What options ask of the type of one value.
pub(crate) fn value(lib: &TokenStream, ty: &Type, options: &MemberOptions) -> TokenStream {
    let shape = options.shape(quote!(<#ty as __lib::Described>::SHAPE));
    let checks = options.checks.iter().map(|check| one(lib, &shape, check));
    quote!(#(#checks)*)
}

/// What the options of a kind ask of its own type.
pub(crate) fn kind(
    lib: &TokenStream,
    ident: &Ident,
    options: &ObjectOptions,
) -> Result<TokenStream> {
    let mut checks = Vec::new();
    for column in &options.columns {
        checks.extend(leads(&column.json_path));
    }
    for path in &options.selectable {
        let names = &path.names;
        checks.push(Check {
            condition: quote!(match shape.at(&[#(#names),*]) {
                ::core::option::Option::Some(end) => end.is_one_of(&[
                    __lib::Is::Text,
                    __lib::Is::Integer,
                    __lib::Is::Boolean,
                ]),
                ::core::option::Option::None => false,
            }),
            message: "a selectable field is a text, a whole number or a boolean".to_owned(),
            span: path.span(),
        });
        if path.names.first().is_some_and(|name| name == "metadata") {
            return Err(Error::new(path.span(), "metadata is selectable anyway"));
        }
    }
    if let Some(scale) = &options.scale {
        checks.extend(number(&scale.spec_replicas));
        checks.extend(number(&scale.status_replicas));
        checks.extend(scale.label_selector.as_ref().and_then(leads));
    }
    let shape = quote!(<#ident as __lib::Described>::SHAPE);
    let checks = checks.iter().map(|check| one(lib, &shape, check));
    Ok(quote!(#(#checks)*))
}

/// The path leads to a member, as far as is known.
fn leads(path: &JsonPath) -> Option<Check> {
    let names = &path.names;
    // Metadata and type are the server's.
    let first = names.first()?;
    if ["metadata", "apiVersion", "kind"].contains(&first.as_str()) {
        return None;
    }
    Some(Check {
        condition: quote!(shape.at(&[#(#names),*]).is_some()),
        message: format!("no member `{}`", names.join(".")),
        span: path.span(),
    })
}

/// The path leads to a whole number.
fn number(path: &JsonPath) -> Option<Check> {
    let names = &path.names;
    Some(Check {
        condition: quote!(match shape.at(&[#(#names),*]) {
            ::core::option::Option::Some(end) => end.is_one_of(&[__lib::Is::Integer]),
            ::core::option::Option::None => false,
        }),
        message: format!("`{}` is no whole number", names.join(".")),
        span: path.span(),
    })
}

/// Other versions are versions of the same kind, and stored in this one.
pub(crate) fn versions(lib: &TokenStream, ident: &Ident, options: &ObjectOptions) -> TokenStream {
    let checks = options.versions.iter().map(|path| {
        let span = path.segments.last().map_or_else(|| ident.span(), |last| last.ident.span());
        let (kind, storage) = (
            "this is a version of another kind, or the same version",
            "objects are stored in this version already: the other one says `storage = false`",
        );
        quote_spanned! {span=>
            const _: () = {
                static THIS: #lib::Kind = <#ident>::KIND;
                static OTHER: #lib::Kind = <#path>::KIND;
                #lib::shape::demand(OTHER.is_version_of(&THIS), #kind)
            };
            const _: () = #lib::shape::demand(
                !<#path as #lib::CustomResource>::STORAGE,
                #storage
            );
        }
    });
    quote!(#(#checks)*)
}
