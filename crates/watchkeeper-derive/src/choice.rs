//! `#[derive(Fields)]` on an enum without data: one text of several.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{DataEnum, DeriveInput, Error, Result, Variant};

use crate::attributes::FieldOptions;
use crate::input;

/// What a variant is written as.
fn text(variant: &Variant) -> Result<String> {
    if !variant.fields.is_empty() {
        return Err(Error::new(variant.span(), "a variant is a text: it holds no data"));
    }
    let options = FieldOptions::parse(&variant.attrs)?;
    if !options.is_bare() {
        return Err(Error::new(variant.span(), "a variant takes `rename` only"));
    }
    Ok(options.rename.unwrap_or_else(|| variant.ident.unraw().to_string()))
}

/// The codec and the schema.
pub(crate) fn derive(
    input: &DeriveInput,
    lib: &TokenStream,
    data: &DataEnum,
) -> Result<TokenStream> {
    input::refuse_generics(input)?;
    let ident = &input.ident;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let texts = input::all(data.variants.iter().map(text))?;
    input::all(data.variants.iter().enumerate().map(|(index, variant)| {
        if !texts[..index].contains(&texts[index]) {
            return Ok(());
        }
        let message = format!("another variant is called `{}`", texts[index]);
        Err(Error::new(variant.span(), message))
    }))?;
    let unknown = format!("expected one of {}", texts.join(", "));
    // An empty text says nothing, unless a variant is called so.
    let absent = texts
        .iter()
        .all(|text| !text.is_empty())
        .then(|| quote!("" => ::core::result::Result::Ok(::core::default::Default::default()),));
    let description = input::doc(&input.attrs).map(|text| quote!(.description(#text)));
    Ok(quote! {
        #[automatically_derived]
        impl #lib::Read for #ident {
            fn read(
                r: &mut #lib::Reader<'_>,
            ) -> ::core::result::Result<Self, #lib::ReadError> {
                if r.null()? {
                    return ::core::result::Result::Ok(::core::default::Default::default());
                }
                match &*r.interned()? {
                    #(#texts => ::core::result::Result::Ok(Self::#variants),)*
                    #absent
                    _ => ::core::result::Result::Err(r.error(#unknown)),
                }
            }
        }

        #[automatically_derived]
        impl #lib::Write for #ident {
            fn write(&self, w: &mut #lib::Writer) {
                w.text(match self {
                    #(Self::#variants => #texts,)*
                });
            }

            fn is_default(&self) -> bool {
                *self == <Self as ::core::default::Default>::default()
            }
        }

        #[automatically_derived]
        impl #lib::Described for #ident {
            const REQUIRED: bool = true;
            const SHAPE: &'static #lib::Shape = &#lib::Shape::choice(&[#(#texts),*]);

            fn schema() -> #lib::Schema {
                #lib::Schema::string().enumeration([#(#texts),*]) #description
            }
        }

        #[automatically_derived]
        impl #lib::Projects<#ident> for #ident {}

        #[automatically_derived]
        impl #lib::Projects<#lib::Shared<#ident>> for #ident {}
    })
}
