//! What things cost (cel-go, `common/cost.go`; apiserver, `pkg/cel/library/cost.go`).

use kube_cel::cel::Value;
use kube_cel::cel::objects::Key;

use super::{Failure, Interpreter, as_optional};

/// A name, or a member.
pub(crate) const SELECT: u64 = 1;
/// A list that is written out.
pub(crate) const NEW_LIST: u64 = 10;
/// A map that is written out.
pub(crate) const NEW_MAP: u64 = 30;
/// A round of a loop, beside what it does.
pub(super) const ROUND: u64 = 1;
/// Anything whose work does not grow with its values.
pub(crate) const CALL: u64 = 1;
/// Reading a regular expression that was not read before.
pub(super) const NEW_PATTERN: u64 = 1_000;
/// So many bounds of ranges in the classes of a regular expression cost nothing: what is written in earnest has fewer.
const FREE_RUNES: u64 = 16_384;
/// And so many of their letters: more than all alphabets have together.
const FREE_STEPS: u64 = 1 << 18;

/// What it costs to walk that many bytes.
pub(super) fn walk(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(10)
}

/// What it costs to match texts of that size.
pub(super) fn matching(text: usize, pattern: usize) -> u64 {
    walk(text + 1).saturating_mul((pattern as u64).div_ceil(4))
}

/// What it costs to list the letters of the classes of a regular expression, by the bounds of their ranges. Upstream has
/// them in tables and takes nothing for that.
pub(super) fn listing(runes: u64) -> u64 {
    runes.saturating_sub(FREE_RUNES).div_ceil(10)
}

/// What it costs to look at so many letters of them, where upper and lower case are one. Upstream takes nothing for that
/// either.
pub(super) fn folding(steps: u64) -> u64 {
    steps.saturating_sub(FREE_STEPS).div_ceil(32)
}

/// The size of a value as upstream takes it: characters, items, members, or one.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.len(),
        Value::Map(map) => map.map.len(),
        other => as_optional(other).and_then(|inner| inner.value()).map_or(1, size),
    }
}

fn key_size(key: &Key) -> usize {
    if let Key::String(name) = key { name.len() } else { 1 }
}

/// What it costs to look once at each byte of what upstream finds in no time: its length, its hash.
pub(super) fn glance(value: &Value) -> u64 {
    if let Value::String(text) = value { walk(text.len()) / 64 } else { 0 }
}

/// How much of a value is compared with another, at most, in bytes or items.
pub(super) fn compared(value: &Value) -> usize {
    if let Value::String(text) = value { text.len() } else { size(value) }
}

impl Interpreter {
    /// Takes the cost of walking all that a value holds, as it is written out. What is past the
    /// limit is not walked: lists of the same list are small until somebody walks them.
    pub(super) fn charge_walk(&self, value: &Value) -> Result<(), Failure> {
        let mut bytes = 0;
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            bytes += 1;
            match value {
                Value::String(text) => bytes += text.len(),
                Value::Bytes(all) => bytes += all.len(),
                Value::List(items) => rest.extend(items.iter()),
                Value::Map(map) => {
                    bytes += map.map.keys().map(key_size).sum::<usize>();
                    rest.extend(map.map.values());
                }
                other => rest.extend(as_optional(other).and_then(|inner| inner.value())),
            }
            if bytes > 1_024 {
                self.charge(walk(bytes))?;
                bytes = 0;
            }
        }
        self.charge(walk(bytes))
    }
}
