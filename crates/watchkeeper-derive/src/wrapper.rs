//! `#[derive(Fields)]` on a struct around one value: the value's type, of which more is said.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::attributes::{FieldOptions, WholeOptions};
use crate::{check, input};

/// The value, if it is a struct around one.
pub(crate) fn value(input: &DeriveInput) -> Option<&syn::Field> {
    let Data::Struct(data) = &input.data else { return None };
    match &data.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first(),
        _ => None,
    }
}

/// The codec of the value, and its schema with what is said of it.
pub(crate) fn derive(
    input: &DeriveInput,
    lib: &TokenStream,
    whole: &WholeOptions,
    value: &syn::Field,
) -> Result<TokenStream> {
    input::refuse_generics(input)?;
    if !whole.is_bare() {
        let message = "say it of the value: `struct Port(#[field(minimum = 1)] i32);`";
        return Err(Error::new(input.ident.span(), message));
    }
    let options = FieldOptions::parse(&value.attrs)?;
    if !options.is_about_the_value() {
        let message = "this is for fields: it is said where the struct is a field";
        return Err(Error::new(value.span(), message));
    }
    let (ident, ty) = (&input.ident, &value.ty);
    let calls = &options.member.calls;
    let description = input::doc(&input.attrs).map(|text| quote!(.description(#text)));
    let checks = check::value(lib, ty, &options.member);
    let shape = options.member.shape(quote!(<#ty as __lib::Described>::SHAPE));
    Ok(quote! {
        #[automatically_derived]
        const _: () = {
            use #lib as __lib;

            impl __lib::Read for #ident {
                fn read(
                    r: &mut __lib::Reader<'_>,
                ) -> ::core::result::Result<Self, __lib::ReadError> {
                    <#ty as __lib::Read>::read(r).map(Self)
                }

                fn read_into(
                    &mut self,
                    r: &mut __lib::Reader<'_>,
                ) -> ::core::result::Result<(), __lib::ReadError> {
                    __lib::Read::read_into(&mut self.0, r)
                }
            }

            impl __lib::Write for #ident {
                fn write(&self, w: &mut __lib::Writer) {
                    __lib::Write::write(&self.0, w);
                }

                fn is_default(&self) -> bool {
                    __lib::Write::is_default(&self.0)
                }
            }

            impl __lib::Described for #ident {
                const REQUIRED: bool = <#ty as __lib::Described>::REQUIRED;
                const SHAPE: &'static __lib::Shape = #shape;

                fn schema() -> __lib::Schema {
                    __lib::wrapper::<#ty>(|member: __lib::Member| member #(.#calls)* #description)
                }
            }

            impl __lib::Projects<#ident> for #ident {}
            impl __lib::Projects<__lib::Shared<#ident>> for #ident {}
        };

        #checks
    })
}
