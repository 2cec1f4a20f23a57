//! `#[derive(Fields)]`, and the schema of a struct.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Result};

use crate::choice;
use crate::codec::codec;
use crate::input::{self, Field};

/// The codec and the schema of a part of objects.
pub(crate) fn derive_fields(input: &DeriveInput) -> Result<TokenStream> {
    if let Data::Enum(data) = &input.data {
        return choice::derive(input, data);
    }
    let lib = input::library_of_fields(input)?;
    let fields = input::fields(input)?;
    let ident = &input.ident;
    let codec = codec(&lib, ident, &fields, None);
    let described = described(&lib, input, &fields.iter().collect::<Vec<_>>(), &quote!());
    Ok(quote!(#codec #described))
}

/// `Described`; `head` are calls for the members of a kind that are no fields.
pub(crate) fn described(
    lib: &TokenStream,
    input: &DeriveInput,
    fields: &[&Field],
    head: &TokenStream,
) -> TokenStream {
    let ident = &input.ident;
    let members = fields.iter().map(|field| member(lib, field));
    let description = input::doc(&input.attrs).map(|text| quote!(.description(#text)));
    quote! {
        #[automatically_derived]
        impl #lib::Described for #ident {
            fn schema() -> #lib::Schema {
                #lib::Members::new() #description #head #(#members)* .schema()
            }
        }
    }
}

fn member(lib: &TokenStream, field: &Field) -> TokenStream {
    let (ident, json) = (&field.ident, &field.json);
    let calls = &field.options.calls;
    let description = field.doc.as_ref().map(|text| quote!(.description(#text)));
    // Last, so that what is said wins over what a default implies.
    let required = field
        .options
        .required
        .map(|required| if required { quote!(.required()) } else { quote!(.optional()) });
    quote_spanned! {field.span()=>
        .add(
            #json,
            |value: &Self| &value.#ident,
            |member: #lib::Member| member #description #(.#calls)* #required,
        )
    }
}
