#![doc = include_str!("../docs/macros.md")]

mod attributes;
mod check;
mod choice;
mod codec;
mod input;
mod kube;
mod name;
mod object;
mod pattern;
mod projection;
mod schema;
mod stub;
mod test;
mod wrapper;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, parse_macro_input};

#[doc = include_str!("../docs/object.md")]
#[proc_macro_derive(Object, attributes(object, field))]
pub fn derive_object(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    object::derive(&input).unwrap_or_else(|error| stub::object(&input, error)).into()
}

#[doc = include_str!("../docs/fields.md")]
#[proc_macro_derive(Fields, attributes(field, fields))]
pub fn derive_fields(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    schema::derive_fields(&input).unwrap_or_else(|error| stub::fields(&input, error)).into()
}

/// Makes a struct that `#[derive(kube::CustomResource)]` made an object: users name it as
/// `watchkeeper_kube::Object`, which says what it does.
///
/// `#[object(crate = "…")]` says where `watchkeeper-kube` is, if it goes by another name.
#[proc_macro_derive(KubeObject, attributes(object))]
pub fn derive_kube_object(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    kube::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes an async function a test beside a cluster of its own, in paused time.
///
/// The function takes a `TestCluster` (`watchkeeper::testing`), or nothing, and returns nothing or a `Result`.
/// It needs the feature `test` of `watchkeeper`.
///
/// ```text
/// #[watchkeeper::test]
/// async fn a_foo_gets_its_deployment(test: TestCluster) {
///     test.start("foo", foo_controller);
///     …
///     test.settled().await;
/// }
/// ```
///
/// `#[watchkeeper::test(…)]` takes:
///
/// | option | meaning |
/// |---|---|
/// | `nodes = 3` | how many fake nodes there are; one when left out |
/// | `seed = 7` | another run |
/// | `rbac` | roles and bindings hold |
/// | `minutes = 10` | how long the test may take, of its own time; an hour when left out |
/// | `crate = "…"` | where the library is, `watchkeeper` when left out |
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    let test = parse_macro_input!(item as ItemFn);
    let made = test::expand(options.into(), &test);
    made.unwrap_or_else(|error| test::stub(&test, &error)).into()
}
