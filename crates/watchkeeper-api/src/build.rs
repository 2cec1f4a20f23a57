//! Building and editing objects as manifests read: [`object!`](crate::object!) and
//! [`edit!`](crate::edit!).
//!
//! Both are checked by the compiler: a field that does not exist, a value that does not fit. What
//! may fill a field is said by [`Fill`], on the value.
//!
//! With the feature `builders` every struct also has a `with_…` method for each field, which takes the same
//! values:
//!
//! ```
//! # #[cfg(all(feature = "builders", feature = "core"))] {
//! use watchkeeper_api::core::v1::{Service, ServicePort, ServiceSpec};
//! use watchkeeper_api::meta::v1::ObjectMeta;
//!
//! let port = ServicePort::default().with_name("http").with_port(80).with_target_port("web");
//! let service = Service::default()
//!     .with_metadata(ObjectMeta::default().with_name("shop").with_labels([("app", "shop")]))
//!     .with_spec(ServiceSpec::default().with_ports([port]).with_selector([("app", "shop")]));
//! assert_eq!(service.spec.ports[0].port, 80);
//! # }
//! ```

mod conversions;
mod macros;
mod setters;
#[cfg(test)]
mod tests;

use crate::json::Fields;
use crate::shared::Blank;
use crate::{IStr, List, Map, Shared};

/// A value that can fill a field of type `F`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{F}` cannot be filled with a `{Self}`",
    label = "this does not fill a `{F}`"
)]
pub trait Fill<F> {
    /// Sets the field.
    fn fill(self, field: &mut F);
}

/// A field that nested braces reach into.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` has no fields of its own to fill with braces",
    label = "write a plain value here"
)]
pub trait Nest {
    /// What the braces fill.
    type Inner;

    /// The value to fill, made first when absent.
    fn nest(&mut self) -> &mut Self::Inner;
}

impl<T: Fields> Nest for T {
    type Inner = Self;
    fn nest(&mut self) -> &mut Self {
        self
    }
}

impl<T: Fields + Default> Nest for Option<Box<T>> {
    type Inner = T;
    fn nest(&mut self) -> &mut T {
        self.get_or_insert_default()
    }
}

impl<T: Blank + Clone> Nest for Shared<T> {
    type Inner = T;
    fn nest(&mut self) -> &mut T {
        self.make_mut()
    }
}

impl<T: Blank + Clone> Nest for Option<Shared<T>> {
    type Inner = T;
    fn nest(&mut self) -> &mut T {
        self.get_or_insert_default().make_mut()
    }
}

impl<V> Nest for Map<V> {
    type Inner = Self;
    fn nest(&mut self) -> &mut Self {
        self
    }
}

impl<V> Nest for Option<Map<V>> {
    type Inner = Map<V>;
    fn nest(&mut self) -> &mut Map<V> {
        self.get_or_insert_default()
    }
}

/// A map whose entries braces fill: `{ "app": "web" }`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is no map, so its fields are named without quotes",
    label = "write the name of a field here"
)]
pub trait Entries {
    /// The values.
    type Value;

    /// The value of `key`, made first when absent.
    fn entry(&mut self, key: &str) -> &mut Self::Value;
}

impl<V: Default> Entries for Map<V> {
    type Value = V;
    fn entry(&mut self, key: &str) -> &mut V {
        self.slot(IStr::from(key))
    }
}

/// A field that brackets fill with elements.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` is no list to fill with brackets",
    label = "write a plain value here"
)]
pub trait Elements {
    /// One element.
    type Element: Default;
}

impl<T: Default> Elements for List<T> {
    type Element = T;
}

impl<T: Default> Elements for Vec<T> {
    type Element = T;
}

impl<T: Elements> Elements for Shared<T> {
    type Element = T::Element;
}

impl<T: Elements> Elements for Option<T> {
    type Element = T::Element;
}

/// Room for the elements of a list field. Borrows nothing, so that the elements may be computed
/// from the object that is edited.
#[doc(hidden)]
#[must_use]
pub fn elements<F: Elements>(_: &F) -> Vec<F::Element> {
    Vec::new()
}

/// One element to be filled.
#[doc(hidden)]
#[must_use]
pub fn element<T: Default>(_: &[T]) -> T {
    T::default()
}
