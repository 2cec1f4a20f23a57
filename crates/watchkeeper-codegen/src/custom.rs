//! Custom resources to code: from definitions, or from a server's OpenAPI document, to lean types.
//!
//! ```
//! use watchkeeper_codegen::Generator;
//!
//! # fn main() -> Result<(), watchkeeper_codegen::InputError> {
//! let definition = "
//! apiVersion: apiextensions.k8s.io/v1
//! kind: CustomResourceDefinition
//! metadata: { name: lamps.example.com }
//! spec:
//!   group: example.com
//!   scope: Namespaced
//!   names: { kind: Lamp, plural: lamps }
//!   versions:
//!   - name: v1
//!     served: true
//!     storage: true
//!     schema:
//!       openAPIV3Schema:
//!         type: object
//!         properties:
//!           spec:
//!             type: object
//!             required: [colour]
//!             properties:
//!               colour: { type: string }
//!               watts: { type: integer, format: int32 }
//! ";
//! let generated = Generator::new().text("lamps.yaml", definition)?.generate();
//! let text = generated.text();
//! assert!(text.contains("pub struct LampSpec {"));
//! assert!(text.contains("pub colour: IStr,"));
//! assert!(text.contains("pub watts: Option<i32>,"));
//! # Ok(())
//! # }
//! ```
//!
//! From a `build.rs`, the text goes into `OUT_DIR`, and the program includes it:
//!
//! ```no_run
//! use std::path::Path;
//! use watchkeeper_codegen::Generator;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! println!("cargo::rerun-if-changed=crds/lamps.yaml");
//! let out = std::env::var("OUT_DIR")?;
//! Generator::new().file("crds/lamps.yaml")?.generate().write_text(&Path::new(&out).join("crds.rs"))?;
//! // In the program: include!(concat!(env!("OUT_DIR"), "/crds.rs"));
//! # Ok(())
//! # }
//! ```
//!
//! # What a schema becomes
//!
//! | schema | type |
//! |---|---|
//! | a string; a time, bytes, a quantity | `IStr`; `Time`, `ByteString`, `Quantity` |
//! | a string of the format `password` | `SecretText`, which is never told |
//! | an integer that is an `int32`, another; a number | `i32`, `i64`; `f64` |
//! | int-or-string | `IntOrString` |
//! | a list; `additionalProperties` | `List<T>`; `Map<T>` |
//! | an object with members | a struct: by value where it must be there, `Option<Box<T>>` where not |
//! | the shape of a condition, a label selector, metadata | the type of `meta::v1` |
//! | an object that keeps unknown members beside its own | a struct, with `other: Map<Raw>` |
//! | an object of which no member is named, where servers keep them | `Map<Raw>`, in an option where it may be absent |
//! | what the schema leaves open otherwise, and an object of any kind | `Raw` |
//! | what has no type here | `Raw`, told by [`Generated::raw_parts`] |
//!
//! What the schema leaves open and what has no type here are counted apart, for each kind
//! ([`GeneratedKind::counts`]) and for all ([`Generated::counts`]). Types nest as deep as the compiler follows
//! them without being asked for more (`recursion_limit`): some 22 objects in one another, 9 lists of objects, or 7
//! maps of them; what lies deeper is raw, too.
//!
//! Optional scalars are options, optional lists and other maps are left out when empty, or options where the
//! schema has items for them by default; `spec` and `status` are plain fields, as in the built-in kinds.
//! What a schema allows beyond its types (`anyOf`, `not`,
//! bounds, rules) is for the server to check. Unknown texts of an enumeration stay what they are: an
//! `IStr`, or a variant where enums were asked for. Versions that are not served are passed over.
//!
//! Structs are called after their kind and the member that holds them, with as many of the members
//! around it as keep them apart; structs of one shape whose members end in the same word are one.

mod accessors;
mod emit;
mod input;
mod names;
mod openapi;
mod output;
mod problem;
mod shape;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use input::Resource;
pub(crate) use input::{definitions, documents};
pub use output::{Counts, Generated, GeneratedKind, RawPart};
pub(crate) use problem::At;
pub use problem::{InputError, Place};

