//! The procedural macros of watchkeeper: custom resources from Rust types.
//!
//! Users name the macros as `watchkeeper::Object` and `watchkeeper::Fields`; this crate is their
//! workshop.
//!
//! ```
//! # use watchkeeper_api as watchkeeper;
//! use watchkeeper::{CustomResource, IStr, meta::v1::ObjectMeta};
//! use watchkeeper_derive::{Fields, Object};
//!
//! /// A Foo has a Deployment.
//! #[derive(Clone, Debug, Default, PartialEq, Object)]
//! #[object(group = "samplecontroller.k8s.io", version = "v1alpha1", status)]
//! #[object(printcolumn("Replicas", "integer", ".spec.replicas"))]
//! # #[object(crate = "watchkeeper_api")]
//! pub struct Foo {
//!     pub metadata: ObjectMeta,
//!     pub spec: FooSpec,
//!     pub status: FooStatus,
//! }
//!
//! #[derive(Clone, Debug, Default, PartialEq, Fields)]
//! # #[fields(crate = "watchkeeper_api")]
//! pub struct FooSpec {
//!     /// The name of its Deployment.
//!     pub deployment_name: IStr,
//!     #[field(minimum = 1, maximum = 10)]
//!     pub replicas: Option<i32>,
//! }
//!
//! #[derive(Clone, Debug, Default, PartialEq, Fields)]
//! # #[fields(crate = "watchkeeper_api")]
//! pub struct FooStatus {
//!     #[field(optional)]
//!     pub available_replicas: i32,
//! }
//!
//! assert_eq!(Foo::crd().metadata.name, "foos.samplecontroller.k8s.io");
//! ```

mod attributes;
mod choice;
mod codec;
mod input;
mod name;
mod object;
mod schema;
mod stub;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct a kind of objects: `Object`, `StaticKind`, `Writable`, `HasMeta`, `HasStatus`,
/// `Described`, `CustomResource`, the codec, and the constant `KIND`.
///
/// The definition needs the group `apiextensions` of the library, which is on by default. The struct
/// has a field `metadata: ObjectMeta`, and derives `Clone, Debug, Default, PartialEq`.
/// Other fields are its members; `spec` and `status` are structs with `#[derive(Fields)]`.
///
/// `#[object(…)]` on the struct takes:
///
/// | option | meaning |
/// |---|---|
/// | `group = "…"`, `version = "…"` | needed |
/// | `kind = "…"` | the name of the struct when left out |
/// | `plural = "…"`, `singular = "…"` | from the kind when left out |
/// | `short_names("…", …)`, `categories("…", …)` | for `kubectl` |
/// | `annotation("key", "value")` | of the definition, any number of them; one in a group of `k8s.io` says that it is unapproved unless told otherwise |
/// | `scope = "Cluster"` | `Namespaced` when left out |
/// | `status` | the field `status` is a subresource |
/// | `scale(spec_replicas = "…", status_replicas = "…", label_selector = "…")` | paths of the scale subresource |
/// | `printcolumn("name", "type", ".json.path", description = "…", format = "…", priority = 1)` | a column, any number of them; name, type and json_path may be named, too |
/// | `crate = "…"` | where the library is, `watchkeeper` when left out |
///
/// Fields take the options of [`Fields`](macro@Fields).
///
/// # What does not compile
///
/// A struct without metadata:
///
/// ```compile_fail
/// use watchkeeper_derive::Object;
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
/// struct Lamp {}
/// ```
///
/// A kind without a group:
///
/// ```compile_fail
/// use watchkeeper_api::meta::v1::ObjectMeta;
/// use watchkeeper_derive::Object;
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(version = "v1", crate = "watchkeeper_api")]
/// struct Lamp { metadata: ObjectMeta }
/// ```
///
/// A status subresource without a status:
///
/// ```compile_fail
/// use watchkeeper_api::meta::v1::ObjectMeta;
/// use watchkeeper_derive::Object;
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(group = "example.com", version = "v1", status, crate = "watchkeeper_api")]
/// struct Lamp { metadata: ObjectMeta }
/// ```
#[proc_macro_derive(Object, attributes(object, field))]
pub fn derive_object(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    object::derive(&input).unwrap_or_else(|error| stub::object(&input, error)).into()
}

/// Makes a struct a part of objects: the codec and `Described`.
///
/// Member names are the field names in camel case. A field whose type is a scalar is required and
/// always written; options, lists, maps and structs are optional and left out when empty. Doc
/// comments become descriptions.
///
/// `#[field(…)]` on a field takes:
///
/// | option | meaning |
/// |---|---|
/// | `rename = "…"` | the member's name |
/// | `required`, `optional` | instead of what the type says |
/// | `default = …` | filled in by the server: a number, a text, `true` or `false` |
/// | `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of` ` = …` | of numbers |
/// | `min_length`, `max_length`, `min_items`, `max_items`, `min_properties`, `max_properties` ` = …` | of texts, lists, maps |
/// | `pattern = "…"`, `format = "…"`, `enum_values("…", …)` | of texts |
/// | `list_type = "map"`, `"set"` or `"atomic"`; `list_map_keys("…", …)` | of lists |
/// | `map_type = "atomic"` or `"granular"` | of maps and structs |
/// | `nullable`, `preserve_unknown`, `embedded_resource` | as in a structural schema |
/// | `validation(rule = "…", message = "…")` | a rule in CEL, any number of them |
///
/// An enum without data is a text of several, named as its variants or by `#[field(rename = "…")]`;
/// a missing one is the default, an unknown one is refused.
///
/// `#[fields(crate = "…")]` on the type says where the library is.
///
/// # What does not compile
///
/// A field whose type has no schema:
///
/// ```compile_fail
/// use watchkeeper_derive::Fields;
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(crate = "watchkeeper_api")]
/// struct LampSpec { bulb: std::time::Duration }
/// ```
///
/// An option that does not exist:
///
/// ```compile_fail
/// use watchkeeper_derive::Fields;
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(crate = "watchkeeper_api")]
/// struct LampSpec { #[field(minimun = 1)] bulbs: i32 }
/// ```
#[proc_macro_derive(Fields, attributes(field, fields))]
pub fn derive_fields(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    schema::derive_fields(&input).unwrap_or_else(|error| stub::fields(&input, error)).into()
}
