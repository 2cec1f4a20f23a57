//! The codec of a struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use crate::input::Field;

/// `Fields`, `Read` and `Write`. A kind has apiVersion and kind as its first two members.
pub(crate) fn codec(
    lib: &TokenStream,
    ident: &Ident,
    fields: &[Field],
    type_meta: Option<(&str, &str)>,
) -> TokenStream {
    let head: Vec<_> = type_meta
        .into_iter()
        .flat_map(|(version, kind)| [("apiVersion", version), ("kind", kind)])
        .collect();
    let names = head.iter().map(|(name, _)| *name).chain(fields.iter().map(|f| f.json.as_str()));
    let arms = head
        .iter()
        .map(|(_, text)| quote!(r.expect_text(#text)))
        .chain(fields.iter().map(|field| read(lib, ident, field)));
    let arms = arms.enumerate().map(|(index, read)| quote!(#index => #read,));
    let heads = head.iter().map(|(name, text)| {
        let key = key(name);
        quote!(w.text_field(#key, #text);)
    });
    let members = fields.iter().map(|field| member(lib, field));
    let defaults = fields.iter().map(|field| is_default(lib, field));
    quote! {
        #[automatically_derived]
        impl #lib::Fields for #ident {
            fn set(
                &mut self,
                index: usize,
                r: &mut #lib::Reader<'_>,
            ) -> ::core::result::Result<(), #lib::ReadError> {
                match index {
                    #(#arms)*
                    _ => r.skip(),
                }
            }
        }

        #lib::struct_codec!(#ident, #lib::names![#(#names),*]);

        #[automatically_derived]
        impl #lib::Write for #ident {
            fn write(&self, w: &mut #lib::Writer) {
                w.open();
                #(#heads)*
                #(#members)*
                w.close();
            }

            fn is_default(&self) -> bool {
                true #(&& #defaults)*
            }
        }
    }
}

/// Of a member with a default, `null` is the default, as servers have it.
fn read(lib: &TokenStream, of: &Ident, field: &Field) -> TokenStream {
    let (ident, json) = (&field.ident, &field.json);
    if !field.options.member.fills_null() {
        return quote_spanned!(field.span()=> #lib::Read::read_into(&mut self.#ident, r));
    }
    quote_spanned! {field.span()=> {
        static FILLED: #lib::Filled =
            #lib::Filled::new(#json, <#of as #lib::Described>::schema);
        FILLED.read(&mut self.#ident, r)
    }}
}

fn is_default(lib: &TokenStream, field: &Field) -> TokenStream {
    let ident = &field.ident;
    quote_spanned!(field.span()=> #lib::Write::is_default(&self.#ident))
}

fn member(lib: &TokenStream, field: &Field) -> TokenStream {
    let (ident, key) = (&field.ident, key(&field.json));
    let always = field.is_always_written(lib);
    quote_spanned! {field.span()=>
        if const { #always } {
            w.field(#key, &self.#ident);
        } else {
            w.opt(#key, &self.#ident);
        }
    }
}

/// A name as the writer takes it, with quotes and colon.
fn key(name: &str) -> String {
    format!("\"{name}\":")
}
