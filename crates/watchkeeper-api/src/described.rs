//! Types that know their schema, so that a custom resource's definition follows from its type.

mod filled;
mod member;
pub mod projects;
mod rule;
pub mod shape;
mod values;

#[cfg(test)]
mod tests;

use watchkeeper_schema::Schema;

pub use filled::Filled;
pub use member::Member;
pub use projects::Projects;
pub use rule::Rule;
pub use shape::{Is, Known, Literal, Shape};

/// A type that knows the schema of its values.
///
/// Derive it with `Fields`, or with `Object` for a kind. The built-in structs have it, too, with
/// upstream's list types and keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema, so it cannot be part of a custom resource",
    note = "derive `Fields` for a struct of your own: `#[derive(Clone, Debug, Default, PartialEq, Fields)]`",
    note = "use `Raw` for a value of any shape"
)]
pub trait Described {
    /// Whether a field of this type is required unless something else is said: scalars are,
    /// options, lists, maps and structs are not.
    const REQUIRED: bool = false;

    /// What is known of its values while the program is compiled.
    const SHAPE: &'static Shape = &Shape::ANY;

    /// The schema of its values.
    fn schema() -> Schema;
}

/// A generated type whose members are known: what its `SHAPE` is made of, where it has a schema.
#[doc(hidden)]
pub trait Shaped {
    /// As [`Described::SHAPE`].
    const SHAPE: &'static Shape;
}

/// The schema of a type that is another one with more said of it, for generated code.
#[doc(hidden)]
#[must_use]
pub fn wrapper<T: Described>(change: fn(Member) -> Member) -> Schema {
    change(Member::new::<T>()).into_schema()
}

/// The schema of a struct in the making, for generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Members(Schema);

impl Members {
    /// An object without members yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Schema::object())
    }

    /// Says what the struct is for.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        self.0.description = Some(text.to_owned());
        self
    }

    /// Adds what every kind has beside its metadata: `apiVersion` and `kind`.
    #[must_use]
    pub fn head(mut self) -> Self {
        for name in ["apiVersion", "kind"] {
            self.0.properties.insert(name.to_owned(), Schema::string());
        }
        self
    }

    /// Adds a member of any shape.
    #[must_use]
    pub fn any(mut self, name: &str, change: fn(Member) -> Member) -> Self {
        change(Member::any()).finish(&mut self.0, name);
        self
    }

    /// Changes the whole.
    #[must_use]
    pub fn with(self, change: fn(Member) -> Member) -> Self {
        Self(change(Member::whole(self.0)).into_schema())
    }

    /// Adds an object of which nothing is said.
    #[must_use]
    pub fn object(mut self, name: &str) -> Self {
        self.0.properties.insert(name.to_owned(), Schema::object());
        self
    }

    /// Adds a member. `get` is never called: it tells the type of the field.
    #[must_use]
    pub fn add<S, T: Described>(
        mut self,
        name: &str,
        _get: fn(&S) -> &T,
        change: fn(Member) -> Member,
    ) -> Self {
        change(Member::new::<T>()).finish(&mut self.0, name);
        self
    }

    /// The whole.
    #[must_use]
    pub fn schema(self) -> Schema {
        self.0
    }
}

impl Default for Members {
    fn default() -> Self {
        Self::new()
    }
}
