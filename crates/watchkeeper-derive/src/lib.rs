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
/// | `plural = "…"`, `singular = "…"`, `list_kind = "…"` | from the kind when left out |
/// | `short_names("…", …)`, `categories("…", …)` | for `kubectl` |
/// | `annotation("key", "value")`, `label("key", "value")` | of the definition, any number of them; one in a group of `k8s.io` says that it is unapproved unless told otherwise |
/// | `scope = "Cluster"` | `Namespaced` when left out |
/// | `status` | the field `status` is a subresource |
/// | `scale(spec_replicas = "…", status_replicas = "…", label_selector = "…")` | paths of the scale subresource |
/// | `printcolumn("name", "type", ".json.path", description = "…", format = "…", priority = 1)` | a column, any number of them; name, type and json_path may be named, too |
/// | `selectable(".json.path", …)` | what field selectors may name |
/// | `served = false`, `storage = false` | of this version; both are true when left out |
/// | `deprecated`, `deprecated = "…"` | of this version, with a warning of one's own or the server's |
/// | `versions(Other, …)` | other versions of the kind, each a struct of its own with `storage = false` |
/// | `like = Pod` | a projection: see below |
/// | `crate = "…"` | where the library is, `watchkeeper` when left out |
///
/// and what [`Fields`](macro@Fields) takes for a whole struct.
///
/// Fields take the options of [`Fields`](macro@Fields).
///
/// # Several versions
///
/// ```
/// # use watchkeeper_api::{CustomResource, Kind, meta::v1::ObjectMeta};
/// # use watchkeeper_derive::Object;
/// mod v1 {
/// #   use super::*;
///     #[derive(Clone, Debug, Default, PartialEq, Object)]
///     #[object(group = "example.com", version = "v1", versions(super::v1beta1::Lamp))]
/// #   #[object(crate = "watchkeeper_api")]
///     pub struct Lamp { pub metadata: ObjectMeta }
/// }
/// mod v1beta1 {
/// #   use super::*;
///     #[derive(Clone, Debug, Default, PartialEq, Object)]
///     #[object(group = "example.com", version = "v1beta1", storage = false)]
///     #[object(deprecated = "use example.com/v1 Lamp")]
/// #   #[object(crate = "watchkeeper_api")]
///     pub struct Lamp { pub metadata: ObjectMeta }
/// }
/// # fn main() {
/// let versions = &v1::Lamp::crd().spec.versions;
/// assert_eq!(versions.iter().map(|of| &*of.name).collect::<Vec<_>>(), ["v1", "v1beta1"]);
/// # }
/// ```
///
/// # Projections
///
/// A struct that is `like` a kind has some of its fields, and reads them alone, from JSON and
/// protobuf: what a cache holds of many objects when a controller looks at a few members of each.
/// Its parts are `like` parts. A field is the whole type's field of the same name, or of that in
/// `#[field(like = "…")]`, and its type is the same, or a projection of it; the compiler sees to it.
///
/// ```
/// # use watchkeeper_api as watchkeeper;
/// use watchkeeper::core::v1::{Pod, PodSpec, PodStatus};
/// use watchkeeper::{IStr, Object as _, StaticKind, json, meta::v1::ObjectMeta};
/// use watchkeeper_derive::{Fields, Object};
///
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(like = Pod)]
/// # #[object(crate = "watchkeeper_api")]
/// struct PlacedPod { metadata: ObjectMeta, spec: PlacedSpec, status: PlacedStatus }
///
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(like = PodSpec)]
/// # #[fields(crate = "watchkeeper_api")]
/// struct PlacedSpec { #[field(like = "node_name")] node: IStr }
///
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(like = PodStatus)]
/// # #[fields(crate = "watchkeeper_api")]
/// struct PlacedStatus { phase: IStr }
///
/// let pod: PlacedPod = json::from_str(r#"{
///     "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
///     "spec": {"nodeName": "node-1", "containers": [{"name": "nginx"}]}
/// }"#)?;
/// assert_eq!(pod.spec.node, "node-1");
/// assert_eq!(PlacedPod::static_kind(), &Pod::KIND);
///
/// # use watchkeeper::pb;
/// let whole: Pod = json::from_str(r#"{"spec": {"nodeName": "node-2"}}"#)?;
/// let pod: PlacedPod = pb::Decoder::new().object(&pb::to_vec(&whole))?;
/// assert_eq!(pod.spec.node, "node-2");
/// # Ok::<(), json::ReadError>(())
/// ```
///
/// A projection of a custom resource says `json` besides, in all its parts: they have no protobuf.
///
/// ```
/// # use watchkeeper_api as watchkeeper;
/// use watchkeeper::{IStr, json, meta::v1::ObjectMeta};
/// use watchkeeper_derive::{Fields, Object};
///
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(group = "example.com", version = "v1")]
/// # #[object(crate = "watchkeeper_api")]
/// struct Lamp { metadata: ObjectMeta, spec: LampSpec }
///
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// # #[fields(crate = "watchkeeper_api")]
/// struct LampSpec { color: IStr, watts: i32 }
///
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(like = Lamp, json)]
/// # #[object(crate = "watchkeeper_api")]
/// struct ColoredLamp { metadata: ObjectMeta, spec: Color }
///
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(like = LampSpec, json)]
/// # #[fields(crate = "watchkeeper_api")]
/// struct Color { color: IStr }
///
/// let lamp: ColoredLamp = json::from_str(r#"{
///     "apiVersion": "example.com/v1", "kind": "Lamp", "metadata": {"name": "a"},
///     "spec": {"color": "red", "watts": 40}
/// }"#)?;
/// assert_eq!(lamp.spec.color, "red");
/// # Ok::<(), json::ReadError>(())
/// ```
///
/// ```compile_fail,E0080
/// # use watchkeeper_api::meta::v1::ObjectMeta;
/// # use watchkeeper_derive::Object;
/// # #[derive(Clone, Debug, Default, PartialEq, Object)]
/// # #[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
/// # struct Lamp { metadata: ObjectMeta }
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(like = Lamp)] // `Lamp` has no protobuf: write `#[object(like = Lamp, json)]`
/// # #[object(crate = "watchkeeper_api")]
/// struct NamedLamp { metadata: ObjectMeta }
/// ```
///
/// A projection cannot be written, neither replaced nor applied: what it leaves out would be lost.
///
/// ```compile_fail,E0277
/// # use watchkeeper_api::{Writable, core::v1::Pod, meta::v1::ObjectMeta};
/// # use watchkeeper_derive::Object;
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(like = Pod)]
/// # #[object(crate = "watchkeeper_api")]
/// struct PodName { metadata: ObjectMeta }
///
/// fn update(_: &impl Writable) {}
/// update(&PodName::default());
/// ```
///
/// # What does not compile
///
/// A column that leads nowhere:
///
/// ```compile_fail,E0080
/// # use watchkeeper_api::meta::v1::ObjectMeta;
/// # use watchkeeper_derive::Object;
/// #[derive(Clone, Debug, Default, PartialEq, Object)]
/// #[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
/// #[object(printcolumn("Bulbs", "integer", ".spec.bulbs"))]
/// struct Lamp { metadata: ObjectMeta }
/// ```
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
/// | `default = …` | filled in by the server: a value as in JSON, such as `3`, `"red"`, `["a"]`, `{ "size": 3 }` or `{}`, in which the server fills in the defaults within |
/// | `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of` ` = …` | of numbers |
/// | `min_length`, `max_length`, `min_items`, `max_items`, `min_properties`, `max_properties` ` = …` | of texts, lists, maps |
/// | `pattern = "…"`, `format = "…"` | of texts; a pattern that servers cannot read does not compile |
/// | `enum_values(…, …)` | the values allowed |
/// | `items(…)`, `values(…)` | options for each item of a list, each value of a map |
/// | `list_type = "map"`, `"set"` or `"atomic"`; `list_map_keys("…", …)` | of lists; `"set"` is what `uniqueItems` would be, which servers refuse: of scalars, lists, and structs and maps that are atomic |
/// | `map_type = "atomic"` or `"granular"` | of maps and structs |
/// | `nullable`, `preserve_unknown`, `embedded_resource`, `int_or_string` | as in a structural schema |
/// | `type = "…"` | the JSON type, whatever the field's type says |
/// | `schemaless` | any value; the field's type needs no schema |
/// | `validation(rule = "…", message = "…", message_expression = "…", reason = "…", field_path = "…", optional_old_self)` | a rule in CEL, any number of them |
/// | `immutable` | a rule: the value stays as it was |
/// | `title = "…"`, `example = …`, `external_docs(url = "…", description = "…")` | for readers |
/// | `like = "…"` | the field of the whole type, in a projection |
///
/// `#[fields(…)]` on the struct takes `validation(…)`, `immutable`, `min_properties`,
/// `max_properties`, `map_type`, `preserve_unknown`, `title`, `example`, `external_docs`, and
///
/// | option | meaning |
/// |---|---|
/// | `at_most_one_of("…", …)`, `exactly_one_of(…)`, `at_least_one_of(…)` | a rule about members, by their names in Rust or JSON |
/// | `like = PodSpec`, `json` | a part of a [projection](macro@Object#projections) |
/// | `crate = "…"` | where the library is |
///
/// A member that is missing is what `Default` says, as nobody has said it. One that is `null` is what a server
/// would make of it: its default, with the defaults within, unless the member is `nullable`.
///
/// An enum without data is a text of several, named as its variants or by `#[field(rename = "…")]`;
/// a missing one is the default, an unknown one is refused.
///
/// A field of type `SecretText` is a string of the format `password`, and is never told: of the struct that
/// holds it `Debug` and `diff` show `(redacted)`.
///
/// A struct around one value is that value, with what `#[field(…)]` says of it wherever it is a field:
///
/// ```
/// # use watchkeeper_api as watchkeeper;
/// use watchkeeper::{Described as _, List, json};
/// use watchkeeper_derive::Fields;
///
/// /// A port of TCP.
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// # #[fields(crate = "watchkeeper_api")]
/// pub struct Port(#[field(minimum = 1, maximum = 65535)] pub i32);
///
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// # #[fields(crate = "watchkeeper_api")]
/// pub struct Listener { pub port: Port, pub others: List<Port> }
///
/// let listener: Listener = json::from_str(r#"{"port":80,"others":[443]}"#)?;
/// assert_eq!((listener.port, &listener.others[0]), (Port(80), &Port(443)));
/// assert_eq!(Listener::schema().properties["port"].bounds.maximum, Some(65535.0));
/// # Ok::<(), json::ReadError>(())
/// ```
///
/// A struct that holds itself has no schema with an end: the field through which it does is `schemaless`.
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
/// A default of another type:
///
/// ```compile_fail,E0080
/// # use watchkeeper_derive::Fields;
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(crate = "watchkeeper_api")]
/// struct LampSpec { #[field(default = "three")] bulbs: i32 }
/// ```
///
/// A key that the items do not have:
///
/// ```compile_fail,E0080
/// # use watchkeeper_api::{List, core::v1::EnvVar};
/// # use watchkeeper_derive::Fields;
/// #[derive(Clone, Debug, Default, PartialEq, Fields)]
/// #[fields(crate = "watchkeeper_api")]
/// struct LampSpec { #[field(list_type = "map", list_map_keys("nmae"))] env: List<EnvVar> }
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
