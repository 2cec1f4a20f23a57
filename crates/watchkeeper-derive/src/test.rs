//! `#[watchkeeper::test]`: an async function beside a cluster of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser as _;
use syn::{Error, ItemFn, LitBool, LitInt, LitStr, Path, Result, Token};

#[cfg(test)]
mod tests;

/// What the attribute says, as members of `Options`.
struct Options {
    lib: TokenStream,
    members: Vec<TokenStream>,
}

impl Options {
    fn of(options: TokenStream) -> Result<Self> {
        let mut said = Self { lib: quote!(::watchkeeper), members: Vec::new() };
        syn::meta::parser(|meta| said.take(&meta)).parse2(options)?;
        Ok(said)
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let member = if meta.path.is_ident("nodes") {
            let nodes: LitInt = meta.value()?.parse()?;
            let _: u16 = nodes.base10_parse()?;
            quote!(nodes: #nodes)
        } else if meta.path.is_ident("seed") {
            let seed: LitInt = meta.value()?.parse()?;
            let _: u64 = seed.base10_parse()?;
            quote!(seed: #seed)
        } else if meta.path.is_ident("minutes") {
            let minutes: LitInt = meta.value()?.parse()?;
            let seconds = u64::from(minutes.base10_parse::<u32>()?) * 60;
            quote!(deadline: ::core::time::Duration::from_secs(#seconds))
        } else if meta.path.is_ident("rbac") {
            let holds = match meta.input.peek(Token![=]) {
                true => meta.value()?.parse::<LitBool>()?.value,
                false => true,
            };
            quote!(rbac: #holds)
        } else if meta.path.is_ident("crate") {
            let path: LitStr = meta.value()?.parse()?;
            let path: Path = path.parse()?;
            self.lib = quote!(#path);
            return Ok(());
        } else {
            return Err(
                meta.error("unknown option: there are nodes, seed, rbac, minutes and crate")
            );
        };
        self.members.push(member);
        Ok(())
    }
}

/// The test that the harness runs, with the function in it.
pub(crate) fn expand(options: TokenStream, test: &ItemFn) -> Result<TokenStream> {
    let Options { lib, members } = Options::of(options)?;
    let ItemFn { attrs, vis, sig, .. } = test;
    if sig.asyncness.is_none() {
        return Err(Error::new_spanned(sig.fn_token, "the test is an `async fn`"));
    }
    if let Some(generic) = sig.generics.params.first() {
        return Err(Error::new_spanned(generic, "nobody says what a test is generic over"));
    }
    let (name, output) = (&sig.ident, &sig.output);
    let call = match sig.inputs.len() {
        0 => quote!(async |_| #name().await),
        1 => quote!(#name),
        _ => {
            let why = "a test takes a `TestCluster` or nothing";
            return Err(Error::new_spanned(&sig.inputs, why));
        }
    };
    let (inputs, body) = (&sig.inputs, &test.block);
    Ok(quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        #vis fn #name() #output {
            async fn #name(#inputs) #output #body
            let options = #lib::testing::Options {
                #(#members,)*
                ..::core::default::Default::default()
            };
            #lib::testing::run(options, #call)
        }
    })
}

/// The error, and the function, so that nothing else is said to be missing.
pub(crate) fn stub(test: &ItemFn, error: &Error) -> TokenStream {
    let error = error.to_compile_error();
    quote! {
        #error
        #[allow(dead_code)]
        #test
    }
}
