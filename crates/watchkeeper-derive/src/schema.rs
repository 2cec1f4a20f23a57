//! `#[derive(Fields)]`, and the schema of a struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Result};

use crate::attributes::WholeOptions;
use crate::codec::codec;
use crate::input::{self, Field};
use crate::{check, choice, projection, wrapper};

/// The codec and the schema of a part of objects.
pub(crate) fn derive_fields(input: &DeriveInput) -> Result<TokenStream> {
    let mut options = WholeOptions::parse(input)?;
    let lib = input::library(options.library.as_ref())?;
    if let Data::Enum(data) = &input.data {
        return choice::derive(input, &lib, data);
    }
    if let Some(value) = wrapper::value(input).filter(|_| options.like.is_none()) {
        return wrapper::derive(input, &lib, &options, value);
    }
    if let Some(whole) = &options.like {
        return projection::part(input, &options, whole);
    }
    let fields = input::fields(input)?;
    options.resolve(&fields)?;
    let codec = codec(&lib, &input.ident, &fields, None);
    let described = described(&Described {
        lib: &lib,
        input,
        fields: &fields.iter().collect::<Vec<_>>(),
        named: None,
        whole: &options,
    });
    Ok(quote!(#codec #described))
}

/// What a schema is made of.
pub(crate) struct Described<'a> {
    pub(crate) lib: &'a TokenStream,
    pub(crate) input: &'a DeriveInput,
    pub(crate) fields: &'a [&'a Field],
    /// The apiVersion and the kind of a whole kind.
    pub(crate) named: Option<(&'a str, &'a str)>,
    pub(crate) whole: &'a WholeOptions,
}

/// `Described`, and the checks of the fields' types.
pub(crate) fn described(of: &Described<'_>) -> TokenStream {
    let Described { lib, input, fields, named, whole } = of;
    let ident = &input.ident;
    let members = fields.iter().map(|field| member(field));
    let description = input::doc(&input.attrs).map(|text| quote!(.description(#text)));
    let head = named.map(|_| quote!(.head().object("metadata")));
    let calls = &whole.member.calls;
    let with = (!calls.is_empty()).then(|| quote!(.with(|member| member #(.#calls)*)));
    let shape = whole.member.shape(shape(fields, *named));
    let checks = check::fields(lib, fields);
    quote! {
        #[automatically_derived]
        const _: () = {
            use #lib as __lib;

            impl __lib::Described for #ident {
                const SHAPE: &'static __lib::Shape = #shape;

                fn schema() -> __lib::Schema {
                    __lib::Members::new() #description #head #(#members)* #with .schema()
                }
            }

            impl __lib::Projects<#ident> for #ident {}
            impl __lib::Projects<__lib::Shared<#ident>> for #ident {}
        };

        #checks
    }
}

/// What is known of the struct when it is compiled.
fn shape(fields: &[&Field], named: Option<(&str, &str)>) -> TokenStream {
    let metadata =
        named.map(|_| known("metadata", "metadata", &quote!(false), &quote!(&__lib::Shape::ANY)));
    let members = fields.iter().map(|field| {
        let (ty, is_any) = (&field.ty, field.options.schemaless);
        let shape = if is_any {
            quote!(&__lib::Shape::ANY)
        } else {
            quote_spanned!(field.span()=> <#ty as __lib::Described>::SHAPE)
        };
        let required = required(field);
        let shape = field.options.member.shape(shape);
        known(&field.ident.unraw().to_string(), &field.json, &required, &shape)
    });
    let members = metadata.into_iter().chain(members);
    let named = match named {
        Some((api_version, kind)) => quote!(::core::option::Option::Some(__lib::pb::Named {
            api_version: #api_version,
            kind: #kind,
            any_version: false,
        })),
        None => quote!(::core::option::Option::None),
    };
    quote!(&__lib::Shape::structure(&[#(#members),*], #named))
}

/// A constant expression: whether the schema requires the member.
fn required(field: &Field) -> TokenStream {
    let (ty, options) = (&field.ty, &field.options);
    match options.required {
        Some(required) => quote!(#required),
        None if options.schemaless || options.member.has_default() => quote!(false),
        None => quote_spanned!(field.span()=> <#ty as __lib::Described>::REQUIRED),
    }
}

fn known(field: &str, json: &str, required: &TokenStream, shape: &TokenStream) -> TokenStream {
    quote! {
        __lib::Known {
            field: #field,
            json: #json,
            numbers: &[],
            rule: __lib::pb::Rule::Plain,
            required: #required,
            shape: #shape,
        }
    }
}

fn member(field: &Field) -> TokenStream {
    let (ident, json) = (&field.ident, &field.json);
    let calls = &field.options.member.calls;
    let description = field.doc.as_ref().map(|text| quote!(.description(#text)));
    // Last, so that what is said wins over what a default implies.
    let required = field
        .options
        .required
        .map(|required| if required { quote!(.required()) } else { quote!(.optional()) });
    let change = quote!(|member: __lib::Member| member #description #(.#calls)* #required);
    if field.options.schemaless {
        return quote!(.any(#json, #change));
    }
    quote_spanned!(field.span()=> .add(#json, |value: &Self| &value.#ident, #change,))
}
