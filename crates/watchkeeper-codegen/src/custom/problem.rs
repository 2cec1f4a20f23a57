//! Why there is nothing to generate.

use std::fmt;

/// A document that no types can be made of, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    source: String,
    place: Place,
    message: String,
}

/// Where in a source something is wrong.
///
/// ```
/// use watchkeeper_codegen::{Generator, Place};
/// let error = Generator::new().text("lamps.yaml", "kind: List\nitems: [").expect_err("no end");
/// assert_eq!(error.place(), &Place::Line(2));
/// let lamp = "kind: CustomResourceDefinition\nmetadata: { name: lamps.example.com }\nspec: {}\n";
/// let error = Generator::new().text("lamps.yaml", lamp).expect_err("no group");
/// assert_eq!(error.place(), &Place::Member { document: 1, path: "spec.group".into() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// All of it: it cannot be read, or holds nothing of what is looked for.
    Source,
    /// A line, counted from 1, of a text that is neither JSON nor YAML.
    Line(usize),
    /// A member of what was read, or one that is missing there.
    Member {
        /// Which document, counted from 1; those with nothing in them do not count.
        document: usize,
        /// The members on the way, as `items[0].spec.names.kind`; empty for the document itself.
        path: String,
    },
}

/// `line 3`, or `document 1, spec.names.kind`; nothing for the source itself.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source => Ok(()),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Member { document, path } if path.is_empty() => write!(f, "document {document}"),
            Self::Member { document, path } => write!(f, "document {document}, {path}"),
        }
    }
}

/// A document of a source, or an item of a list that it is.
#[derive(Clone, Debug)]
pub(crate) struct At {
    document: usize,
    path: String,
}

impl At {
    /// Counted from 0.
    pub(crate) const fn document(index: usize) -> Self {
        Self { document: index + 1, path: String::new() }
    }

    pub(crate) fn item(&self, index: usize) -> Self {
        Self { document: self.document, path: self.path_of(&format!("items[{index}]")) }
    }

    pub(crate) fn itself(&self) -> Place {
        self.member("")
    }

    pub(crate) fn member(&self, path: &str) -> Place {
        Place::Member { document: self.document, path: self.path_of(path) }
    }

    fn path_of(&self, below: &str) -> String {
        let between = if self.path.is_empty() || below.is_empty() { "" } else { "." };
        format!("{}{between}{below}", self.path)
    }
}

impl InputError {
    pub(crate) fn new(source: &str, place: Place, message: impl Into<String>) -> Self {
        Self { source: source.to_owned(), place, message: message.into() }
    }

    /// The name of the document's file, as it was given.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.source
    }

    /// Where in the source.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }
}

/// Source, place, and what is wrong, in one line where the source's name is one.
impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, place, message } = self;
        match place {
            Place::Source => write!(f, "{source}: {message}"),
            _ => write!(f, "{source}: {place}: {message}"),
        }
    }
}

impl std::error::Error for InputError {}
