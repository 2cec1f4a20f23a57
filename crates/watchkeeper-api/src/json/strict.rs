//! What a type does not know, and what a text says twice.
//!
//! None of it costs those who do not ask: a reader notes only the byte of an unknown member, and a
//! second walk over the text, which no other decode makes, finds the paths and the repetitions.

use std::collections::HashSet;
use std::fmt;

use super::decoder::Options;
use super::error::Step;
use super::{ReadError, Reader};

/// How many are told of one text, as in `sigs.k8s.io/json`.
pub(super) const MOST: usize = 100;

/// A member that should not be where it is.
///
/// ```
/// use watchkeeper_api::{core::v1::ConfigMap, json::Decoder};
/// let text = r#"{"metadata":{"nam":"a"},"data":{"k":"1","k":"2"}}"#;
/// let (map, found) = Decoder::new().decode_noting::<ConfigMap>(text.as_bytes())?;
/// assert_eq!(map.data.get("k").map(|value| value.as_str()), Some("2"));
/// assert_eq!(found[0].to_string(), r#"unknown field "metadata.nam""#);
/// assert_eq!(found[1].to_string(), r#"duplicate field "data.k""#);
/// assert_eq!(found[1].offset(), text.rfind(r#""2""#).unwrap());
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    path: String,
    offset: usize,
    repeated: bool,
}

impl Finding {
    /// Where it is: `spec.containers[0].imge`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The byte at which its value starts.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether the type knows it and the text says it twice; otherwise the type does not know it.
    #[must_use]
    pub fn is_duplicate(&self) -> bool {
        self.repeated
    }
}

/// In upstream's words.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.repeated { "duplicate" } else { "unknown" };
        write!(f, "{what} field {:?}", self.path)
    }
}

/// # Errors
/// When an object of the text has a member twice, with its path.
pub(super) fn refuse_repeated(text: &str, options: Options) -> Result<(), ReadError> {
    fn walk(r: &mut Reader<'_>) -> Result<(), ReadError> {
        match r.peek()? {
            b'{' => {
                let mut names = HashSet::new();
                r.members(&mut |r, name| {
                    if !names.insert(name.to_owned()) {
                        return Err(r.error("duplicate field"));
                    }
                    walk(r)
                })
            }
            b'[' => r.list(&mut walk),
            _ => r.skip(),
        }
    }
    walk(&mut Reader::with_options(text, options)?)
}

/// The second walk.
pub(super) struct Findings {
    /// The bytes of unknown members, sorted.
    unknown: Vec<usize>,
    path: Vec<Step>,
    found: Vec<Finding>,
}

impl Findings {
    pub(super) fn of(
        text: &str,
        options: Options,
        mut unknown: Vec<usize>,
    ) -> Result<Vec<Finding>, ReadError> {
        unknown.sort_unstable();
        let mut findings = Self { unknown, path: Vec::new(), found: Vec::new() };
        findings.walk(&mut Reader::with_options(text, options)?)?;
        Ok(findings.found)
    }

    fn walk(&mut self, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match r.peek()? {
            b'{' => {
                let mut names = HashSet::new();
                r.members(&mut |r, name| {
                    self.path.push(Step::Member(name.into()));
                    if self.unknown.binary_search(&r.offset()).is_ok() {
                        self.note(r.offset(), false);
                    }
                    if !names.insert(name.to_owned()) {
                        self.note(r.offset(), true);
                    }
                    self.walk(r)?;
                    self.path.pop();
                    Ok(())
                })
            }
            b'[' => {
                let mut index = 0;
                r.list(&mut |r| {
                    self.path.push(Step::Index(index));
                    index += 1;
                    self.walk(r)?;
                    self.path.pop();
                    Ok(())
                })
            }
            _ => r.skip(),
        }
    }

    fn note(&mut self, offset: usize, repeated: bool) {
        if self.found.len() < MOST {
            let path = super::error::path(self.path.iter());
            self.found.push(Finding { path, offset, repeated });
        }
    }
}
