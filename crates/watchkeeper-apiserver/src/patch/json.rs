//! JSON patch (RFC 6902) as the Go implementation behind a kube-apiserver does it
//! (`evanphx/json-patch`, major version 4).
//!
//! Where it is laxer than the RFC, so is this: `replace` of a member that is not there adds it,
//! `copy` of one copies null, `test` finds null in it, indices may count from the end, and what
//! stands before the first slash of a path says nothing.

use serde_json::{Map, Value};

use super::PatchError;
use crate::deep::{self, DEEPEST};
use crate::go::go_kind;

/// The most operations that one JSON patch may have (apiserver, `endpoints/handlers/patch.go`).
pub const MAX_JSON_PATCH_OPERATIONS: usize = 10_000;
/// How many bytes the copies of one patch may add (apiserver's `JSONPatchMaxCopyBytes`).
const MAX_COPIED: usize = 3 * 1024 * 1024;
/// How many items of lists may be moved by one place, all operations together: ten thousand of them at the
/// beginning of a list of ten thousand.
const MAX_MOVED: usize = 100_000_000;

/// The object with the operations of a JSON patch done.
///
/// # Errors
///
/// A patch that is no list of operations, that is too long, or of which one fails.
pub fn json(object: &Value, patch: &Value) -> Result<Value, PatchError> {
    let Value::Array(operations) = patch else {
        return Err(undecodable(patch, "value of type []handlers.jsonPatchOp"));
    };
    let count = operations.len();
    if count > MAX_JSON_PATCH_OPERATIONS {
        return Err(PatchError::TooLarge(count));
    }
    let operations: Vec<Operation<'_>> =
        operations.iter().map(Operation::read).collect::<Result<_, _>>()?;
    let mut run = Run { document: object.clone(), copied: 0, moved: 0 };
    for operation in &operations {
        run.apply(operation).map_err(PatchError::Failed)?;
    }
    Ok(run.document)
}

fn undecodable(value: &Value, into: &str) -> PatchError {
    let what = go_kind(value);
    PatchError::Malformed(format!(
        "error decoding patch: json: cannot unmarshal {what} into Go {into}"
    ))
}

/// One operation, as far as it can be read.
struct Operation<'a> {
    op: &'a str,
    from: Option<&'a str>,
    path: Option<&'a str>,
    value: Option<&'a Value>,
}

impl<'a> Operation<'a> {
    fn read(value: &'a Value) -> Result<Self, PatchError> {
        if !value.is_object() && !value.is_null() {
            return Err(undecodable(value, "value of type handlers.jsonPatchOp"));
        }
        let text = |name: &str| match value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(other) => {
                let field = format!("struct field jsonPatchOp.{name} of type string");
                Err(undecodable(other, &field))
            }
        };
        let op = text("op")?.unwrap_or_default();
        Ok(Self { op, from: text("from")?, path: text("path")?, value: value.get("value") })
    }

    fn path(&self) -> Result<&'a str, String> {
        self.path.ok_or_else(|| "an operation without a path".to_owned())
    }

    fn from(&self) -> Result<&'a str, String> {
        self.from.ok_or_else(|| "an operation without from".to_owned())
    }

    fn value(&self) -> Value {
        self.value.cloned().unwrap_or_default()
    }
}

/// A patch under way.
struct Run {
    document: Value,
    copied: usize,
    moved: usize,
}

impl Run {
    fn apply(&mut self, operation: &Operation<'_>) -> Result<(), String> {
        match operation.op {
            "add" => self.add(operation.path()?, operation.value()),
            "remove" => self.remove(operation.path()?).map(drop),
            "replace" => self.replace(operation.path()?, operation.value()),
            "move" => {
                let value = self.remove(operation.from()?)?;
                self.add(operation.path()?, value)
            }
            "copy" => self.copy(operation.from()?, operation.path()?),
            "test" => self.test(operation.path()?, operation.value),
            other => Err(format!("no operation is called {other:?}")),
        }
    }

    fn add(&mut self, path: &str, value: Value) -> Result<(), String> {
        check_depth(path, &value)?;
        let behind = match self.container(path)? {
            (Container::Map(members), key) => {
                members.insert(key, value);
                0
            }
            (Container::List(items), key) if key == "-" => {
                items.push(value);
                0
            }
            (Container::List(items), key) => {
                let at = index(&key, items.len() + 1)?;
                items.insert(at, value);
                items.len() - at
            }
        };
        self.note_moved(behind)
    }

