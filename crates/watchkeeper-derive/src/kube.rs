//! `#[derive(KubeObject)]`: what `watchkeeper-kube` does for a struct of kube.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, LitStr, Result, Type};

use crate::input;

#[cfg(test)]
mod tests;

/// Hands the struct, and the type of its status, to the macro that knows kube.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let lib = library(input)?;
    input::refuse_generics(input)?;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "only a struct is a custom resource"));
    };
    let has = |name: &str| data.fields.iter().find(|f| f.ident.as_ref().is_some_and(|i| i == name));
    if has("metadata").is_none() {
        let message = "derive it by `#[kube(derive = \"watchkeeper_kube::Object\")]`, behind \
            `#[derive(kube::CustomResource)]`: the struct that kube makes has the metadata";
        return Err(Error::new(input.ident.span(), message));
    }
    let status = has("status").map(|field| &field.ty).filter(|ty| is_option(ty));
    let status = status.map(|ty| quote!(, status = #ty));
    let ident = &input.ident;
    Ok(quote!(#lib::__derived!(#ident #status);))
}

/// Where `watchkeeper-kube` is.
fn library(input: &DeriveInput) -> Result<TokenStream> {
    let mut named = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("object")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("only `crate` is known here"));
            }
            named = Some(meta.value()?.parse::<LitStr>()?.parse::<syn::Path>()?);
            Ok(())
        })?;
    }
    Ok(named.map_or_else(|| quote!(::watchkeeper_kube), |path| quote!(#path)))
}

fn is_option(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Option")
}
