//! The way to a value: what it is called after, where its schema is, and how deep its type lies.

use crate::custom::words;

/// How deep types may nest; what lies deeper is raw. The compiler follows a type through all that it is made of
/// to see that threads may share it, 128 steps deep and no deeper unless the program asks for more. What is
/// left of them is for what holds the objects.
const MAX_STEPS: usize = 90;
/// From an optional struct to the struct: the option, the box, and what that is made of.
const OPTION: usize = 3;
/// From a list to an item, which may be an option; from a map to a value.
const LIST: usize = 8;
const MAP: usize = 10;

/// Where in a schema we are.
#[derive(Clone, Default)]
pub(super) struct At {
    /// The members from the root on.
    pub(super) path: Vec<String>,
    /// The place in the schema, as a JSON pointer.
    pub(super) pointer: String,
    /// The last one in the singular, because this is an item of it.
    item: bool,
    /// How many steps it is from the kind to here.
    steps: usize,
    /// A list or map holds it, so that it needs no option.
    held: bool,
}

impl At {
    pub(super) fn member(&self, name: &str) -> Self {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        let step = name.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{}/properties/{step}", self.pointer);
        Self { path, pointer, item: false, steps: self.steps + 1, held: false }
    }

    pub(super) fn inner(&self, item: bool) -> Self {
        let step = if item { "items" } else { "additionalProperties" };
        let pointer = format!("{}/{step}", self.pointer);
        let steps = self.steps + if item { LIST } else { MAP };
        Self { pointer, item: item || self.item, steps, held: true, ..self.clone() }
    }

    /// The start of a component of that name, as deep as this.
    pub(super) fn component(&self, name: &str) -> Self {
        Self { steps: self.steps, ..Self::default() }.member(name)
    }

    /// Whether no struct, list or map may be here.
    pub(super) fn is_too_deep(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// The struct that a value is.
    pub(super) fn part(&self) -> Self {
        Self { steps: self.steps + if self.held { 0 } else { OPTION }, ..self.clone() }
    }

    pub(super) fn words(&self) -> Vec<String> {
        let mut words = words::of(self.path.last().map_or("", String::as_str));
        if let (true, Some(last)) = (self.item, words.last_mut()) {
            *last = words::singular(last);
        }
        words
    }
}
