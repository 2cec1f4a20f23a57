//! What a patch says, and in which of the four languages.

use serde_json::Value;
use watchkeeper_api::json::{self, Write};
use watchkeeper_api::merge::Members;
use watchkeeper_api::{Object, Result, Writable};

use crate::api::to_value;
use crate::diff::operations::operations;
use crate::diff::{graft, merge_patch};
use crate::difference::Difference;

/// A difference to make on the server.
///
/// The variants carry JSON text, so a patch can hold anything; the constructors make it from values.
///
/// ```
/// # use watchkeeper_api::{Object, Result, core::v1::ConfigMap};
/// # use watchkeeper_client::{Api, Patch, PatchOptions};
/// # async fn f(maps: Api<ConfigMap>) -> Result<()> {
/// let colour = Patch::merge(&serde_json::json!({ "data": { "colour": "red" } }));
/// let before = maps.patch("settings", &colour, &PatchOptions::default()).await?;
///
/// // What makes one value of the other, if it is still at that version.
/// let mut after = before.clone();
/// after.data.insert("colour", "blue");
/// if let Some(change) = Patch::merge_from_locked(&before, &after)? {
///     maps.patch(before.name(), &change, &PatchOptions::default()).await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Patch {
    /// RFC 6902: a list of operations.
    Json(Vec<u8>),
    /// RFC 7386: an object whose nulls delete.
    Merge(Vec<u8>),
    /// Kubernetes' own merge, which knows the keys of lists. Built-in kinds only.
    Strategic(Vec<u8>),
    /// Server-side apply: the fields its manager wants (KEP-555).
    Apply {
        /// The object, as far as the manager has an opinion.
        body: Vec<u8>,
        /// Take fields that others own instead of answering with a conflict.
        force: bool,
    },
}

/// What an apply says of `object`: what differs from the default. Required members of a type that is not
/// built in are said in any case, unless it is a part: absent ones would be refused, or defaulted.
pub(crate) fn said(object: &impl Writable, part: bool) -> Vec<u8> {
    let is_built_in = object.as_message().is_some();
    if is_built_in || part { json::to_vec_sparse(object) } else { json::to_vec(object) }
}

impl Patch {
    /// A JSON patch: an array of operations.
    #[must_use]
    pub fn json(operations: &Value) -> Self {
        Self::Json(operations.to_string().into_bytes())
    }

    /// A merge patch.
    #[must_use]
    pub fn merge(change: &Value) -> Self {
        Self::Merge(change.to_string().into_bytes())
    }

    /// A strategic merge patch.
    #[must_use]
    pub fn strategic(change: &Value) -> Self {
        Self::Strategic(change.to_string().into_bytes())
    }

    /// What a merge patch says that makes `before` be `after`; `None` if they are the same. Lists are replaced
    /// as a whole, and members that neither value has are left alone.
    #[must_use]
    pub fn difference(before: &Value, after: &Value) -> Option<Value> {
        merge_patch(before, after)
    }

    /// What a JSON patch says that makes `before` be `after`, operation by operation; none if they are the same.
    ///
    /// ```
    /// use serde_json::json;
    /// use watchkeeper_client::Patch;
    ///
    /// let operations = Patch::operations(&json!({ "a": [1, 2] }), &json!({ "a": [1], "b": {} }));
    /// let expected = json!([
    ///     { "op": "remove", "path": "/a/1" },
    ///     { "op": "add", "path": "/b", "value": {} },
    /// ]);
    /// assert_eq!(json!(operations), expected);
    /// ```
    #[must_use]
    pub fn operations(before: &Value, after: &Value) -> Vec<Value> {
        operations(before, after)
    }

    /// `raw` changed as `before` was to become `after`, where `before` is what a type reads in `raw`: what the type
    /// does not know stays, also in items of lists, as far as these can be told to be the same. `members` are those
    /// of the object's kind, which say what the items of some lists are told by.
    ///
    /// ```
    /// use serde_json::json;
    /// use watchkeeper_client::Patch;
    ///
    /// let raw = json!({ "spec": { "size": 1, "newer": true } });
    /// let (before, after) = (json!({ "spec": { "size": 1 } }), json!({ "spec": { "size": 2 } }));
    /// let changed = Patch::carried_over(raw, &before, &after, None);
    /// assert_eq!(changed, json!({ "spec": { "size": 2, "newer": true } }));
    /// ```
    #[must_use]
    pub fn carried_over(
        raw: Value,
        before: &Value,
        after: &Value,
        members: Option<Members>,
    ) -> Value {
        graft(raw, before, after, members)
    }

