//! Where a value is: a text only where something is said of it. Values may have long names, and many values below them.

use std::fmt::Write as _;

use crate::error::{FieldError, child};

/// The way from a value to one within.
pub(super) enum Path<'a> {
    Root,
    Field(&'a Self, &'a str),
    Key(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl Path<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Field(outer, name) => {
                outer.write(out);
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            Self::Key(outer, name) => {
                outer.write(out);
                out.push('[');
                out.push_str(name);
                out.push(']');
            }
            Self::Item(outer, index) => {
                outer.write(out);
                // Writing to a text does not fail.
                let _ = write!(out, "[{index}]");
            }
        }
    }

    /// How many bytes the text has, about.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Field(outer, name) => outer.length() + 1 + name.len(),
            Self::Key(outer, name) => outer.length() + 2 + name.len(),
            Self::Item(outer, _) => outer.length() + 8,
        }
    }

    /// A mistake of the value that is here, whose field is a way on from it.
    pub(super) fn place(&self, mut error: FieldError) -> FieldError {
        let text = self.text();
        error.field = match &*error.field {
            "" => text,
            field if field.starts_with('[') => text + field,
            field => child(&text, field),
        };
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_upstream_writes_it() {
        let spec = Path::Field(&Path::Root, "spec");
        let entry = Path::Key(&spec, "a.b");
        let item = Path::Item(&entry, 17);
        let part = Path::Field(&item, "part");
        for (path, text) in [
            (&Path::Root, ""),
            (&spec, "spec"),
            (&entry, "spec[a.b]"),
            (&item, "spec[a.b][17]"),
            (&part, "spec[a.b][17].part"),
        ] {
            assert_eq!(path.text(), text);
            assert!(path.length().abs_diff(text.len()) <= 5, "{text}");
        }
        assert_eq!(Path::Key(&Path::Root, "a").text(), "[a]");
    }

    #[test]
    fn a_mistake_is_placed_behind_its_value() {
        let spec = Path::Field(&Path::Root, "spec");
        let placed =
            |path: &Path<'_>, field: &str| path.place(FieldError::required(field, "")).field;
        assert_eq!(placed(&spec, "kind"), "spec.kind");
        assert_eq!(placed(&spec, ""), "spec");
        assert_eq!(placed(&spec, "[1].kind"), "spec[1].kind");
        assert_eq!(placed(&Path::Root, "kind"), "kind");
    }
}
