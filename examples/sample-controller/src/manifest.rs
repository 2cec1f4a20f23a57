//! The Foo to apply: read and checked before anything is started.

use std::path::Path;

use serde_json::Value;
use watchkeeper::api::Unstructured;
use watchkeeper::prelude::*;

use crate::foo::Foo;
use crate::problem::Problem;

/// The Foo that is applied unless another is given.
pub const EXAMPLE: &str = include_str!("../artifacts/example-foo.yaml");

/// A Foo as somebody wrote it, with fields that we may not know.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The Foo.
    pub foo: Unstructured,
    /// Where it was read, for messages.
    pub source: String,
}

impl Manifest {
    /// The built-in example.
    ///
    /// # Errors
    ///
    /// Never, as a test holds.
    pub fn example() -> Result<Self, Problem> {
        Self::parse(EXAMPLE, "the built-in example")
    }

    /// Reads one Foo from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not YAML, or is something else than one Foo with a name.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Problem::new(format!("{source} cannot be read: {error}")))?;
        Self::parse(&text, &source)
    }

    /// Reads one Foo from YAML or JSON.
    ///
    /// # Errors
    ///
    /// When the text is not YAML, or is something else than one Foo with a name.
    pub fn parse(text: &str, source: &str) -> Result<Self, Problem> {
        let value = document(text, source)?;
        let kind = Foo::static_kind();
        let wanted = [("apiVersion", &*kind.api_version()), ("kind", &*kind.kind)];
        let wrong: Vec<_> =
            wanted.into_iter().filter(|(field, wanted)| value[field] != **wanted).collect();
        if !wrong.is_empty() {
            let is = wrong.iter().map(|(field, _)| match value.get(field) {
                Some(other) => format!("its {field} is {other}"),
                None => format!("its {field} is missing"),
            });
            let write = wrong.iter().map(|(field, wanted)| format!("{field}: {wanted}"));
            let (is, write): (Vec<_>, Vec<_>) = (is.collect(), write.collect());
            let (is, write) = (is.join(" and "), write.join(" and "));
            return Err(Problem::new(format!("{source} is no Foo: {is}; write {write}")));
        }
        if value["metadata"]["name"].as_str().is_none_or(str::is_empty) {
            return Err(Problem::new(format!(
                "{source} names no Foo: write metadata: {{name: …}}"
            )));
        }
        let foo = Unstructured::from_value(&value)
            .map_err(|error| Problem::new(format!("{source} is no Kubernetes object: {error}")))?;
        Ok(Self { foo, source: source.to_owned() })
    }
}

/// The one document of a text; empty ones between separators do not count.
fn document(text: &str, source: &str) -> Result<Value, Problem> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(text)
        .map_err(|error| Problem::new(format!("{source} is not YAML: {}", describe(&error))))?;
    let mut documents: Vec<Value> =
        documents.into_iter().filter(|document| !document.is_null()).collect();
    match (documents.pop(), documents.len()) {
        (Some(document), 0) => Ok(document),
        (Some(_), others) => Err(Problem::new(format!(
            "{source} holds {} documents; leave one Foo in it, and apply the others with kubectl",
            others + 1
        ))),
        (None, _) => Err(Problem::new(format!(
            "{source} is empty; write a Foo such as examples/sample-controller/artifacts/example-foo.yaml"
        ))),
    }
}

/// The parser's error as one line.
fn describe(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let text = text.lines().next().unwrap_or_default();
    text.trim_start_matches("error:").trim_start().to_owned()
}
