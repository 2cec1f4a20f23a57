//! The difference of two JSON values as a patch.

use serde_json::Value;
use watchkeeper_api::merge::Members;
use watchkeeper_client::Patch;

mod lists;

#[cfg(test)]
mod tests;

/// A difference, and the language that it is in.
#[derive(Debug, PartialEq)]
pub(crate) enum Difference {
    /// A JSON merge patch.
    Merge(Value),
    /// A strategic merge patch: a list that merges by a key changed.
    Strategic(Value),
}

/// What turns `before` into `after`; `None` if nothing does.
///
/// A patch says nothing of members that neither value has, so those that the server knows and
/// these values do not are left alone: also in the items of lists that merge by a key, as far as
/// `members` tells of them. Other lists are replaced as a whole.
pub(crate) fn difference(
    before: &Value,
    after: &Value,
    members: Option<Members>,
) -> Option<Difference> {
    let merge = Patch::difference(before, after)?;
    if let (Value::Object(before), Value::Object(after), Some(members)) = (before, after, members)
        && let Ok(patch) = lists::object(before, after, Some(members))
        && patch.is_strategic
    {
        return Some(Difference::Strategic(Value::Object(patch.members)));
    }
    Some(Difference::Merge(merge))
}
