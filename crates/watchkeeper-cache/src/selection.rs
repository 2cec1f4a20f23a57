//! Whether an object that was written is one that a copy selects, as far as that can be told without asking.

use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_client::{Labels, Select, Shard};

/// Whether an object is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    Yes,
    No,
    /// Only the server knows.
    Unsure,
}

impl Selected {
    const fn of(selected: bool) -> Self {
        if selected { Self::Yes } else { Self::No }
    }

    /// Both, as far as known.
    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unsure,
        }
    }
}

/// What selects the objects of a copy, beside its namespace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// None where it cannot be read here; the server may be able to.
    labels: Option<Selector>,
    has_labels: bool,
    fields: String,
    shard: Option<Shard>,
}

impl Selection {
    pub(crate) fn of<K: Object>(select: &Select<K>) -> Self {
        Self {
            labels: select.label_selector().parse().ok(),
            has_labels: !select.label_selector().is_empty(),
            fields: select.field_selector().to_owned(),
            shard: select.in_shard().cloned(),
        }
    }

    /// The fields that select, as the server is told.
    pub(crate) fn fields(&self) -> &str {
        &self.fields
    }

    /// Whether an object of this key may ever be selected.
    pub(crate) fn may_hold(&self, key: &ObjectKey) -> bool {
        self.by_key(key) != Selected::No
    }

    /// Whether one life may leave what is selected and come back.
    pub(crate) fn may_return(&self) -> bool {
        let mut terms = self.fields.split(',').map(str::trim).filter(|term| !term.is_empty());
        let is_key = |term: &str| {
            ["metadata.name=", "metadata.namespace="].iter().any(|field| term.starts_with(field))
        };
        self.has_labels || !terms.all(is_key)
    }

    /// Whether an object is selected as it was stored.
    pub(crate) fn selects(
        &self,
        key: &ObjectKey,
        uid: &str,
        labels: Option<Labels<'_>>,
    ) -> Selected {
        let in_shard = self.shard.as_ref().is_none_or(|shard| shard.has_uid(uid, &key.namespace));
        self.by_key(key).and(self.by_labels(labels)).and(Selected::of(in_shard))
    }

    fn by_labels(&self, labels: Option<Labels<'_>>) -> Selected {
        match (&self.labels, labels) {
            _ if !self.has_labels => Selected::Yes,
            (Some(selector), Some(labels)) => Selected::of(selector.matches(|key| labels.get(key))),
            _ => Selected::Unsure,
        }
    }

    /// Name and namespace are the only fields that a key tells.
    fn by_key(&self, key: &ObjectKey) -> Selected {
        let terms = self.fields.split(',').map(str::trim).filter(|term| !term.is_empty());
        terms.fold(Selected::Yes, |selected, term| {
            let (field, value) = term.split_once('=').unwrap_or((term, ""));
            let value = value.trim_start_matches('=');
            selected.and(match field {
                "metadata.name" => Selected::of(*key.name == *value),
                "metadata.namespace" => Selected::of(*key.namespace == *value),
                _ => Selected::Unsure,
            })
        })
    }
}

#[cfg(test)]
mod tests;
