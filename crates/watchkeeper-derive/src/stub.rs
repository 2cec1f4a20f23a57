//! What a derive that fails leaves behind: its error, and impls without a body, so that the error
//! is all that the compiler tells.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, LitStr, Meta, Type};

use crate::input;

/// The error of `#[derive(Object)]`.
pub(crate) fn object(input: &DeriveInput, error: Error) -> TokenStream {
    let error = error.into_compile_error();
    let Some(lib) = library(&input.attrs, "object") else { return error };
    let part = part(&lib, input);
    if !input.generics.params.is_empty() {
        return quote!(#error #part);
    }
    let ident = &input.ident;
    let status = status(input).map(|ty| quote!(, status = #ty));
    quote! {
        #error
        #part

        impl #ident {
            /// The kind of all such objects.
            pub const KIND: #lib::Kind = #lib::Kind::new("", "", "", "", #lib::Scope::Cluster);
        }

        #lib::stub_object!(#ident #status);

        #[automatically_derived]
        impl #lib::CustomResource for #ident {
            fn crd() -> #lib::CustomResourceDefinition {
                ::core::unreachable!()
            }
        }
    }
}

/// The error of `#[derive(Fields)]`.
pub(crate) fn fields(input: &DeriveInput, error: Error) -> TokenStream {
    let error = error.into_compile_error();
    let Some(lib) = library(&input.attrs, "fields") else { return error };
    let part = part(&lib, input);
    quote!(#error #part)
}

fn part(lib: &TokenStream, input: &DeriveInput) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #lib::Fields for #ident #arguments #bounds {
            fn set(
                &mut self,
                _: usize,
                _: &mut #lib::Reader<'_>,
            ) -> ::core::result::Result<(), #lib::ReadError> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #generics #lib::Read for #ident #arguments #bounds {
            fn read(
                _: &mut #lib::Reader<'_>,
            ) -> ::core::result::Result<Self, #lib::ReadError> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #generics #lib::Write for #ident #arguments #bounds {
            fn write(&self, _: &mut #lib::Writer) {}

            fn is_default(&self) -> bool {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #generics #lib::Described for #ident #arguments #bounds {
            fn schema() -> #lib::Schema {
                ::core::unreachable!()
            }
        }
    }
}

/// Where the library is, as far as the attributes can be read; `None` if that is what is wrong.
fn library(attributes: &[Attribute], name: &str) -> Option<TokenStream> {
    let tokens: Vec<_> = options(attributes, name).collect();
    let option = tokens.windows(3).find_map(|window| match window {
        [TokenTree::Ident(ident), TokenTree::Punct(_), TokenTree::Literal(text)]
            if ident == "crate" =>
        {
            syn::parse_str::<LitStr>(&text.to_string()).ok()
        }
        _ => None,
    });
    input::library(option.as_ref()).ok()
}

/// The type of the field `status`, if the attributes speak of one.
fn status(input: &DeriveInput) -> Option<&Type> {
    let is_status = |token| matches!(token, TokenTree::Ident(ident) if ident == "status");
    let Data::Struct(data) = &input.data else { return None };
    let field = data.fields.iter().find(|f| f.ident.as_ref().is_some_and(|i| i == "status"))?;
    options(&input.attrs, "object").any(is_status).then_some(&field.ty)
}

/// The tokens of all attributes called `name`, without what stands in brackets.
fn options(attributes: &[Attribute], name: &str) -> impl Iterator<Item = TokenTree> {
    let lists = attributes.iter().filter_map(move |attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident(name) => Some(list.tokens.clone()),
        _ => None,
    });
    lists.flatten()
}