    /// The merge patch that makes `before` be `after` (upstream: `MergeFrom`); `None` if they are the same.
    /// Lists are replaced as a whole.
    ///
    /// # Errors
    /// An object that cannot be written.
    pub fn merge_from<K: Write>(before: &K, after: &K) -> Result<Option<Self>> {
        let difference = merge_patch(&to_value(before)?, &to_value(after)?);
        Ok(difference.map(|difference| Self::merge(&difference)))
    }

    /// The same, to be refused with a conflict unless the object is at the version of `before` (upstream:
    /// `MergeFromWithOptimisticLock`).
    ///
    /// # Errors
    /// An object that cannot be written.
    pub fn merge_from_locked<K: Object + Write>(before: &K, after: &K) -> Result<Option<Self>> {
        let difference = merge_patch(&to_value(before)?, &to_value(after)?);
        Ok(difference.map(|mut difference| {
            lock(&mut difference, before);
            Self::merge(&difference)
        }))
    }

    /// The strategic merge patch that makes `before` be `after` (upstream: `StrategicMergeFrom`); `None` if they
    /// are the same. It changes one by one the items of lists that merge, as containers by their names and
    /// finalizers by themselves, so that items others added meanwhile stay, and fields that the types do not
    /// know. A list in which two items have the same key is replaced as a whole, as are all lists that do not
    /// merge.
    ///
    /// Servers take strategic patches of built-in kinds only: of others it is the patch that
    /// [`merge_from`](Self::merge_from) makes, as it is where a list of values has one of them twice.
    ///
    /// # Errors
    /// An object that cannot be written.
    ///
    /// # Examples
    /// ```
    /// use watchkeeper_api::{core::v1::Pod, object};
    /// use watchkeeper_client::Patch;
    ///
    /// # fn main() -> watchkeeper_client::Result<()> {
    /// let before = object!(Pod { spec: { containers: [{ name: "web", image: "web:1" }] } });
    /// let mut after = before.clone();
    /// after.spec.containers[0].image = "web:2".into();
    /// assert!(matches!(Patch::strategic_from(&before, &after)?, Some(Patch::Strategic(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn strategic_from<K: Object + Write>(before: &K, after: &K) -> Result<Option<Self>> {
        let difference = strategic(before, after)?;
        Ok(difference.map(|difference| difference.into_patch(|change| change)))
    }

    /// The same, to be refused with a conflict unless the object is at the version of `before` (upstream:
    /// `StrategicMergeFrom` with `MergeFromWithOptimisticLock`).
    ///
    /// # Errors
    /// An object that cannot be written.
    pub fn strategic_from_locked<K: Object + Write>(before: &K, after: &K) -> Result<Option<Self>> {
        let locked = |mut change| {
            lock(&mut change, before);
            change
        };
        Ok(strategic(before, after)?.map(|difference| difference.into_patch(locked)))
    }

    /// An apply, forced, of what [`Api::apply`](crate::Api::apply) would say.
    #[must_use]
    pub fn apply(object: &impl Writable) -> Self {
        Self::Apply { body: said(object, false), force: true }
    }

    pub(crate) const fn content_type(&self) -> &'static str {
        match self {
            Self::Json(_) => "application/json-patch+json",
            Self::Merge(_) => "application/merge-patch+json",
            Self::Strategic(_) => "application/strategic-merge-patch+json",
            Self::Apply { .. } => "application/apply-patch+yaml",
        }
    }

    pub(crate) const fn body(&self) -> &Vec<u8> {
        match self {
            Self::Json(body)
            | Self::Merge(body)
            | Self::Strategic(body)
            | Self::Apply { body, .. } => body,
        }
    }

    /// Whether sending it twice does what sending it once does.
    pub(crate) const fn is_idempotent(&self) -> bool {
        matches!(self, Self::Merge(_) | Self::Strategic(_) | Self::Apply { .. })
    }
}

fn strategic<K: Object + Write>(before: &K, after: &K) -> Result<Option<Difference>> {
    let members = Members::of(before.kind());
    Ok(Difference::strategic(&to_value(before)?, &to_value(after)?, members))
}

/// Lets a change be refused unless the object is at this version.
fn lock(change: &mut Value, before: &impl Object) {
    change["metadata"]["resourceVersion"] = before.resource_version().into();
}

/// Tells the language and the size, never the content: patches hold secrets.
impl std::fmt::Debug for Patch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Patch({}, {} bytes)", self.content_type(), self.body().len())
    }
}