/// Collects documents, and makes types of them.
#[derive(Clone, Debug)]
#[must_use]
pub struct Generator {
    resources: Vec<Resource>,
    sources: Vec<String>,
    library: String,
    header: String,
    clients: bool,
    informers: bool,
    definitions: bool,
    builders: bool,
    enums: bool,
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Generator {
    /// Without documents, for programs that name the crate `watchkeeper`.
    pub fn new() -> Self {
        Self {
            resources: Vec::new(),
            sources: Vec::new(),
            library: "watchkeeper".to_owned(),
            header: String::new(),
            clients: true,
            informers: true,
            definitions: true,
            builders: true,
            enums: false,
        }
    }

    /// Adds the documents of a text, YAML or JSON. `source` is named in messages and in the output.
    ///
    /// A definition that was there already, of the same group, version and kind, is replaced.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or holds no resource.
    pub fn text(mut self, source: &str, text: &str) -> Result<Self, InputError> {
        for resource in input::resources(text, source)? {
            let same = |known: &Resource| {
                (&known.group, &known.version, &known.kind)
                    == (&resource.group, &resource.version, &resource.kind)
            };
            self.resources.retain(|known| !same(known));
            self.resources.push(resource);
        }
        self.sources.push(source.to_owned());
        Ok(self)
    }

    /// Adds the documents of a file. Its name is written to the output, its folder is not.
    ///
    /// # Errors
    ///
    /// The file cannot be read; otherwise as for [`Generator::text`].
    pub fn file(self, path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| {
            let source = path.display().to_string();
            InputError::new(&source, Place::Source, error.to_string())
        })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        self.text(&name.unwrap_or_default(), &text)
    }

    /// The path of the library in the program: `watchkeeper` when not told otherwise.
    pub fn library(mut self, path: &str) -> Self {
        path.clone_into(&mut self.library);
        self
    }

    /// What every file begins with: a licence. Lines that are no comments become some.
    pub fn header(mut self, text: &str) -> Self {
        text.clone_into(&mut self.header);
        self
    }

    /// Whether to write typed clients, as `client.example_com().v1().lamps("default")`.
    pub fn clients(mut self, wanted: bool) -> Self {
        self.clients = wanted;
        self
    }

    /// Whether to write shared informers, as `factory.example_com().v1().lamps().lister()`.
    pub fn informers(mut self, wanted: bool) -> Self {
        self.informers = wanted;
        self
    }

    /// Whether to write the definitions down, so that `Lamp::crd()` installs what the types were made of, and
    /// so that structs may be part of custom resources that are derived. An OpenAPI document has none.
    pub fn definitions(mut self, wanted: bool) -> Self {
        self.definitions = wanted;
        self
    }

    /// Whether to write `with_…` methods, as `LampSpec::default().with_watts(5)`.
    pub fn builders(mut self, wanted: bool) -> Self {
        self.builders = wanted;
        self
    }

    /// Whether a text of which the schema names all values becomes an enum; not unless asked for. Other
    /// texts survive in a variant of their own.
    pub fn enums(mut self, wanted: bool) -> Self {
        self.enums = wanted;
        self
    }

    /// The types. Always the same text for the same documents.
    #[must_use]
    pub fn generate(&self) -> Generated {
        let mut by_version: BTreeMap<(&str, &str), Vec<&Resource>> = BTreeMap::new();
        for resource in &self.resources {
            let key = (resource.group.as_str(), resource.version.as_str());
            by_version.entry(key).or_default().push(resource);
        }
        let mut modules = Vec::new();
        for resources in by_version.values_mut() {
            resources.sort_by(|a, b| a.kind.cmp(&b.kind));
            modules.push(shape::module(resources, self.enums));
        }
        let wishes = output::Wishes {
            library: &self.library,
            header: &self.header,
            clients: self.clients,
            informers: self.informers,
            definitions: self.definitions,
            builders: self.builders,
        };
        Generated::new(modules, &self.sources, &wishes)
    }
}
