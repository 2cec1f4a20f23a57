//! What changed between two values, in the language of patches that says it best.

use std::fmt;

use serde_json::Value;
use watchkeeper_api::merge::Members;

use crate::diff::{lists, merge_patch};
use crate::patch::Patch;

#[cfg(test)]
mod tests;

/// What turns one value into another.
///
/// It says nothing of members that neither value has, so those that the server knows and these values do not
/// are left alone: also in the items of lists that merge by a key, as far as the members tell of them
/// ([`merge`](watchkeeper_api::merge)). Other lists are replaced as a whole.
///
/// ```
/// use serde_json::json;
/// use watchkeeper_api::{core::v1::Pod, merge::Members};
/// use watchkeeper_client::Difference;
///
/// let pod = |image| json!({ "spec": { "containers": [{ "name": "web", "image": image }] } });
/// let (before, after) = (pod("web:1"), pod("web:2"));
/// let known = Difference::of(&before, &after, Members::of(&Pod::KIND));
/// assert!(matches!(known, Some(Difference::Strategic(_))));
/// // Of other kinds nobody knows what tells the items of a list apart.
/// assert_eq!(Difference::of(&before, &after, None), Some(Difference::Merge(after)));
/// ```
#[derive(Clone, PartialEq)]
pub enum Difference {
    /// A JSON merge patch.
    Merge(Value),
    /// A strategic merge patch.
    Strategic(Value),
}

impl Difference {
    /// What turns `before` into `after`, a strategic merge patch only where a list that merges by a key changed;
    /// `None` if nothing does. `members` are those of the values' type.
    #[must_use]
    pub fn of(before: &Value, after: &Value, members: Option<Members>) -> Option<Self> {
        Self::between(before, after, members, |patch| patch.is_strategic)
    }

    /// The same, a strategic merge patch wherever one can say it.
    pub(crate) fn strategic(
        before: &Value,
        after: &Value,
        members: Option<Members>,
    ) -> Option<Self> {
        Self::between(before, after, members, |_| true)
    }

    fn between(
        before: &Value,
        after: &Value,
        members: Option<Members>,
        is_wanted: impl FnOnce(&lists::Patch) -> bool,
    ) -> Option<Self> {
        let merge = merge_patch(before, after)?;
        if let (Value::Object(before), Value::Object(after), Some(_)) = (before, after, members)
            && let Ok(patch) = lists::object(before, after, members)
            && is_wanted(&patch)
        {
            return Some(Self::Strategic(Value::Object(patch.members)));
        }
        Some(Self::Merge(merge))
    }

    /// The patch that says what `whole` makes of it: where in the object the values are, and which version of it
    /// is changed.
    #[must_use]
    pub fn into_patch(self, whole: impl FnOnce(Value) -> Value) -> Patch {
        match self {
            Self::Merge(change) => Patch::merge(&whole(change)),
            Self::Strategic(change) => Patch::strategic(&whole(change)),
        }
    }
}

/// Tells the language, never the content: objects hold secrets.
impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Merge(_) => "Merge(…)",
            Self::Strategic(_) => "Strategic(…)",
        })
    }
}