    fn remove(&mut self, path: &str) -> Result<Value, String> {
        let (value, behind) = match self.container(path)? {
            (Container::Map(members), key) => {
                (members.remove(&key).ok_or_else(|| format!("nothing at {path}"))?, 0)
            }
            (Container::List(items), key) => {
                let at = index(&key, items.len())?;
                (items.remove(at), items.len() - at)
            }
        };
        self.note_moved(behind)?;
        Ok(value)
    }

    fn note_moved(&mut self, items: usize) -> Result<(), String> {
        self.moved += items;
        if self.moved > MAX_MOVED {
            Err("too many items of lists are moved".to_owned())
        } else {
            Ok(())
        }
    }

    fn replace(&mut self, path: &str, value: Value) -> Result<(), String> {
        check_depth(path, &value)?;
        match self.container(path)? {
            (Container::Map(members), key) => drop(members.insert(key, value)),
            (Container::List(items), key) => {
                let at = index(&key, items.len())?;
                items[at] = value;
            }
        }
        Ok(())
    }

    fn copy(&mut self, from: &str, path: &str) -> Result<(), String> {
        let value = self.get(from)?.cloned().unwrap_or_default();
        self.copied += value.to_string().len();
        if self.copied > MAX_COPIED {
            return Err("the copies are too large".to_owned());
        }
        self.add(path, value)
    }

    fn test(&mut self, path: &str, wanted: Option<&Value>) -> Result<(), String> {
        let same = match (self.get(path)?, wanted) {
            (None | Some(Value::Null), None | Some(Value::Null)) => true,
            (Some(value), Some(wanted)) => value == wanted,
            _ => false,
        };
        if same { Ok(()) } else { Err(format!("{path} is something else")) }
    }

    /// The value at a path whose container is there.
    fn get(&mut self, path: &str) -> Result<Option<&Value>, String> {
        Ok(match self.container(path)? {
            (Container::Map(members), key) => members.get(&key),
            (Container::List(items), key) => {
                let at = index(&key, items.len())?;
                items.get(at)
            }
        })
    }

    /// What holds the value at a path, and under which key.
    fn container(&mut self, path: &str) -> Result<(Container<'_>, String), String> {
        let missing = || format!("nothing at {path}");
        let (_, pointer) = path.split_once('/').ok_or_else(missing)?;
        let (outer, key) = match pointer.rsplit_once('/') {
            Some((outer, key)) => (Some(outer), key),
            None => (None, pointer),
        };
        let mut place = &mut self.document;
        for part in outer.into_iter().flat_map(|outer| outer.split('/')) {
            let part = unescape(part);
            let next = match place {
                Value::Object(members) => members.get_mut(&part),
                Value::Array(items) => {
                    let at = index(&part, items.len())?;
                    items.get_mut(at)
                }
                _ => None,
            };
            place = next.ok_or_else(missing)?;
        }
        match place {
            Value::Object(members) => Ok((Container::Map(members), unescape(key))),
            Value::Array(items) => Ok((Container::List(items), unescape(key))),
            _ => Err(missing()),
        }
    }
}

enum Container<'a> {
    Map(&'a mut Map<String, Value>),
    List(&'a mut Vec<Value>),
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// An index below `len`; a negative one counts from the end.
fn index(text: &str, len: usize) -> Result<usize, String> {
    let wrong = || format!("{text:?} is no index of a list of {len}");
    let number: i64 = text.parse().map_err(|_| wrong())?;
    let at = if number < 0 {
        usize::try_from(number.unsigned_abs()).ok().and_then(|back| len.checked_sub(back))
    } else {
        usize::try_from(number).ok().filter(|at| *at < len)
    };
    at.ok_or_else(wrong)
}

/// Copies into copies could nest values deeper than any code that walks them can follow.
fn check_depth(path: &str, value: &Value) -> Result<(), String> {
    let above = path.matches('/').count();
    if above + deep::depth(value, DEEPEST) > DEEPEST {
        return Err("the patched object nests too deep".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
